//! The command line as a user meets it: help, exit codes, what goes where.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;
use assert_cmd::prelude::OutputAssertExt;

/// The program, run in a directory of its own.
fn lab(directory: &Path) -> Command {
    let mut command = Command::cargo_bin("persist-lab").unwrap();
    command
        .current_dir(directory)
        .env_remove("PERSIST_LAB_WORK")
        // Nothing is installed there.
        .env("PERSIST_LAB_HOME", directory.join("home"))
        .env("NO_COLOR", "1");
    command
}

struct Said {
    code: i32,
    out: String,
    err: String,
}

fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn help_goes_to_standard_output_and_documents_the_exit_codes() {
    let folder = folder();
    for arguments in [vec!["--help"], vec!["run", "--help"]] {
        let said = said(lab(folder.path()).args(&arguments));
        assert_eq!(said.code, 0, "{arguments:?}");
        assert!(said.out.contains("Exit codes:"), "{}", said.out);
        assert!(said.out.contains("130"), "{}", said.out);
        assert_eq!(said.err, "");
    }
    let help = said(lab(folder.path()).arg("--help"));
    for command in ["run", "check", "plan", "report", "fmt", "engines", "new"] {
        assert!(help.out.contains(&format!("\n  {command}")), "{command}");
    }
    assert!(
        !help.out.contains("worker  "),
        "the worker is no command of users"
    );
}

