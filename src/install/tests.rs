//! Whole installs of a made-up package, without any network.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::diagnostics::{Code, Diagnostic};
use crate::engines::native::Pin;
use crate::engines::native::installed::{directory, find_in};
use crate::engines::native::pin::Client;

const RECIPE: Recipe = Recipe {
    package_bytes: 1_000,
    disk_bytes: 1_000_000,
    licences: &["package/LICENCE"],
    library: Library::Built(Build {
        root: "package/src",
        sources: "deep/add.c\ntwice.cpp\n",
        includes: &["."],
        own: &[
            Own {
                path: "config/number.h",
                text: "#define NUMBER 7\n",
            },
            Own {
                path: "shim.cpp",
                text: "#include <config/number.h>\n#include <add.h>\n\
                       extern \"C\" int seven_more(int n) { return add(n, NUMBER); }\n",
            },
        ],
        flags: &["-O1", "-fPIC"],
        cxx_flags: &["-std=c++17"],
        link_flags: &["-shared", "-Wl,--no-undefined"],
        job_bytes: 1,
    }),
};

const FILES: &[(&str, &str)] = &[
    ("package/LICENCE", "do what you like\n"),
    ("package/package.json", "{}"),
    (
        "package/src/add.h",
        "#ifdef __cplusplus\nextern \"C\"\n#endif\nint add(int, int);\n",
    ),
    (
        "package/src/deep/add.c",
        "#include <add.h>\nint add(int a, int b) { return a + b; }\n",
    ),
    ("package/src/deep/unused.c", "#error never compiled\n"),
    (
        "package/src/twice.cpp",
        "#include <add.h>\nextern \"C\" int twice(int n) { return add(n, n); }\n",
    ),
];

