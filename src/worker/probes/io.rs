//! Bytes between this process and the device, from `/proc/self/io`.

/// Counts since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceBytes {
    /// Fetched from the device (`read_bytes`).
    pub read: u64,
    /// Dirtied towards the device (`write_bytes`): counted when a page becomes dirty.
    pub written: u64,
}

impl DeviceBytes {
    /// Counts until now; nothing where the kernel does not tell.
    pub fn now() -> DeviceBytes {
        std::fs::read_to_string("/proc/self/io")
            .map(|text| parse(&text))
            .unwrap_or_default()
    }

    /// What was added since `before`.
    pub fn since(self, before: DeviceBytes) -> DeviceBytes {
        DeviceBytes {
            read: self.read.saturating_sub(before.read),
            written: self.written.saturating_sub(before.written),
        }
    }
}

fn parse(text: &str) -> DeviceBytes {
    let value = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
            .unwrap_or(0)
    };
    DeviceBytes {
        read: value("read_bytes:"),
        written: value("write_bytes:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_device_bytes_not_calls() {
        let text = "rchar: 9\nwchar: 8\nsyscr: 7\nsyscw: 6\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 1\n";
        let bytes = parse(text);
        assert_eq!((bytes.read, bytes.written), (4096, 8192));
    }

    #[test]
    fn sees_what_is_written_to_a_disk() {
        let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let before = DeviceBytes::now();
        std::fs::write(directory.path().join("x"), vec![1; 1 << 20]).unwrap();
        assert!(DeviceBytes::now().since(before).written >= 1 << 20);
    }
}