#[test]
fn a_wrong_command_line_is_2_and_says_so_on_standard_error() {
    let folder = folder();
    for arguments in [
        vec![],
        vec!["rnu", "tuning"],
        vec!["run"],
        vec!["run", "tuning", "--runs", "0"],
        vec!["run", "tuning", "--budget", "soon"],
        vec!["run", "tuning", "--format", "pdf"],
        vec!["check", "--format", "xml", "tuning"],
    ] {
        let said = said(lab(folder.path()).args(&arguments));
        assert_eq!(said.code, 2, "{arguments:?}: {}", said.err);
        assert_eq!(said.out, "", "{arguments:?}");
        assert!(!said.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_starter_is_written_once_and_checks() {
    let folder = folder();
    let first = said(lab(folder.path()).args(["new", "notes"]));
    assert_eq!((first.code, first.out.as_str()), (0, ""), "{}", first.err);
    let path = folder.path().join("notes.exp");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("experiment \"notes\""), "{text}");
    let again = said(lab(folder.path()).args(["new", "notes"]));
    assert_eq!(again.code, 3);
    assert!(again.err.contains("there already"), "{}", again.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let checked = said(lab(folder.path()).args(["check", "notes.exp"]));
    assert_eq!(checked.code, 0, "{}", checked.err);
    let formatted = said(lab(folder.path()).args(["fmt", "--check", "notes.exp"]));
    assert_eq!(
        formatted.code, 0,
        "the starter is formatted: {}",
        formatted.out
    );
}

#[test]
fn every_mistake_is_said_at_once_and_nothing_is_made() {
    let folder = folder();
    std::fs::write(
        folder.path().join("wrong.exp"),
        "experiment \"x\" { seed 1 }\nmodel User { id: int key = row }\nengine memory\n\
         trial \"a\" as a { write: create 5 Usr\n  b: raed User\n}\n",
    )
    .unwrap();
    let text = said(lab(folder.path()).args(["run", "wrong.exp"]));
    assert_eq!((text.code, text.out.as_str()), (2, ""), "{}", text.err);
    assert!(
        text.err.contains("Usr") && text.err.contains("raed"),
        "{}",
        text.err
    );
    assert!(text.err.contains("wrong.exp:4:"), "{}", text.err);
    assert!(!folder.path().join("results").exists());

    let json = said(lab(folder.path()).args(["check", "wrong.exp", "--format", "json"]));
    assert_eq!(json.code, 2);
    assert_eq!(json.err, "");
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["format"], "persist-lab diagnostics");
    assert_eq!(value["good"], false);
    let findings = value["diagnostics"].as_array().unwrap();
    assert!(findings.len() >= 2, "{findings:?}");
    for finding in findings {
        assert!(finding["code"].as_str().unwrap().starts_with('E'));
        assert_eq!(finding["file"], "wrong.exp");
        assert!(finding["line"].as_u64().unwrap() >= 4);
    }
}

#[test]
fn a_missing_file_and_a_missing_archive() {
    let folder = folder();
    let file = said(lab(folder.path()).args(["run", "nothing.exp"]));
    assert_eq!((file.code, file.out.as_str()), (2, ""));
    assert!(file.err.contains("nothing.exp"), "{}", file.err);
    let archive = said(lab(folder.path()).args(["report", "nothing"]));
    assert_eq!((archive.code, archive.out.as_str()), (3, ""));
    assert!(archive.err.contains("nothing"), "{}", archive.err);
}

#[test]
fn shipped_experiments_are_found_anywhere_and_that_is_said() {
    let folder = folder();
    for name in [
        "tuning",
        "experiments/tuning.exp",
        "hooks",
        "shop",
        "realm_vs_swiftdata",
        "realm_objectbox_sqlite",
        "mobile_storage_showdown",
    ] {
        let said = said(lab(folder.path()).args(["check", name]));
        assert_eq!(said.code, 0, "{name}: {}", said.err);
        assert_eq!(said.out, "");
        assert!(said.err.contains("brings along"), "{}", said.err);
    }
    // A file of that name on the disk comes first.
    std::fs::write(folder.path().join("tuning"), "nonsense").unwrap();
    let own = said(lab(folder.path()).args(["check", "tuning"]));
    assert_eq!(own.code, 2, "{}", own.err);
}

#[test]
fn every_station_is_json() {
    let folder = folder();
    for station in ["ast", "model", "plan"] {
        let said = said(lab(folder.path()).args(["check", "tuning", "--emit", station]));
        assert_eq!(said.code, 0, "{station}: {}", said.err);
        let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert!(value.is_object(), "{station}");
    }
}

#[test]
fn files_are_formatted_in_place_or_only_named() {
    let folder = folder();
    let path = folder.path().join("a.exp");
    let messy = "experiment   \"x\"   {  seed 1 }\n// kept\nengine    memory\n";
    std::fs::write(&path, messy).unwrap();
    let check = said(lab(folder.path()).args(["fmt", "--check", "a.exp"]));
    assert_eq!((check.code, check.out.as_str()), (1, "a.exp\n"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), messy);
    let format = said(lab(folder.path()).args(["fmt", "a.exp"]));
    assert_eq!(
        (format.code, format.out.as_str()),
        (0, ""),
        "{}",
        format.err
    );
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("// kept") && !text.contains("   \"x\""),
        "{text}"
    );
    assert_eq!(
        said(lab(folder.path()).args(["fmt", "--check", "a.exp"])).code,
        0
    );
    // What cannot be read is left as it is.
    std::fs::write(&path, "engine {{{\n").unwrap();
    assert_eq!(said(lab(folder.path()).args(["fmt", "a.exp"])).code, 2);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "engine {{{\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_plan_tells_cells_native_forms_and_estimates() {
    let folder = folder();
    let said = said(lab(folder.path()).args(["plan", "realm_vs_swiftdata", "--quick"]));
    assert_eq!(said.code, 0, "{}", said.err);
    for words in [
        "cells: about",
        "SELECT",
        "UPDATE",
        "realm_set_values",
        "not installed",
        "the largest store about",
        "n: 100",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    for line in said.out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(!folder.path().join("results").exists());
}

#[test]
fn changes_that_name_nothing_are_wrong() {
    let folder = folder();
    for change in [
        ["--set", "m=1"],
        ["--set", "n"],
        ["--engine", "sqlit"],
        ["--trial", "note"],
    ] {
        let said = said(lab(folder.path()).arg("plan").arg("tuning").args(change));
        assert_eq!(
            (said.code, said.out.as_str()),
            (2, ""),
            "{change:?}: {}",
            said.err
        );
        assert!(said.err.contains("error"), "{}", said.err);
    }
}

#[test]
fn engines_are_listed_with_options_and_how_to_get_the_missing() {
    let folder = folder();
    lab(folder.path()).arg("engines").assert().success();
    let said = said(lab(folder.path()).arg("engines"));
    for words in [
        "sqlite 3.",
        "journal_mode",
        "memory",
        "at its defaults T",
        "realm 12.12.0 (native)",
        "swiftdata over SQLite 3.",
        "not here yet",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert_eq!(said.err, "");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::io::Read;
    let folder = folder();
    let mut child = lab(folder.path())
        .args(["check", "realm_vs_swiftdata", "--emit", "plan"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let mut err = String::new();
    let mut stderr = child.stderr.take().unwrap();
    let status = child.wait().unwrap();
    stderr.read_to_string(&mut err).unwrap();
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(!err.contains("rror"), "{err}");
    assert!(!err.contains("panic"), "{err}");
}

#[test]
fn a_module_that_is_not_there_is_proposed_nowhere() {
    let folder = folder();
    let text = "use std.word\n\nexperiment \"e\" { }\n\nmodel A { noun: text = words.noun }\n\nengine sqlite\n\ntrial \"T\" as t { create 10 A }\n";
    std::fs::write(folder.path().join("a.exp"), text).unwrap();
    let said = said(lab(folder.path()).args(["check", "a.exp"]));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("did you mean `words`?"), "{}", said.err);
    assert!(said.err.contains("add `use std.words`"), "{}", said.err);
    assert!(!said.err.contains("did you mean `word`?"), "{}", said.err);
}

#[test]
fn a_full_output_is_an_environment_that_refuses() {
    let folder = folder();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let said = lab(folder.path())
        .arg("engines")
        .stdout(full.unwrap())
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(3));
    let err = String::from_utf8(said.stderr).unwrap();
    assert!(err.contains("cannot write to standard output"), "{err}");
}

#[test]
fn all_that_is_wrong_with_the_changes_is_said_at_once() {
    let folder = folder();
    let plan = |arguments: &[&str]| {
        let mut command = lab(folder.path());
        command.args(["plan", "tuning"]).args(arguments);
        said(&mut command)
    };
    let wrong = plan(&["--set", "m=1", "--engine", "sqlit", "--trial", "x"]);
    assert_eq!(wrong.code, 2);
    for words in ["`--set m=1`", "`--engine sqlit`", "`--trial x`"] {
        assert!(wrong.err.contains(words), "{words}: {}", wrong.err);
    }
    assert!(!wrong.err.contains("|\n"), "no margin: {}", wrong.err);
    let twice = plan(&["--set", "n=10", "--set", "n=20"]);
    assert_eq!(twice.code, 2);
    assert!(twice.err.contains("`n` is set twice"), "{}", twice.err);
    let negative = plan(&["--runs", "-1"]);
    assert!(!negative.err.contains("tip"), "{}", negative.err);
    let long = plan(&["--budget", "99999999999d"]);
    assert!(long.err.contains("longer than"), "{}", long.err);
}

#[test]
fn a_check_ends_with_a_total() {
    let folder = folder();
    let file = "experiment \"x\" { }\nengine sqlite\nmodle B { }\nenigne y\n";
    std::fs::write(folder.path().join("wrong.exp"), file).unwrap();
    let said = said(lab(folder.path()).args(["check", "wrong.exp"]));
    assert!(said.err.ends_with("2 errors in 1 file\n"), "{}", said.err);
}

#[test]
fn what_cannot_be_read_is_wrong_for_every_command() {
    let folder = folder();
    std::fs::write(folder.path().join("latin.exp"), b"experiment \"\xe9\" {}").unwrap();
    for command in ["check", "fmt", "plan"] {
        for file in ["none.exp", "latin.exp", "/dev/null"] {
            let said = said(lab(folder.path()).args([command, file]));
            assert_eq!(said.code, 2, "{command} {file}");
            assert!(said.err.contains("E020"), "{command} {file}: {}", said.err);
        }
    }
}

#[test]
fn starters_of_odd_names_check_and_are_named_as_a_shell_takes_them() {
    let folder = folder();
    for name in ["my chat", "a\nb", "it's {n} \"x\"", "é"] {
        let made = said(lab(folder.path()).args(["new", name]));
        assert_eq!(made.code, 0, "{name}: {}", made.err);
        let file = format!("{name}.exp");
        let checked = said(lab(folder.path()).arg("check").arg(&file));
        assert_eq!(checked.code, 0, "{name}: {}", checked.err);
        if name == "my chat" {
            assert!(
                made.err.contains("run 'my chat.exp' --quick"),
                "{}",
                made.err
            );
        }
    }
}