/// A gzipped tar as npm makes it. Names are written as they are, whatever they say.
fn npm_package(files: &[(&str, &str)]) -> Vec<u8> {
    let coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(coder);
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(tar::EntryType::Regular);
        header.set_cksum();
        tar.append(&header, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn wheel(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn pin(package: &[u8], client: Client) -> Pin {
    let hash = hash::of(package, "sha512-").unwrap();
    Pin {
        kind: "made_up",
        package: "made-up",
        package_version: "1.2.3",
        package_hash: Box::leak(hash.into_boxed_str()),
        client,
        engine_version: "1.2",
        recipe: 4,
        licence: "anything goes",
        architectures: &[std::env::consts::ARCH],
    }
}

#[derive(Default)]
struct Said(RefCell<Vec<String>>);

impl Progress for &Said {
    fn say(&mut self, line: &str) {
        self.0.borrow_mut().push(line.to_owned());
    }
    fn count(&mut self, _: &str, done: usize, total: usize) {
        assert!(done <= total);
    }
}

impl Said {
    fn has(&self, words: &str) -> bool {
        self.0.borrow().iter().any(|line| line.contains(words))
    }
}

struct Lab {
    folder: tempfile::TempDir,
    home: PathBuf,
    package: PathBuf,
    pin: Pin,
    said: Said,
}

impl Lab {
    fn new(package: &[u8], client: Client) -> Lab {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("package.bin");
        fs::write(&path, package).unwrap();
        Lab {
            home: folder.path().join("home"),
            package: path,
            pin: pin(package, client),
            folder,
            said: Said::default(),
        }
    }

    fn install_with(
        &self,
        recipe: &Recipe,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Outcome, Stop> {
        let mut progress = &self.said;
        let mut installer = Installer {
            home: &self.home,
            jobs: None,
            progress: &mut progress,
            interrupted,
        };
        installer.install(&self.pin, recipe, Some(&self.package))
    }

    fn install(&self, recipe: &Recipe) -> Result<Outcome, Stop> {
        self.install_with(recipe, &|| false)
    }

    fn refused(&self, recipe: &Recipe) -> Diagnostic {
        let Err(Stop::Failed(mut errors)) = self.install(recipe) else {
            panic!("it was not refused: {:?}", self.said.0)
        };
        self.nothing_is_there();
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    }

    fn directory(&self) -> PathBuf {
        directory(&self.home, &self.pin)
    }

    fn nothing_is_there(&self) {
        assert_eq!(find_in(&self.home, &self.pin), None);
        assert!(!self.directory().exists());
        assert!(!self.home.join("staging").exists(), "all is cleared away");
    }
}

#[test]
fn a_package_is_built_and_put_in_place_once() {
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    assert_eq!(lab.install(&RECIPE).unwrap(), Outcome::Installed);
    let installed = find_in(&lab.home, &lab.pin).unwrap();
    let provenance = &installed.provenance;
    assert_eq!(provenance.package_hash, lab.pin.package_hash);
    assert_eq!(provenance.recipe, 4);
    assert!(provenance.compiler.is_some());
    assert_eq!(provenance.flags[..3], ["-O1", "-fPIC", "-std=c++17"]);
    let sha = hash::sha256_hex(File::open(&installed.library).unwrap()).unwrap();
    assert_eq!(provenance.library_sha256, sha);
    let licence = fs::read_to_string(lab.directory().join("LICENCE")).unwrap();
    assert_eq!(licence, "do what you like\n");
    assert!(!lab.home.join("staging").exists());
    let log = fs::read_to_string(lab.home.join("logs/made_up.log")).unwrap();
    assert!(log.contains("deep/add.c"), "{log}");

    // SAFETY: built a moment ago from the text above.
    let library = unsafe { libloading::Library::new(&installed.library) }.unwrap();
    // SAFETY: the signature is that of the text above.
    let seven_more: libloading::Symbol<'_, extern "C" fn(i32) -> i32> =
        unsafe { library.get(b"seven_more") }.unwrap();
    assert_eq!(seven_more(35), 42);

    let written = fs::metadata(&installed.library)
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(lab.install(&RECIPE).unwrap(), Outcome::AlreadyThere);
    assert!(lab.said.has("installed already"));
    assert_eq!(
        fs::metadata(&installed.library)
            .unwrap()
            .modified()
            .unwrap(),
        written
    );
}

#[test]
fn a_library_that_lies_in_the_package_is_taken_as_it_is() {
    let recipe = Recipe {
        licences: &[],
        library: Library::Inside("made_up/lib/it.so"),
        ..RECIPE
    };
    let package = wheel(&[("made_up/lib/it.so", b"\x7fELF..."), ("made_up/x.py", b"")]);
    let lab = Lab::new(&package, Client::Pip);
    assert_eq!(lab.install(&recipe).unwrap(), Outcome::Installed);
    let installed = find_in(&lab.home, &lab.pin).unwrap();
    assert_eq!(fs::read(installed.library).unwrap(), b"\x7fELF...");
    assert_eq!(installed.provenance.compiler, None);
    assert_eq!(fs::read_dir(lab.directory()).unwrap().count(), 2);
}

#[test]
fn another_package_than_the_pinned_one_is_refused() {
    let mut lab = Lab::new(&npm_package(FILES), Client::Npm);
    let mut other = fs::read(&lab.package).unwrap();
    *other.last_mut().unwrap() ^= 1;
    fs::write(&lab.package, other).unwrap();
    let error = lab.refused(&RECIPE);
    assert_eq!(error.code, Code::GivenFile);
    assert!(error.message.contains(lab.pin.package_hash), "{error:?}");
    lab.package = lab.folder.path().join("nowhere.tgz");
    assert_eq!(lab.refused(&RECIPE).code, Code::GivenFile);
    lab.package = lab.folder.path().to_owned();
    assert_eq!(lab.refused(&RECIPE).code, Code::GivenFile);
}

#[test]
fn nothing_is_written_outside() {
    for name in ["package/src/../../../evil.h", "package/src//tmp/evil.h"] {
        let mut files = FILES.to_vec();
        files.push((name, "int evil;\n"));
        let lab = Lab::new(&npm_package(&files), Client::Npm);
        let error = lab.refused(&RECIPE);
        assert_eq!(error.code, Code::BadPackage);
        assert!(error.message.contains("leads out"), "{error:?}");
        assert!(!lab.home.join("evil.h").exists());
        assert!(!Path::new("/tmp/evil.h").exists());
    }
}

#[test]
fn what_is_no_package_or_lacks_a_file_is_refused() {
    let lab = Lab::new(b"no package at all", Client::Npm);
    assert_eq!(lab.refused(&RECIPE).code, Code::BadPackage);
    let lab = Lab::new(b"no package at all", Client::Pip);
    assert_eq!(lab.refused(&RECIPE).code, Code::BadPackage);
    let whole = npm_package(FILES);
    let lab = Lab::new(&whole[..whole.len() / 2], Client::Npm);
    assert_eq!(lab.refused(&RECIPE).code, Code::BadPackage);

    let lab = Lab::new(&npm_package(&FILES[..5]), Client::Npm);
    let error = lab.refused(&RECIPE);
    assert_eq!(error.code, Code::BadPackage);
    assert!(error.message.contains("package/src/twice.cpp"), "{error:?}");
}

#[test]
fn what_the_compiler_refuses_is_shown() {
    let mut files = FILES.to_vec();
    files[3].1 = "int add(int a, int b) { return a + nothing; }\n";
    let lab = Lab::new(&npm_package(&files), Client::Npm);
    let error = lab.refused(&RECIPE);
    assert_eq!(error.code, Code::CompileFailed);
    assert!(error.message.contains("nothing"), "{error:?}");
    assert!(error.help.unwrap().contains("logs/made_up.log"));

    let mut files = FILES.to_vec();
    files[3].1 = "int nothing;\n";
    let lab = Lab::new(&npm_package(&files), Client::Npm);
    let error = lab.refused(&RECIPE);
    assert_eq!(error.code, Code::CompileFailed, "the linker");
    assert!(error.message.contains("undefined"), "{error:?}");
}

#[test]
fn a_machine_that_the_package_does_not_know_is_told_so() {
    let mut lab = Lab::new(&npm_package(FILES), Client::Npm);
    lab.pin.architectures = &["vax"];
    assert_eq!(lab.refused(&RECIPE).code, Code::InstallArchitecture);
}

#[test]
fn too_little_room_is_seen_before_anything_is_made() {
    let recipe = Recipe {
        disk_bytes: u64::MAX,
        ..RECIPE
    };
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    assert_eq!(lab.refused(&recipe).code, Code::NoSpace);
}

#[test]
fn a_home_that_is_a_file_is_no_place() {
    let mut lab = Lab::new(&npm_package(FILES), Client::Npm);
    lab.home = lab.package.clone();
    let Err(Stop::Failed(errors)) = lab.install(&RECIPE) else {
        panic!("it was not refused")
    };
    assert_eq!(errors[0].code, Code::HomeUnusable);
}

#[test]
fn an_interruption_leaves_nothing() {
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    let home = lab.home.clone();
    // Once the compiler is at work.
    let building = move || {
        let staging = fs::read_dir(home.join("staging"));
        let mut found = staging.into_iter().flatten().flatten();
        found.any(|entry| entry.path().join("build/0.said").exists())
    };
    let stopped = lab.install_with(&RECIPE, &building);
    assert!(matches!(stopped, Err(Stop::Interrupted)), "{stopped:?}");
    lab.nothing_is_there();
    assert_eq!(lab.install(&RECIPE).unwrap(), Outcome::Installed);
}

#[test]
fn leftovers_and_damage_are_mended() {
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    let left = lab.home.join("staging/1/made");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("libmade_up.so"), "half").unwrap();
    assert_eq!(lab.install(&RECIPE).unwrap(), Outcome::Installed);
    assert!(!lab.home.join("staging").exists());

    let library = find_in(&lab.home, &lab.pin).unwrap().library;
    File::options()
        .write(true)
        .open(&library)
        .unwrap()
        .set_len(100)
        .unwrap();
    assert_eq!(find_in(&lab.home, &lab.pin), None, "cut short");
    assert_eq!(lab.install(&RECIPE).unwrap(), Outcome::Installed);
    assert!(find_in(&lab.home, &lab.pin).is_some());
    assert!(!lab.home.join("staging").exists());
}

#[test]
fn a_second_install_waits_for_the_first() {
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    fs::create_dir_all(&lab.home).unwrap();
    let first = File::create(lab.home.join("install.lock")).unwrap();
    first.lock().unwrap();
    let mut first = Some(first);
    struct Waiting<'w>(&'w Said, &'w mut Option<File>);
    impl Progress for Waiting<'_> {
        fn say(&mut self, line: &str) {
            self.0.0.borrow_mut().push(line.to_owned());
            if line.contains("waiting") {
                self.1.take();
            }
        }
        fn count(&mut self, _: &str, _: usize, _: usize) {}
    }
    let mut installer = Installer {
        home: &lab.home,
        jobs: Some(1),
        progress: &mut Waiting(&lab.said, &mut first),
        interrupted: &|| false,
    };
    let outcome = installer.install(&lab.pin, &RECIPE, Some(&lab.package));
    assert_eq!(outcome.unwrap(), Outcome::Installed);
    assert!(lab.said.has("waiting for another install"));
    assert!(first.is_none(), "it went on only when the lock was let go");
}

#[test]
fn what_is_removed_is_gone_in_every_version() {
    let lab = Lab::new(&npm_package(FILES), Client::Npm);
    let nothing = remove(&lab.home, "made_up", &mut &lab.said, &|| false).unwrap();
    assert_eq!(nothing, Removed::default());
    lab.install(&RECIPE).unwrap();
    let engines = lab.home.join("engines");
    fs::create_dir(engines.join("made_up-1.1-old-r1")).unwrap();
    fs::create_dir(engines.join("other-1.1-old-r1")).unwrap();
    let removed = remove(&lab.home, "made_up", &mut &lab.said, &|| false).unwrap();
    assert_eq!(removed.libraries, 2);
    assert!(removed.bytes > 1_000);
    lab.nothing_is_there();
    assert_eq!(fs::read_dir(engines).unwrap().count(), 1);
}
