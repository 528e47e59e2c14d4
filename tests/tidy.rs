//! Holds the code to its own architecture: who may import whom (the table of
//! rooms in ARCHITECTURE.md), and how long a file may be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// Longest file, tests not counted.
const MOST_LINES: usize = 500;
/// Largest median over all files, tests not counted.
const MOST_MEDIAN_LINES: usize = 150;
/// Files that may be longer, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];

struct File {
    path: PathBuf,
    room: String,
    /// Module path below the crate: `["engines", "sqlite", "schema"]`.
    module: Vec<String>,
    lines: usize,
    syntax: syn::File,
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut ahead = vec![root.clone()];
    while let Some(directory) = ahead.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(read(&root, path));
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        files.len() > 50,
        "the walk found only {} files",
        files.len()
    );
    files
}

fn read(root: &Path, path: PathBuf) -> File {
    let text = fs::read_to_string(&path).unwrap();
    let mut syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let below = path.strip_prefix(root).unwrap().with_extension("");
    let mut module: Vec<String> = below
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let room = module[0].clone();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let mut lines = text.lines().count();
    if path.file_stem().is_some_and(|stem| stem == "tests") {
        lines = 0;
        syntax.items.clear();
    }
    syntax.items.retain(|item| {
        let tests = is_tests(item);
        if tests {
            use syn::spanned::Spanned;
            let span = item.span();
            lines -= span.end().line - span.start().line + 1;
        }
        !tests
    });
    File {
        path: below,
        room,
        module,
        lines,
        syntax,
    }
}

fn is_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|ident| ident == "test")
    })
}

/// Paths of a file, each as segments from the crate's root.
struct Paths<'f> {
    module: &'f [String],
    found: BTreeSet<Vec<String>>,
    /// Those of `pub use`, by the name they give.
    given: Vec<(String, Vec<String>)>,
}

impl Paths<'_> {
    fn note(&mut self, segments: &[String]) {
        if let Some(absolute) = self.absolute(segments) {
            self.found.insert(absolute);
        }
    }

    fn absolute(&self, segments: &[String]) -> Option<Vec<String>> {
        let first = segments.first()?;
        let (mut base, mut rest) = match first.as_str() {
            "crate" | "persist_lab" => (Vec::new(), &segments[1..]),
            "self" => (self.module.to_vec(), &segments[1..]),
            "super" => {
                let mut module = self.module.to_vec();
                module.pop();
                (module, &segments[1..])
            }
            _ => return None,
        };
        while rest.first().is_some_and(|segment| segment == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>, public: bool) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before, public);
                before.pop();
            }
            syn::UseTree::Name(name) => self.leaf(before, &name.ident, &name.ident, public),
            syn::UseTree::Rename(name) => self.leaf(before, &name.ident, &name.rename, public),
            syn::UseTree::Glob(_) => {
                let segments = before.clone();
                self.note(&segments);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(tree, before, public);
                }
            }
        }
    }

    fn leaf(&mut self, before: &[String], name: &syn::Ident, given: &syn::Ident, public: bool) {
        let mut segments = before.to_vec();
        if name != "self" {
            segments.push(name.to_string());
        }
        self.note(&segments);
        if public && let Some(absolute) = self.absolute(&segments) {
            self.given.push((given.to_string(), absolute));
        }
    }
}

impl<'a> Visit<'a> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let public = !matches!(item.vis, syn::Visibility::Inherited);
        self.tree(&item.tree, &mut Vec::new(), public);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.note(&segments);
        syn::visit::visit_path(self, path);
    }
}

/// A path from the crate's root, segment by segment.
type Absolute = Vec<String>;

/// All paths of a file, and those that it gives on under a name.
fn paths(file: &File) -> (BTreeSet<Absolute>, Vec<(String, Absolute)>) {
    let mut paths = Paths {
        module: &file.module,
        found: BTreeSet::new(),
        given: Vec::new(),
    };
    paths.visit_file(&file.syntax);
    (paths.found, paths.given)
}

/// The table of rooms: what each may import besides itself and `base`.
fn table() -> BTreeMap<String, Vec<String>> {
    let text = include_str!("../ARCHITECTURE.md");
    let rooms = text.split("## Rooms").nth(1).unwrap();
    let rooms = rooms.split("## Invariants").next().unwrap();
    let rows = rooms.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').collect();
        let room = cells[0].trim().strip_prefix('`')?.strip_suffix('`')?;
        let imports = cells[2].split(',').map(|name| name.trim().to_owned());
        Some((
            room.to_owned(),
            imports.filter(|name| !name.is_empty()).collect(),
        ))
    });
    rows.collect()
}

#[test]
fn rooms_import_only_along_the_way() {
    let files = files();
    let table = table();
    assert!(table.len() > 15, "the table was not read: {table:?}");
    let rooms: BTreeSet<&str> = table.keys().map(String::as_str).collect();
    // A name that one room passes on from another counts as the other's.
    let mut passed_on: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for file in &files {
        for (name, origin) in paths(file).1 {
            if let Some(from) = origin.first()
                && *from != file.room
                && rooms.contains(from.as_str())
            {
                let mut given = file.module.clone();
                given.push(name);
                passed_on.insert(given, from.clone());
            }
        }
    }
    let mut wrong = Vec::new();
    for file in &files {
        if file.room == "lib" {
            continue;
        }
        let Some(allowed) = table.get(&file.room) else {
            wrong.push(format!(
                "{}: no such room in the table",
                file.path.display()
            ));
            continue;
        };
        for path in paths(file).0 {
            let Some(first) = path.first() else { continue };
            let origin = (1..=path.len())
                .find_map(|end| passed_on.get(&path[..end]))
                .unwrap_or(first);
            let fine = *origin == file.room
                || origin == "base"
                || !rooms.contains(origin.as_str())
                || allowed.contains(origin);
            if !fine {
                wrong.push(format!(
                    "{}: `{}` may not import `{origin}` ({})",
                    file.path.display(),
                    file.room,
                    path.join("::")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn files_stay_short() {
    let files = files();
    let mut wrong = Vec::new();
    for file in &files {
        let name = file.path.display().to_string();
        let excused = LONG_FILES.iter().any(|(path, _)| *path == name);
        if (file.lines > MOST_LINES) != excused {
            wrong.push(format!("{name}: {} lines, excused: {excused}", file.lines));
        }
    }
    let mut lengths: Vec<usize> = files
        .iter()
        .map(|file| file.lines)
        .filter(|n| *n > 0)
        .collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        median < MOST_MEDIAN_LINES,
        "the median file has {median} lines"
    );
}

#[test]
fn only_the_registry_asks_for_features() {
    let mut wrong = Vec::new();
    for file in files() {
        let text = fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("src")
                .join(file.path.with_extension("rs")),
        )
        .unwrap_or_default();
        if text.contains("cfg(feature") && file.module != ["engines", "registry"] {
            wrong.push(file.path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
