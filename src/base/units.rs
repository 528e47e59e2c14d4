//! Times, sizes and counts as people write and read them.
//!
//! Times print in ns, µs, ms, s, min; sizes in powers of ten (B, kB, MB, GB,
//! TB), as the claims of most articles do; both with three significant digits.
//! Parsing takes every unit of the language: `us ms s min h d`, `kB` and `KiB`
//! alike, `10k` and `2M`.

/// A unit and how many base units (ns, B) it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As printed after the number.
    pub name: &'static str,
    /// Base units in one.
    pub size: f64,
}

const fn unit(name: &'static str, size: f64) -> Unit {
    Unit { name, size }
}

/// Ascending; the last takes everything above.
const TIMES: [Unit; 5] = [
    unit("ns", 1.0),
    unit("µs", 1e3),
    unit("ms", 1e6),
    unit("s", 1e9),
    unit("min", 60e9),
];

/// Seconds stay seconds below this many ns: tables compare better in one unit.
const MINUTES_FROM_NS: f64 = 600e9;

const SIZES: [Unit; 5] = [
    unit("B", 1.0),
    unit("kB", 1e3),
    unit("MB", 1e6),
    unit("GB", 1e9),
    unit("TB", 1e12),
];

/// The unit in which a time in ns reads best.
pub fn time_unit(ns: f64) -> Unit {
    if ns >= MINUTES_FROM_NS {
        return TIMES[4];
    }
    best(&TIMES[..4], ns)
}

/// The unit in which a size in bytes reads best.
pub fn size_unit(bytes: f64) -> Unit {
    best(&SIZES, bytes)
}

/// The largest unit of which there is at least one, after rounding to three digits.
fn best(units: &[Unit], value: f64) -> Unit {
    units
        .iter()
        .rev()
        .copied()
        .find(|unit| value.abs() >= unit.size * 0.9995)
        .unwrap_or(units[0])
}

/// `1.23 ms`
pub fn format_time(ns: f64) -> String {
    in_unit(ns, time_unit(ns))
}

/// `4.10 MB`; whole bytes below 1 kB.
pub fn format_size(bytes: f64) -> String {
    in_unit(bytes, size_unit(bytes))
}

/// A value in a given unit: `1.23 ms`.
pub fn in_unit(value: f64, unit: Unit) -> String {
    format!("{} {}", number_in(value, unit), unit.name)
}

/// The number alone: `1.23`. Base units are whole things and get no decimals.
pub fn number_in(value: f64, unit: Unit) -> String {
    let scaled = value / unit.size;
    if unit.size == 1.0 {
        return format!("{scaled:.0}");
    }
    significant(scaled)
}

/// Three significant digits, never an exponent: `0.0123`, `1.23`, `12.3`, `1234`.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value:.0}");
    }
    let digits = |v: f64| {
        let magnitude = v.abs().log10().floor();
        (2.0 - magnitude).clamp(0.0, 12.0) as usize
    };
    let rounded = format!("{:.*}", digits(value), value);
    // 9.996 rounds to 10.00, which has a digit too many.
    match rounded.parse::<f64>() {
        Ok(again) if again != 0.0 => format!("{:.*}", digits(again), value),
        _ => rounded,
    }
}

/// A whole number: `10k`, `2.5M` where that says it exactly, else `5,512`.
pub fn format_count(count: u64) -> String {
    if count >= 1_000_000 && count.is_multiple_of(100_000) && !count.is_multiple_of(1_000_000) {
        let tenths = count / 100_000;
        return format!("{}.{}M", group(tenths / 10), tenths % 10);
    }
    for (size, suffix) in [(1_000_000, "M"), (1_000, "k")] {
        if count >= size && count.is_multiple_of(size) {
            return format!("{}{suffix}", group(count / size));
        }
    }
    group(count)
}

/// Thousands apart: `1,234,567`.
fn group(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share: `0.4%`, `12%`.
pub fn format_share(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 9.95 {
        format!("{percent:.0}%")
    } else if percent >= 0.095 || percent <= 0.0 {
        format!("{percent:.1}%")
    } else {
        "<0.1%".into()
    }
}

/// A duration for waiting people: `45 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
pub fn format_duration(ns: u64) -> String {
    let seconds = ns.div_ceil(1_000_000_000);
    let pair = |a: u64, b: u64, large: &str, small: &str| match b {
        0 => format!("{a} {large}"),
        _ => format!("{a} {large} {b} {small}"),
    };
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => pair(seconds / 60, seconds % 60, "min", "s"),
        3_600..86_400 => pair(seconds / 3_600, seconds / 60 % 60, "h", "min"),
        _ => pair(seconds / 86_400, seconds / 3_600 % 24, "d", "h"),
    }
}

/// A time as it is typed, without rounding: `15min`, `90s`, `1500us`.
pub fn exact_duration(ns: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (86_400_000_000_000, "d"),
        (3_600_000_000_000, "h"),
        (60_000_000_000, "min"),
        (1_000_000_000, "s"),
        (1_000_000, "ms"),
        (1_000, "us"),
    ];
    match UNITS.iter().find(|(size, _)| ns.is_multiple_of(*size)) {
        Some((size, unit)) => format!("{}{unit}", ns / size),
        None => format!("{ns}ns"),
    }
}

