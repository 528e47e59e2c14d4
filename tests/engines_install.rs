//! `engines install` as a user meets it, with clients that bring what the test
//! wants, and kills in the middle of an install. Nothing here needs a network.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;
use persist_lab::engines::native::installed::{directory, find_in, library_name};
use persist_lab::engines::native::pin::{Client, MMKV, OBJECTBOX, PINS, Pin};
use persist_lab::engines::registry::{self, Known};
use persist_lab::install::{
    Build, Installer, Library, Outcome, Own, Progress, Recipe, StderrProgress, hash,
};
use persist_lab::sample::{PROVENANCE_VERSION, Provenance};

struct Said {
    code: i32,
    out: String,
    err: String,
}

/// A home, and programs of the test's own instead of the machine's.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.programs()).unwrap();
        place
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn programs(&self) -> PathBuf {
        self.folder.path().join("programs")
    }

    fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.programs().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A client that tells a version and then does that; `$into` is where to put the package.
    fn npm(&self, script: &str) {
        self.program(
            "npm",
            &format!(
                "[ \"$1\" = --version ] && echo 11.0.0 && exit\n\
                 for word; do [ \"$before\" = --pack-destination ] && into=$word; before=$word; done\n\
                 {script}"
            ),
        );
    }

    /// A compiler that tells a version and fails at all else.
    fn compilers(&self) {
        for name in ["cc", "c++"] {
            self.program(name, "[ \"$1\" = --version ] && echo cc 1 && exit\nexit 1");
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("persist-lab").unwrap();
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PERSIST_LAB_HOME", self.home())
            .env("PATH", self.programs())
            .env("NO_COLOR", "1")
            .env_remove("CC")
            .env_remove("CXX");
        command
    }

    fn said(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().unwrap();
        Said {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Refused with that exit code, and nothing is installed or left over.
    fn refused(&self, arguments: &[&str], code: i32) -> String {
        let said = self.said(arguments);
        assert_eq!(said.code, code, "{arguments:?}: {}", said.err);
        assert_eq!(said.out, "", "{arguments:?}");
        assert!(!self.home().join("engines").exists());
        assert!(!self.home().join("staging").exists());
        said.err
    }
}

#[test]
fn a_missing_client_is_named_with_the_way_to_get_it() {
    let place = Place::new();
    let err = place.refused(&["engines", "install", "realm"], 3);
    assert!(err.contains("[E122]") && err.contains("npm"), "{err}");
    assert!(err.contains("apt-get install npm"), "{err}");
    assert!(err.contains("[E123]"), "all that is missing at once: {err}");
    let err = place.refused(&["engines", "install", "objectbox"], 3);
    assert!(err.contains("[E122]") && err.contains("pip"), "{err}");
    assert!(err.contains("apt-get install python3-pip"), "{err}");
    assert!(err.contains("--from FILE"), "{err}");
}

#[test]
fn a_missing_compiler_is_named_before_anything_is_fetched() {
    let place = Place::new();
    let fetched = place.folder.path().join("fetched");
    place.npm(&format!(": > {}", fetched.display()));
    let err = place.refused(&["engines", "install", "mmkv"], 3);
    assert!(err.contains("[E123]") && err.contains("C++"), "{err}");
    assert!(err.contains("apt-get install g++"), "{err}");
    assert!(!fetched.exists());
    let output = place
        .command(&["engines", "install", "mmkv"])
        .env("CXX", "no-such-compiler -x")
        .output()
        .unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("CXX names `no-such-compiler -x`"), "{err}");
}

#[test]
fn a_download_that_fails_says_what_the_client_said() {
    let place = Place::new();
    place.compilers();
    place.npm("echo 'the cable is cut' >&2; exit 7");
    let err = place.refused(&["engines", "install", "mmkv"], 3);
    assert!(err.contains("[E124]"), "{err}");
    assert!(err.contains("the cable is cut"), "{err}");
    assert!(err.contains("exit code 7"), "{err}");
    let log = fs::read_to_string(place.home().join("logs/mmkv.log")).unwrap();
    assert!(log.contains("react-native-mmkv@3.3.3"), "{log}");
    assert!(log.contains("the cable is cut"), "{log}");
    place.npm(":");
    let err = place.refused(&["engines", "install", "mmkv"], 3);
    assert!(err.contains("[E124]"), "it brought nothing: {err}");
}

#[test]
fn a_package_with_another_hash_is_not_used() {
    let place = Place::new();
    place.compilers();
    place.npm("echo something else > $into/react-native-mmkv-3.3.3.tgz");
    let err = place.refused(&["engines", "install", "mmkv"], 3);
    assert!(err.contains("[E125]"), "{err}");
    let relative = place
        .command(&["engines", "install", "mmkv"])
        .env("PERSIST_LAB_HOME", "home")
        .output()
        .unwrap();
    let relative = String::from_utf8(relative.stderr).unwrap();
    assert!(relative.contains("[E125]"), "a relative home: {relative}");
    assert!(err.contains(MMKV.package_hash), "{err}");
    // One that fails does not keep the others from being tried.
    let err = place.refused(&["engines", "install", "all"], 3);
    assert_eq!(err.matches("[E125]").count(), 2, "{err}");
    assert_eq!(err.matches("[E122]").count(), 1, "{err}");
}

#[test]
fn wrong_names_and_files_are_mistakes_of_the_command_line() {
    let place = Place::new();
    let err = place.refused(&["engines", "install", "relam"], 2);
    assert!(err.contains("did you mean `realm`?"), "{err}");
    let err = place.refused(&["engines", "remove", "objectbax"], 2);
    assert!(err.contains("did you mean `objectbox`?"), "{err}");
    let err = place.refused(&["engines", "install", "sqlite"], 2);
    assert!(
        err.contains("no package") || err.contains("a package"),
        "{err}"
    );
    place.refused(&["engines", "install"], 2);

    let file = place.folder.path().join("package.tgz");
    let file = file.to_str().unwrap();
    place.compilers();
    let err = place.refused(&["engines", "install", "mmkv", "--from", file], 2);
    assert!(err.contains("[E130]") && err.contains(file), "{err}");
    fs::write(file, "another").unwrap();
    let err = place.refused(&["engines", "install", "mmkv", "--from", file], 2);
    assert!(err.contains("npm pack react-native-mmkv@3.3.3"), "{err}");
    let err = place.refused(&["engines", "install", "all", "--from", file], 2);
    assert!(err.contains("one engine"), "{err}");
}

#[test]
fn removing_what_is_not_there_is_no_error() {
    let place = Place::new();
    let said = place.said(&["engines", "remove", "all"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    for pin in PINS {
        assert!(said.err.contains(&format!("{}: nothing", pin.kind)));
    }
    assert!(!place.home().exists());
}

#[test]
fn an_interrupt_clears_away_and_ends_the_client() {
    let place = Place::new();
    place.compilers();
    let pid = place.folder.path().join("pid");
    place.npm(&format!(
        "echo $$ > {0}.new; /bin/mv {0}.new {0}; exec /bin/sleep 600",
        pid.display()
    ));
    let mut child = place
        .command(&["engines", "install", "mmkv"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| pid.exists());
    signal(child.id(), libc::SIGINT);
    let status = child.wait().unwrap();
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(err.contains("cleared away"), "{err}");
    assert!(!place.home().join("engines").exists());
    assert!(!place.home().join("staging").exists());
    let client = fs::read_to_string(pid).unwrap();
    let client = Path::new("/proc").join(client.trim());
    assert!(!client.exists(), "the client has ended with it");
}

const RECIPE: Recipe = Recipe {
    package_bytes: 1_000,
    disk_bytes: 1_000_000,
    licences: &[],
    library: Library::Built(Build {
        root: "package",
        sources: "a.c\nb.c\nc.c\nd.c\n",
        includes: &[],
        own: &[Own {
            path: "own.cpp",
            text: "extern \"C\" int own() { return 1; }\n",
        }],
        flags: &["-fPIC"],
        cxx_flags: &[],
        link_flags: &["-shared"],
        job_bytes: 1,
    }),
};

/// The package of [`RECIPE`], the same bytes each time.
fn package() -> Vec<u8> {
    let coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(coder);
    for name in ["a", "b", "c", "d"] {
        let text = format!("int {name}(void) {{ return 2; }}\n");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        let path = format!("package/{name}.c");
        tar.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn made_up() -> Pin {
    let hash = hash::of(&package()[..], "sha512-").unwrap();
    Pin {
        kind: "made_up",
        package: "made-up",
        package_version: "1.0.0",
        package_hash: Box::leak(hash.into_boxed_str()),
        client: Client::Npm,
        engine_version: "1.0",
        recipe: 1,
        licence: "anything goes",
        architectures: &[std::env::consts::ARCH],
    }
}

fn install(home: &Path, package: &Path) -> Outcome {
    let mut progress = StderrProgress::new();
    let mut installer = Installer {
        home,
        jobs: Some(2),
        progress: &mut progress as &mut dyn Progress,
        interrupted: &|| false,
    };
    installer
        .install(&made_up(), &RECIPE, Some(package))
        .unwrap()
}

/// Names the home and the package to the process that is to be killed.
const VICTIM: &str = "PERSIST_LAB_TEST_VICTIM";

/// This process started by [`a_kill_leaves_nothing_that_is_taken_for_whole`];
/// otherwise there is nothing to do.
#[test]
fn victim() {
    if let Some(folder) = std::env::var_os(VICTIM).map(PathBuf::from) {
        install(&folder.join("home"), &folder.join("package.tgz"));
    }
}

#[test]
fn a_kill_leaves_nothing_that_is_taken_for_whole() {
    let place = Place::new();
    let package_path = place.folder.path().join("package.tgz");
    fs::write(&package_path, package()).unwrap();
    for name in ["cc", "c++"] {
        place.program(
            name,
            &format!("/bin/sleep 0.03\nexec /usr/bin/{name} \"$@\""),
        );
    }
    let (cc, cxx) = (place.programs().join("cc"), place.programs().join("c++"));
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "victim", "--nocapture"])
            .env(VICTIM, place.folder.path())
            .env("CC", &cc)
            .env("CXX", &cxx)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    // How long a whole one takes on this machine, now.
    let begin = Instant::now();
    assert!(start().wait().unwrap().success());
    let whole = begin.elapsed();
    let mut killed = 0;
    for round in 0..12 {
        fs::remove_dir_all(place.home().join("engines")).ok();
        let mut child = start();
        std::thread::sleep(whole * round / 12);
        signal(child.id(), libc::SIGKILL);
        let status = child.wait().unwrap();
        killed += u32::from(status.signal() == Some(libc::SIGKILL));
        // Whole or not there at all.
        match find_in(&place.home(), &made_up()) {
            None => {
                let there = fs::read_dir(place.home().join("engines"));
                assert_eq!(there.map_or(0, Iterator::count), 0, "round {round}");
            }
            Some(installed) => {
                let library = fs::File::open(&installed.library).unwrap();
                let found = hash::sha256_hex(library).unwrap();
                assert_eq!(installed.provenance.library_sha256, found, "round {round}");
            }
        }
    }
    assert!(killed >= 8, "only {killed} were killed before their end");
    // Leftovers of one that was killed at work go with the next.
    fs::remove_dir_all(place.home().join("engines")).ok();
    let mut child = start();
    until(|| place.home().join("staging").exists());
    signal(child.id(), libc::SIGKILL);
    child.wait().unwrap();
    assert!(place.home().join("staging").exists());
    assert_eq!(install(&place.home(), &package_path), Outcome::Installed);
    assert!(find_in(&place.home(), &made_up()).is_some());
    assert!(!place.home().join("staging").exists(), "no leftovers");
}

fn signal(pid: u32, signal: libc::c_int) {
    let pid = libc::pid_t::try_from(pid).unwrap();
    // SAFETY: takes no pointer; the child is not reaped yet.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
}

fn until(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const EXPERIMENT: &str = "experiment \"x\" { seed 1 }\nmodel User { id: int key = row }\n\
    engine memory\nengine realm as rlm\nengine objectbox\nengine mmkv\n\
    trial \"a\" as a { write: create 5 User }\n";

#[test]
fn a_run_installs_what_it_needs_before_anything_else() {
    let place = Place::new();
    fs::write(place.folder.path().join("x.exp"), EXPERIMENT).unwrap();
    let adapters = PINS
        .iter()
        .filter(|pin| matches!(registry::find(pin.kind), Some(Known::Adapter(_))))
        .count();
    let said = place.said(&["run", "x.exp", "--install", "--out", "archive"]);
    assert_eq!(said.err.matches("[E122]").count(), adapters, "{}", said.err);
    assert_eq!(said.code, if adapters > 0 { 3 } else { 0 }, "{}", said.err);
    assert_eq!(
        place.folder.path().join("archive").exists(),
        adapters == 0,
        "nothing is run without what was asked for"
    );
    // Rows that the command line leaves out need nothing.
    let arguments = ["run", "x.exp", "--install", "--engine", "memory"];
    let said = place.said(&arguments);
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn a_required_engine_that_is_missing_stops_the_run() {
    let place = Place::new();
    fs::write(place.folder.path().join("x.exp"), EXPERIMENT).unwrap();
    let run =
        |require: &str| place.said(&["run", "x.exp", "--out", "archive", "--require", require]);
    for (require, rows) in [("rlm", 1), ("realm", 1), ("memory,mmkv,realm,rlm", 2)] {
        let said = run(require);
        assert_eq!(said.code, 3, "{require}: {}", said.err);
        assert_eq!(said.err.matches("[E131]").count(), rows, "{}", said.err);
        assert_eq!(said.out, "");
    }
    let said = run("memory,objectbocks");
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(
        said.err.contains("did you mean `objectbox`?"),
        "{}",
        said.err
    );
    assert!(!place.folder.path().join("archive").exists());

    let said = run("memory");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(place.folder.path().join("archive").exists());
}

#[test]
fn the_list_says_where_engines_come_from_and_lie() {
    let place = Place::new();
    let list = || {
        let said = place.said(&["engines"]);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        said.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let missing = list();
    let home = place.home().join("engines");
    assert!(missing.contains(&format!("lies in {}", home.display())));
    assert!(missing.contains("`persist-lab engines install objectbox` brings it"));
    assert!(missing.contains("would come from pip package objectbox-clib 5.3.2"));
    assert!(!place.home().exists(), "looking makes nothing");

    // Provenance is all that the list reads: the library may be anything.
    let directory = directory(&place.home(), &OBJECTBOX);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(library_name(&OBJECTBOX)), "not a library").unwrap();
    let provenance = Provenance {
        version: PROVENANCE_VERSION,
        kind: OBJECTBOX.kind.into(),
        engine_version: OBJECTBOX.engine_version.into(),
        package: OBJECTBOX.package.into(),
        package_version: OBJECTBOX.package_version.into(),
        package_hash: OBJECTBOX.package_hash.into(),
        recipe: OBJECTBOX.recipe,
        library_sha256: String::new(),
        library_bytes: 13,
        compiler: None,
        flags: Vec::new(),
        architecture: std::env::consts::ARCH.into(),
        licence: OBJECTBOX.licence.into(),
    };
    let text = serde_json::to_string(&provenance).unwrap();
    fs::write(directory.join("provenance.json"), text).unwrap();
    let here = list();
    assert!(here.contains("installed from pip package objectbox-clib 5.3.2"));
    assert!(here.contains("ObjectBox binary licence"), "{here}");
    assert!(!here.contains("engines install objectbox` brings it"));
}
