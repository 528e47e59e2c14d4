//! Reads: the record's own columns by one statement, its lists by one more
//! for each link or list, executed per record.

use super::error::unsupported;
use super::filter;
use super::frame::{self, AS_ROOT, Context, Frame, ROOT, column};
use super::layout::{LinkTable, Storage};
use super::list;
use super::program::{ListColumn, ListRead, Output, Program, Read, Relation};
use super::typed::{Type, Typed};
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, FieldKind};
use crate::plan::{Column, Path, Query};

struct Builder<'c, 'a> {
    c: &'c Context<'a>,
    frame: Frame,
    columns: Vec<String>,
    outputs: Vec<Output>,
    lists: Vec<List<'a>>,
}

/// A list statement being put together.
struct List<'a> {
    hops: Vec<FieldId>,
    c: Context<'a>,
    source: Source,
    key: usize,
    marker: Option<usize>,
    columns: Vec<String>,
    kinds: Vec<ListColumn>,
}

enum Source {
    Elements {
        table: String,
        ty: Type,
    },
    Children {
        frame: Frame,
        column: String,
    },
    Links {
        frame: Frame,
        table: LinkTable,
        link: String,
    },
}

/// A read as a program.
pub fn read(c: &Context<'_>, query: &Query) -> Result<Program, EngineError> {
    let mut builder = Builder {
        c,
        frame: Frame::new(query.model, ROOT),
        columns: Vec::new(),
        outputs: Vec::new(),
        lists: Vec::new(),
    };
    for column in &query.columns {
        match column {
            Column::Identity => {
                let id = frame::id(c, ROOT, query.model, false);
                builder.scalar(id);
            }
            Column::Path(path) => builder.path(path)?,
        }
    }
    let Builder {
        mut frame,
        mut columns,
        outputs,
        lists,
        ..
    } = builder;
    let clause = filter::clause(c, &mut frame, &query.select)?;
    let order = filter::order_and_limit(c, &mut frame, &query.order, query.limit, query.offset)?;
    if columns.is_empty() {
        columns.push("1".into());
    }
    let sql = format!(
        "SELECT {} FROM {}{clause}{order}",
        columns.join(", "),
        frame.from(c)
    );
    Ok(Program::Read(Read {
        sql: c.finish(&sql),
        outputs,
        lists: lists.into_iter().map(List::finish).collect(),
    }))
}

impl<'a> Builder<'_, 'a> {
    fn scalar(&mut self, value: Typed) {
        let column = self.column(value.sql);
        self.outputs.push(Output::Scalar {
            column,
            ty: value.ty,
        });
    }

    fn column(&mut self, sql: String) -> usize {
        if let Some(at) = self.columns.iter().position(|c| *c == sql) {
            return at;
        }
        self.columns.push(sql);
        self.columns.len() - 1
    }

    fn path(&mut self, path: &Path) -> Result<(), EngineError> {
        let c = self.c;
        let mut model = self.frame.model;
        let mut many = None;
        for (at, &hop) in path.hops.iter().enumerate() {
            let field = c.schema.models[model].fields.get(hop);
            let kind = field.map(|f| &f.kind);
            if matches!(kind, Some(FieldKind::List(_) | FieldKind::ToMany { .. })) {
                many = Some(at);
                break;
            }
            match kind.and_then(FieldKind::target) {
                Some(target) => model = target,
                None => break,
            }
        }
        let Some(many) = many else {
            let value = self.frame.delivered(c, path)?;
            self.scalar(value);
            return Ok(());
        };
        let list = self.list(&path.hops[..=many])?;
        let column = self.lists[list].column(path, many + 1)?;
        self.outputs.push(Output::List { list, column });
        Ok(())
    }

    /// The statement for the list behind `hops`, made if it is the first to ask.
    fn list(&mut self, hops: &[FieldId]) -> Result<usize, EngineError> {
        if let Some(at) = self.lists.iter().position(|l| l.hops == hops) {
            return Ok(at);
        }
        let c = self.c;
        let (&last, before) = hops
            .split_last()
            .ok_or_else(|| unsupported("an empty path"))?;
        let place = self.frame.walk(c, before)?;
        let key = frame::id(c, &place.alias, place.model, place.nullable);
        let key = self.column(key.sql);
        let own = Context::new(c.schema, c.layout, c.hooks);
        let mut marker = None;
        let source = match &c.layout.tables[place.model].fields[last] {
            Storage::List {
                table,
                marker: m,
                scalar,
            } => {
                marker = m.as_ref().map(|m| self.column(column(&place.alias, m)));
                Source::Elements {
                    table: table.clone(),
                    ty: Type::of(scalar),
                }
            }
            Storage::Children { target, column } => Source::Children {
                frame: Frame::new(*target, ROOT),
                column: column.clone(),
            },
            Storage::Links { table, target } => Source::Links {
                link: own.alias(),
                frame: Frame::new(*target, ROOT),
                table: table.clone(),
            },
            _ => return Err(unsupported("a path to many goes over a single link")),
        };
        self.lists.push(List {
            hops: hops.to_vec(),
            c: own,
            source,
            key,
            marker,
            columns: Vec::new(),
            kinds: Vec::new(),
        });
        Ok(self.lists.len() - 1)
    }
}

