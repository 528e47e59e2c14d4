//! The mount that holds a directory: `/proc/self/mountinfo`, as proc(5) describes it.

use std::path::{Path, PathBuf};

/// File system and options of a mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    pub file_system: String,
    /// Of the mount, then of the file system, each once; none that names a path.
    pub options: Vec<String>,
}

/// The mount that holds `directory`, which must be an absolute path without links.
pub fn of(directory: &Path) -> Option<Mount> {
    parse(
        &std::fs::read_to_string("/proc/self/mountinfo").ok()?,
        directory,
    )
}

/// Of several mounts on one place the last is the one that is seen.
fn parse(mounts: &str, directory: &Path) -> Option<Mount> {
    mounts
        .lines()
        .filter_map(line)
        .filter(|(place, _)| directory.starts_with(place))
        .enumerate()
        .max_by_key(|(at, (place, _))| (place.as_os_str().len(), *at))
        .map(|(_, (_, mount))| mount)
}

/// `36 35 98:0 /root /place rw,noatime shared:1 - ext4 /dev/root rw,errors=continue`
fn line(line: &str) -> Option<(PathBuf, Mount)> {
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ');
    let place = before.nth(4)?;
    let own = before.next()?;
    let mut after = after.split(' ');
    let file_system = after.next()?;
    let shared = after.nth(1).unwrap_or("");
    let mut options: Vec<String> = Vec::new();
    for option in own.split(',').chain(shared.split(',')) {
        if !option.is_empty() && !option.contains('/') && !options.iter().any(|o| o == option) {
            options.push(option.to_owned());
        }
    }
    let mount = Mount {
        file_system: file_system.to_owned(),
        options,
    };
    Some((PathBuf::from(unescape(place)), mount))
}

/// Spaces and their like stand as `\040`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'\\')
            .then(|| after.get(..3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
30 22 0:26 / /data rw,relatime - tmpfs tmpfs rw,size=1024k
31 22 0:27 / /data\\040two rw,noatime - overlay overlay rw,lowerdir=/a:/b,index=off
32 22 254:1 / /data rw - xfs /dev/vdb rw,attr2
";

    #[test]
    fn the_innermost_and_last_mount_counts() {
        let of = |path: &str| parse(MOUNTS, Path::new(path)).unwrap();
        assert_eq!(of("/home/x").file_system, "ext4");
        assert_eq!(of("/home/x").options, ["rw", "relatime", "discard"]);
        assert_eq!(of("/data/x").file_system, "xfs");
        assert_eq!(of("/database").file_system, "ext4");
        let overlay = of("/data two/x");
        assert_eq!(overlay.file_system, "overlay");
        assert_eq!(overlay.options, ["rw", "noatime", "index=off"]);
    }
}
