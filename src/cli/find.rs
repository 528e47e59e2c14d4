//! Finds an experiment: on disk, or among those that the binary brings along.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::output;
use crate::check::{Checked, Disk, Loader, Memory, check};
use crate::diagnostics::{Code, did_you_mean};

/// The shipped experiments, inside the binary: an installed one runs them too.
static EXPERIMENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/experiments");
/// Their folder in a checkout.
const FOLDER: &str = "experiments";

/// Checks the experiment or module of that path or name.
pub fn checked(file: &Path) -> Checked {
    match shipped(file).filter(|_| !file.exists()) {
        Some(path) => {
            output::say(&format!(
                "{} is not a file here; taking the experiment of that name that persist-lab brings along",
                file.display()
            ));
            check(&path, &embedded())
        }
        None => {
            let mut checked = check(file, &Disk);
            if !file.exists() {
                let missing = checked
                    .diagnostics
                    .iter_mut()
                    .find(|d| d.code == Code::MissingFile && d.span.is_none());
                if let (Some(missing), Some(help)) = (missing, meant(file)) {
                    missing.help = Some(help);
                }
            }
            checked
        }
    }
}

/// Help for a name that is close to that of a shipped experiment.
fn meant(file: &Path) -> Option<String> {
    let name = file.strip_prefix(FOLDER).unwrap_or(file);
    if name.components().count() != 1 {
        return None;
    }
    let shipped = EXPERIMENTS
        .files()
        .filter_map(|file| file.path().file_stem()?.to_str());
    did_you_mean(name.file_stem()?.to_str()?, shipped)
}

/// The text of a file as [`checked`] would find it.
pub fn text(file: &Path) -> std::io::Result<String> {
    match shipped(file).filter(|_| !file.exists()) {
        Some(path) => embedded().read(&path),
        None => Disk.read(file),
    }
}

/// Path of the shipped experiment that a path or name stands for.
fn shipped(file: &Path) -> Option<PathBuf> {
    let name = file.strip_prefix(FOLDER).unwrap_or(file);
    if name.components().count() != 1 {
        return None;
    }
    let mut name = name.to_owned();
    if name.extension().is_none() {
        name.set_extension("exp");
    }
    EXPERIMENTS
        .get_file(&name)
        .map(|file| Path::new(FOLDER).join(file.path()))
}

fn embedded() -> Memory {
    let files = EXPERIMENTS
        .files()
        .filter_map(|file| Some((file.path(), file.contents_utf8()?)));
    files.fold(Memory::new(), |memory, (path, text)| {
        memory.with(Path::new(FOLDER).join(path), text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_experiments_go_by_path_and_name() {
        let expected = Some(PathBuf::from("experiments/tuning.exp"));
        assert_eq!(shipped(Path::new("tuning")), expected);
        assert_eq!(shipped(Path::new("tuning.exp")), expected);
        assert_eq!(shipped(Path::new("experiments/tuning.exp")), expected);
        assert_eq!(shipped(Path::new("experiments/tuning")), expected);
        assert_eq!(shipped(Path::new("other/tuning.exp")), None);
        assert_eq!(shipped(Path::new("nothing")), None);
    }

    #[test]
    fn a_slip_in_the_name_of_a_shipped_one_is_told() {
        for name in ["tunin", "tunning.exp", "experiments/tuningg.exp"] {
            let checked = checked(Path::new(name));
            let help = checked.diagnostics[0].help.as_deref();
            assert_eq!(help, Some("did you mean `tuning`?"), "{name}");
        }
        assert_eq!(meant(Path::new("other/tunin.exp")), None);
        assert_eq!(meant(Path::new("chat.exp")), None);
    }
}