impl List<'_> {
    /// Adds the rest of a path, from hop `from` on.
    fn column(&mut self, path: &Path, from: usize) -> Result<usize, EngineError> {
        let mut nested = false;
        let value = match &mut self.source {
            Source::Elements { ty, .. } => Typed::atom("\"value\"", *ty, false),
            Source::Children { frame, .. } | Source::Links { frame, .. } => {
                let rest = Path {
                    hops: path.hops[from..].to_vec(),
                    json: path.json.clone(),
                    text: path.text.clone(),
                };
                match inner_list(&self.c, frame, &rest)? {
                    Some(value) => {
                        nested = true;
                        value
                    }
                    None => frame.delivered(&self.c, &rest)?,
                }
            }
        };
        let kind = ListColumn {
            ty: value.ty,
            nested,
        };
        let mut there = self.columns.iter().zip(&self.kinds);
        if let Some(at) = there.position(|(sql, k)| *sql == value.sql && *k == kind) {
            return Ok(at);
        }
        self.columns.push(value.sql);
        self.kinds.push(kind);
        Ok(self.columns.len() - 1)
    }

    fn finish(self) -> ListRead {
        let c = &self.c;
        let (from, owner, position) = match &self.source {
            Source::Elements { table, .. } => {
                let position = Some("\"position\"".to_owned());
                (table.clone(), "\"owner\"".to_owned(), position)
            }
            Source::Children {
                frame,
                column: owner,
            } => (frame.from(c), column(ROOT, owner), None),
            Source::Links { frame, table, link } => {
                let target = &c.layout.tables[frame.model];
                let from = format!(
                    "{table} AS {link} JOIN {}{AS_ROOT} ON {} = {link}.{}{}",
                    target.name,
                    column(ROOT, &target.id),
                    table.target,
                    frame.joins()
                );
                (from, format!("{link}.{}", table.owner), None)
            }
        };
        let relation = Relation {
            select: self.columns.iter().map(|sql| c.finish(sql)).collect(),
            from: c.finish(&from),
            owner: c.finish(&owner),
            position,
        };
        let order = match &relation.position {
            Some(position) => format!(" ORDER BY {position}"),
            None => String::new(),
        };
        ListRead {
            sql: format!(
                "SELECT {} FROM {} WHERE {} = ?1{order}",
                relation.select.join(", "),
                relation.from,
                relation.owner
            ),
            key: self.key,
            marker: self.marker,
            columns: self.kinds,
            relation,
        }
    }
}

/// The scalar list at the end of a path over to-one links, as one value with
/// the type of its elements; `None` where the path ends at something else.
fn inner_list(
    c: &Context<'_>,
    frame: &mut Frame,
    path: &Path,
) -> Result<Option<Typed>, EngineError> {
    let Some(FieldKind::List(scalar)) = path.kind(c.schema, frame.model) else {
        return Ok(None);
    };
    let Some((&last, before)) = path.hops.split_last() else {
        return Ok(None);
    };
    let ty = Type::of(scalar);
    let place = frame.walk(c, before)?;
    let Storage::List { table, marker, .. } = &c.layout.tables[place.model].fields[last] else {
        return Ok(None);
    };
    let mut sql = list::value(c, &place.alias, place.model, table, marker.as_deref(), ty);
    if place.nullable {
        let id = frame::id(c, &place.alias, place.model, true).sql;
        sql = format!("CASE WHEN {id} IS NOT NULL THEN {sql} END");
    }
    Ok(Some(Typed::atom(sql, ty, true)))
}
