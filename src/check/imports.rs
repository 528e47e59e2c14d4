//! The experiment and all its modules, parsed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::loader::{self, Loader, Refusal};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, Sources, did_you_mean};
use crate::syntax::{self, ast};

/// Position of a unit in [`Units::list`].
pub type UnitId = usize;

/// One parsed file.
#[derive(Debug)]
pub struct Unit {
    /// Its tree.
    pub file: ast::File,
    /// How its names are qualified: empty for the experiment itself, `people`.
    pub prefix: String,
    /// Modules it uses: `None` where one could not be had.
    pub aliases: BTreeMap<String, Option<UnitId>>,
    /// Lines of its pool files: by span of the path's text.
    pub pools: BTreeMap<Span, Vec<String>>,
    folder: Home,
}

/// Where a unit's own `use "./…"` starts from.
#[derive(Clone, Debug)]
enum Home {
    Folder(PathBuf),
    Stdlib,
}

impl Unit {
    /// A text that stands for itself and uses nothing.
    pub fn alone(file: ast::File) -> Self {
        Unit {
            file,
            prefix: String::new(),
            aliases: BTreeMap::new(),
            pools: BTreeMap::new(),
            folder: Home::Stdlib,
        }
    }
}

/// Everything that was read.
#[derive(Debug, Default)]
pub struct Units {
    /// The experiment first, modules in the order of their use.
    pub list: Vec<Unit>,
    /// Texts for the archive: a name relative to the experiment, and the text.
    pub kept: Vec<(String, String)>,
}

struct Importer<'l> {
    loader: &'l dyn Loader,
    root: PathBuf,
    sources: Sources,
    out: Vec<Diagnostic>,
    units: Units,
    /// Files by key (path or `std.name`); those on the way down come first.
    known: BTreeMap<String, UnitId>,
    trail: Vec<String>,
}

/// Reads and parses `root` and what it uses.
pub fn import(root: &Path, loader: &dyn Loader) -> (Units, Sources, Vec<Diagnostic>) {
    let mut importer = Importer {
        loader,
        root: root.parent().map(Path::to_path_buf).unwrap_or_default(),
        sources: Sources::new(),
        out: Vec::new(),
        units: Units::default(),
        known: BTreeMap::new(),
        trail: Vec::new(),
    };
    let shown = root.display().to_string();
    match read(root, loader) {
        Ok(text) => {
            let name = root
                .file_name()
                .map_or(shown.clone(), |n| n.to_string_lossy().into_owned());
            let folder = Home::Folder(importer.root.clone());
            importer.unit(&file_key(root), shown, name, text, String::new(), folder);
        }
        Err(error) => importer.out.push(error),
    }
    (importer.units, importer.sources, importer.out)
}

/// The text of the file that a command names.
///
/// # Errors
/// Where it cannot be read or is no text.
pub fn read(file: &Path, loader: &dyn Loader) -> Result<String, Diagnostic> {
    loader.read(file).map_err(|error| {
        Diagnostic::general(
            Code::MissingFile,
            format!("cannot read `{}`: {}", file.display(), reason(&error)),
        )
        .help("give the path of an `.exp` file; `persist-lab new NAME` makes one")
    })
}