/// Nanoseconds of `15min`, `0.2ms`, `1h`; `None` where it is no time.
pub fn parse_time(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let size = match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 60e9,
        "h" => 3_600e9,
        "d" => 86_400e9,
        _ => return None,
    };
    whole(number * size)
}

/// Bytes of `8GiB`, `20kB`, `100B`; `None` where it is no size.
pub fn parse_size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let size = match unit {
        "B" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        "TiB" => 1_099_511_627_776.0,
        _ => return None,
    };
    whole(number * size)
}

/// The number of `1_000`, `10k`, `2M`; `None` where it is no whole number.
pub fn parse_count(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let size = match unit {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        _ => return None,
    };
    let value = number * size;
    if value.fract() != 0.0 {
        return None;
    }
    whole(value)
}

/// Number and unit, which touch, as in the language; `_` may group digits.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number: f64 = digits.replace('_', "").parse().ok()?;
    Some((number, unit))
}

fn whole(value: f64) -> Option<u64> {
    // 2^63: beyond it neither the language's ints nor any clock reach.
    (value.is_finite() && (0.0..9.2e18).contains(&value)).then(|| value.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_the_unit_that_reads_best() {
        assert_eq!(format_time(0.0), "0 ns");
        assert_eq!(format_time(12.0), "12 ns");
        assert_eq!(format_time(999.4), "999 ns");
        assert_eq!(format_time(999.6), "1.00 µs");
        assert_eq!(format_time(1_234_567.0), "1.23 ms");
        assert_eq!(format_time(12_345_678.0), "12.3 ms");
        assert_eq!(format_time(999_600_000.0), "1.00 s");
        assert_eq!(format_time(90e9), "90.0 s");
        assert_eq!(format_time(900e9), "15.0 min");
    }

    #[test]
    fn sizes_are_powers_of_ten() {
        assert_eq!(format_size(0.0), "0 B");
        assert_eq!(format_size(512.0), "512 B");
        assert_eq!(format_size(4096.0), "4.10 kB");
        assert_eq!(format_size(20_480.0), "20.5 kB");
        assert_eq!(format_size(1e15), "1000 TB");
    }

    #[test]
    fn a_range_shares_the_unit_of_its_middle() {
        let unit = time_unit(1_200_000.0);
        assert_eq!(number_in(900_000.0, unit), "0.900");
        assert_eq!(number_in(12_340_000.0, unit), "12.3");
        assert_eq!(number_in(1_234_500_000.0, unit), "1234");
    }

    #[test]
    fn rounding_never_adds_a_digit() {
        assert_eq!(significant(9.996), "10.0");
        assert_eq!(significant(99.96), "100");
        assert_eq!(significant(0.00012345), "0.000123");
        assert_eq!(significant(-1.234), "-1.23");
        assert_eq!(significant(0.0), "0");
    }

    #[test]
    fn counts_are_exact() {
        assert_eq!(format_count(0), "0");
        assert_eq!(format_count(999), "999");
        assert_eq!(format_count(1_000), "1k");
        assert_eq!(format_count(5_512), "5,512");
        assert_eq!(format_count(10_000_000), "10M");
        assert_eq!(format_count(1_234_567), "1,234,567");
        assert_eq!(format_count(2_500_000), "2.5M");
        assert_eq!(format_count(3_000_000_000), "3,000M");
    }

    #[test]
    fn shares_and_durations_read_as_words() {
        assert_eq!(format_share(0.0), "0.0%");
        assert_eq!(format_share(0.000_1), "<0.1%");
        assert_eq!(format_share(0.004), "0.4%");
        assert_eq!(format_share(0.5), "50%");
        for typed in ["15min", "90s", "1d", "25h", "1us", "1500ms", "7ns"] {
            assert_eq!(exact_duration(parse_time(typed).unwrap()), typed);
        }
        assert_eq!(format_duration(1), "1 s");
        assert_eq!(format_duration(200_000_000_000), "3 min 20 s");
        assert_eq!(format_duration(7_500_000_000_000), "2 h 5 min");
        assert_eq!(format_duration(86_400_000_000_000), "1 d");
    }

    #[test]
    fn what_the_language_writes_is_read() {
        assert_eq!(parse_time("15min"), Some(900_000_000_000));
        assert_eq!(parse_time("0.2ms"), Some(200_000));
        assert_eq!(parse_time("15"), None);
        assert_eq!(parse_time("15 parsecs"), None);
        assert_eq!(parse_size("8GiB"), Some(8 << 30));
        assert_eq!(parse_size("20kB"), Some(20_000));
        assert_eq!(parse_size("-1kB"), None);
        assert_eq!(parse_count("10k"), Some(10_000));
        assert_eq!(parse_count("1_000"), Some(1_000));
        assert_eq!(parse_count("0.5k"), Some(500));
        assert_eq!(parse_count("0.5"), None);
        assert_eq!(parse_count("wal"), None);
        assert_eq!(parse_time("99999999999999d"), None);
    }
}
