//! How a package becomes a library.

/// How a package becomes a library. A change of anything that reaches the
/// library counts the pin's `recipe` up.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Size of the package, bytes; for the words of progress.
    pub package_bytes: u64,
    /// Disk that installing takes for a while, bytes: package, sources, objects.
    pub disk_bytes: u64,
    /// Files of the package that say how it is licensed; kept beside the library.
    pub licences: &'static [&'static str],
    /// Where the library comes from.
    pub library: Library,
}

/// Where a library comes from.
#[derive(Clone, Copy, Debug)]
pub enum Library {
    /// It lies in the package, at this path.
    Inside(&'static str),
    /// It is compiled.
    Built(Build),
}

/// How to compile a library.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// Folder of the package that holds the sources; everything else is named below it.
    pub root: &'static str,
    /// Files to compile, one a line, those first that take longest.
    pub sources: &'static str,
    /// Folders to search for headers.
    pub includes: &'static [&'static str],
    /// Files of ours, searched for headers before the package's; those that
    /// end in `.cpp` are compiled too.
    pub own: &'static [Own],
    /// Flags of every compile.
    pub flags: &'static [&'static str],
    /// Flags of C++ besides.
    pub cxx_flags: &'static [&'static str],
    /// Flags of the linker.
    pub link_flags: &'static [&'static str],
    /// Memory of the largest compile, bytes.
    pub job_bytes: u64,
}

/// A file of ours.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// Its path below the folder of our files.
    pub path: &'static str,
    /// What is in it.
    pub text: &'static str,
}

impl Build {
    /// The files to compile, named below the root.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        self.sources
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    }

    /// Where a file of the package goes below the folder of sources; `None`
    /// where it is not needed: sources that are compiled, and all headers.
    pub fn takes<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(self.root)?.strip_prefix('/')?;
        let header = matches!(below.rsplit_once('.'), Some((_, "h" | "hpp")));
        (header || self.sources().any(|source| source == below)).then_some(below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: Build = Build {
        root: "package/src",
        sources: "b.cpp\n\n a.c \n",
        includes: &[],
        own: &[],
        flags: &[],
        cxx_flags: &[],
        link_flags: &[],
        job_bytes: 0,
    };

    #[test]
    fn sources_and_headers_are_taken_and_nothing_else() {
        let takes = |path| BUILD.takes(path);
        assert_eq!(takes("package/src/a.c"), Some("a.c"));
        assert_eq!(takes("package/src/deep/x.hpp"), Some("deep/x.hpp"));
        assert_eq!(takes("package/src/c.c"), None);
        assert_eq!(takes("package/srcs/a.h"), None);
        assert_eq!(takes("other/package/src/a.c"), None);
        assert_eq!(BUILD.sources().collect::<Vec<_>>(), ["b.cpp", "a.c"]);
    }
}