impl Importer<'_> {
    fn unit(
        &mut self,
        key: &str,
        shown: String,
        kept: String,
        text: String,
        prefix: String,
        folder: Home,
    ) -> UnitId {
        let id = self.sources.add(shown, text.clone());
        let syntax::Parsed { file, diagnostics } = syntax::parse(id, &text);
        self.out.extend(diagnostics);
        self.units.kept.push((kept, text));
        let at = self.units.list.len();
        let uses: Vec<ast::Use> = file
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ast::ItemKind::Use(used) => Some(used.clone()),
                _ => None,
            })
            .collect();
        let pools: Vec<ast::Text> = file
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ast::ItemKind::Pool(ast::Pool {
                    source: ast::PoolSource::File(path),
                    ..
                }) => Some(path.clone()),
                _ => None,
            })
            .collect();
        self.units.list.push(Unit {
            file,
            prefix,
            aliases: BTreeMap::new(),
            pools: BTreeMap::new(),
            folder,
        });
        self.known.insert(key.to_owned(), at);
        self.trail.push(key.to_owned());
        for path in pools {
            self.pool(at, &path);
        }
        for used in uses {
            self.follow_use(at, &used);
        }
        self.trail.pop();
        at
    }

    fn follow_use(&mut self, at: UnitId, used: &ast::Use) {
        let Some(alias) = self.alias(used) else {
            return;
        };
        if self.units.list[at].aliases.contains_key(&alias.name) {
            self.out.push(
                Diagnostic::error(
                    Code::DuplicateName,
                    alias.span,
                    format!("a second module is called `{}`", alias.name),
                )
                .help("call one of them otherwise: `use … as name`"),
            );
            return;
        }
        let found = match &used.source {
            ast::UseSource::Module(path) => self.standard(at, path, &alias.name),
            ast::UseSource::File(text) => self.beside(at, text, &alias.name),
        };
        self.units.list[at].aliases.insert(alias.name, found);
    }

    /// The name that the module's names are qualified by.
    fn alias(&mut self, used: &ast::Use) -> Option<ast::Ident> {
        if let Some(alias) = &used.alias {
            return Some(alias.clone());
        }
        match &used.source {
            ast::UseSource::Module(path) => path.last().cloned(),
            ast::UseSource::File(text) => {
                let stem = Path::new(text.plain()?).file_stem()?.to_str()?;
                let fits = stem.starts_with(|c: char| c.is_ascii_lowercase())
                    && stem
                        .chars()
                        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
                if !fits {
                    self.out.push(
                        Diagnostic::error(
                            Code::BadName,
                            text.span,
                            format!("`{stem}` cannot stand before a module's names"),
                        )
                        .help("name it: `use \"…\" as shared`"),
                    );
                    return None;
                }
                Some(ast::Ident::new(stem, text.span))
            }
        }
    }

    fn standard(&mut self, at: UnitId, path: &ast::Path, alias: &str) -> Option<UnitId> {
        let name = match path.segments.as_slice() {
            [first, module] if first.name == "std" => &module.name,
            _ => {
                self.out.push(
                    Diagnostic::error(
                        Code::UnknownModule,
                        path.span,
                        format!("there is no module `{path}`"),
                    )
                    .help("modules of the standard library are `std.people` and its like; a file is `use \"./shared.exp\"`"),
                );
                return None;
            }
        };
        let Some(text) = loader::stdlib(name) else {
            let all = loader::stdlib_modules();
            let help = did_you_mean(name, all.iter().copied())
                .unwrap_or_else(|| format!("there are {}", all.join(", ")));
            self.out.push(
                Diagnostic::error(
                    Code::UnknownModule,
                    path.span,
                    format!("the standard library has no module `{name}`"),
                )
                .help(help),
            );
            return None;
        };
        let key = format!("std.{name}");
        if let Some(found) = self.already(&key, path.span) {
            return found;
        }
        let prefix = self.prefix(at, alias);
        let kept = format!("std/{name}.exp");
        Some(self.unit(
            &key,
            kept.clone(),
            kept,
            text.to_owned(),
            prefix,
            Home::Stdlib,
        ))
    }

    fn beside(&mut self, at: UnitId, text: &ast::Text, alias: &str) -> Option<UnitId> {
        let (path, shown) = self.locate(at, text)?;
        let key = file_key(&path);
        if let Some(found) = self.already(&key, text.span) {
            return found;
        }
        match self.loader.read(&path) {
            Ok(content) => {
                let prefix = self.prefix(at, alias);
                let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
                let kept = self.relative(&path);
                Some(self.unit(&key, shown, kept, content, prefix, Home::Folder(folder)))
            }
            Err(error) => {
                self.unreadable(text, &error);
                None
            }
        }
    }

    /// A file that was read before; it must not be on the way down to here.
    fn already(&mut self, key: &str, span: Span) -> Option<Option<UnitId>> {
        if let Some(from) = self.trail.iter().position(|step| step == key) {
            let mut circle: Vec<String> = self.trail[from..].iter().map(|k| short(k)).collect();
            circle.push(short(key));
            self.out.push(
                Diagnostic::error(
                    Code::ModuleCycle,
                    span,
                    format!("modules use each other in a circle: {}", circle.join(" → ")),
                )
                .help("move what both need into a third module"),
            );
            return Some(None);
        }
        self.known.get(key).map(|at| Some(*at))
    }

    fn pool(&mut self, at: UnitId, text: &ast::Text) {
        let Some((path, shown)) = self.locate(at, text) else {
            return;
        };
        match self.loader.read(&path) {
            Ok(content) => {
                let lines = content
                    .lines()
                    .map(str::trim_end)
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect();
                let kept = self.relative(&path);
                self.sources.add(shown, content.clone());
                self.units.kept.push((kept, content));
                self.units.list[at].pools.insert(text.span, lines);
            }
            Err(error) => self.unreadable(text, &error),
        }
    }

    /// The file that a text names, and how it is shown.
    fn locate(&mut self, at: UnitId, text: &ast::Text) -> Option<(PathBuf, String)> {
        let Some(written) = text.plain() else {
            self.out.push(Diagnostic::error(
                Code::MisplacedFill,
                text.span,
                "the path of a file cannot have parts filled in",
            ));
            return None;
        };
        let Home::Folder(folder) = self.units.list[at].folder.clone() else {
            self.out.push(Diagnostic::error(
                Code::FileEscape,
                text.span,
                "a module of the standard library uses no files",
            ));
            return None;
        };
        match loader::follow(self.loader, &self.root, &folder, written) {
            Ok(path) => {
                let shown = path.display().to_string();
                Some((path, shown))
            }
            Err(Refusal::Escape(how)) => {
                self.out.push(
                    Diagnostic::error(
                        Code::FileEscape,
                        text.span,
                        format!("`{written}` leaves the experiment's folder: {how}"),
                    )
                    .help("put the file beside the experiment: an archive keeps all that it needs"),
                );
                None
            }
            Err(Refusal::Unreadable(error)) => {
                self.unreadable(text, &error);
                None
            }
        }
    }

    fn unreadable(&mut self, text: &ast::Text, error: &std::io::Error) {
        self.out.push(
            Diagnostic::error(
                Code::MissingFile,
                text.span,
                format!("cannot read `{}`: {}", text.raw, reason(error)),
            )
            .help("paths start from the folder of the file that names them"),
        );
    }

    fn prefix(&self, at: UnitId, alias: &str) -> String {
        let above = &self.units.list[at].prefix;
        let mut prefix = if above.is_empty() {
            alias.to_owned()
        } else {
            format!("{above}.{alias}")
        };
        while self.units.list.iter().any(|unit| unit.prefix == prefix) {
            prefix.push('_');
        }
        prefix
    }

    fn relative(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        inside.to_string_lossy().replace('\\', "/")
    }
}

fn file_key(path: &Path) -> String {
    let plain: PathBuf = path
        .components()
        .filter(|part| *part != std::path::Component::CurDir)
        .collect();
    plain.display().to_string()
}

fn short(key: &str) -> String {
    key.rsplit('/').next().unwrap_or(key).to_owned()
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        std::io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => error.to_string(),
    }
}
