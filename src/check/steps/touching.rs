//! `touching (a, b)`, `touching keys`, `touching nothing`.

use super::super::checker::Checker;
use super::super::model::Touch;
use super::super::types::Type;
use crate::diagnostics::Code;
use crate::plan::Path;
use crate::plan::schema::{FieldKind, ModelId};
use crate::syntax::ast::{self, TouchingKind};

impl<'a> Checker<'a> {
    pub fn touching(&mut self, touching: Option<&'a ast::Touching>, model: ModelId) -> Touch {
        let Some(touching) = touching else {
            return Touch::All;
        };
        let paths = match &touching.kind {
            TouchingKind::Keys => return Touch::Keys,
            TouchingKind::Nothing => return Touch::Nothing,
            TouchingKind::Fields(paths) => paths,
        };
        let mut touched: Vec<Path> = Vec::new();
        for path in paths {
            let Some(walk) = self.walk(path, model, true) else {
                continue;
            };
            let more = match walk.ty {
                Type::ToMany(_) if walk.through_many => {
                    self.error_help(
                        Code::BadPath,
                        path.span,
                        "one link to many may stand in a path",
                        "touch the inner ones in a step of their own",
                    );
                    continue;
                }
                Type::ToMany(target) => self.scalars_of(&walk.path, target),
                Type::Unknown => continue,
                _ => vec![walk.path],
            };
            for one in more {
                if touched
                    .iter()
                    .any(|t| t.hops == one.hops && t.json == one.json)
                {
                    self.error(
                        Code::BadClause,
                        path.span,
                        format!("`{}` is touched twice", one.text),
                    );
                } else {
                    touched.push(one);
                }
            }
        }
        Touch::Paths(touched)
    }

    /// Paths to every single value and list of the records behind a link to many.
    fn scalars_of(&self, link: &Path, target: ModelId) -> Vec<Path> {
        let fields = &self.exp.schema.models[target].fields;
        fields
            .iter()
            .enumerate()
            .filter(|(_, f)| matches!(f.kind, FieldKind::Scalar(_)))
            .map(|(id, field)| {
                let mut hops = link.hops.clone();
                hops.push(id);
                Path {
                    hops,
                    json: Vec::new(),
                    text: format!("{}.{}", link.text, field.name),
                }
            })
            .collect()
    }
}
