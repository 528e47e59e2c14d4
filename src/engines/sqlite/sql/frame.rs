//! Where names are looked up: the record a query ranges over, and the to-one
//! links that its paths follow, each joined once.
//!
//! A to-one join finds at most one row, so it never changes how often a record
//! comes. Where every link on the way is required it is an inner join, else a
//! left one.

use std::cell::{Cell, RefCell};

use super::error::unsupported;
use super::hook::HookFunction;
use super::layout::{Layout, Storage};
use super::names::text;
use super::typed::{Level, Type, Typed};
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Hook, Path};

/// Stands for the outermost table's alias until it is known whether one is needed.
pub const ROOT: &str = "\u{1}";
/// Stands for ` AS` and that alias.
pub const AS_ROOT: &str = "\u{2}";

/// What is shared by all parts of one statement.
pub struct Context<'a> {
    /// Models.
    pub schema: &'a Schema,
    /// Their tables.
    pub layout: &'a Layout,
    /// Hooks, by position.
    pub hooks: &'a [Hook],
    /// Hooks that were called: to be registered before the statement is prepared.
    pub calls: RefCell<Vec<HookFunction>>,
    aliases: Cell<usize>,
}

impl<'a> Context<'a> {
    /// For one statement.
    pub fn new(schema: &'a Schema, layout: &'a Layout, hooks: &'a [Hook]) -> Self {
        Context {
            schema,
            layout,
            hooks,
            calls: RefCell::default(),
            aliases: Cell::new(0),
        }
    }

    /// A new alias: `t1`, `t2`, ….
    pub fn alias(&self) -> String {
        self.aliases.set(self.aliases.get() + 1);
        format!("t{}", self.aliases.get())
    }

    /// Whether anything but the outermost table was named.
    pub fn aliased(&self) -> bool {
        self.aliases.get() > 0
    }

    /// The finished text: the outermost table is called `t0` if anything else
    /// has an alias, and columns stand alone otherwise.
    pub fn finish(&self, sql: &str) -> String {
        if !self.aliased() {
            sql.replace(ROOT, "").replace(AS_ROOT, "")
        } else {
            sql.replace(ROOT, "t0.").replace(AS_ROOT, " AS t0")
        }
    }
}

/// A column of an alias.
pub fn column(alias: &str, name: &str) -> String {
    if alias == ROOT {
        format!("{ROOT}{name}")
    } else {
        format!("{alias}.{name}")
    }
}

/// A record in scope.
pub struct Frame {
    /// Its model.
    pub model: ModelId,
    /// Its alias.
    pub alias: String,
    joins: Vec<Join>,
    /// Elements in scope, innermost last: their SQL and type.
    pub elements: Vec<(String, Type)>,
}

struct Join {
    parent: String,
    field: FieldId,
    alias: String,
    nullable: bool,
    sql: String,
}

/// The record at the end of a way of to-one links.
pub struct Place {
    /// Its alias.
    pub alias: String,
    /// Its model.
    pub model: ModelId,
    /// Whether there may be none.
    pub nullable: bool,
}

impl Frame {
    /// A scope over a model under an alias.
    pub fn new(model: ModelId, alias: impl Into<String>) -> Frame {
        Frame {
            model,
            alias: alias.into(),
            joins: Vec::new(),
            elements: Vec::new(),
        }
    }

    /// Whether any link was followed.
    pub fn joined(&self) -> bool {
        !self.joins.is_empty()
    }

    /// The table with its joins, for FROM.
    pub fn from(&self, context: &Context<'_>) -> String {
        let table = &context.layout.tables[self.model].name;
        let mut sql = if self.alias == ROOT {
            format!("{table}{AS_ROOT}")
        } else {
            format!("{table} AS {}", self.alias)
        };
        sql.push_str(&self.joins());
        sql
    }

    /// The joins alone.
    pub fn joins(&self) -> String {
        self.joins.iter().map(|j| j.sql.as_str()).collect()
    }

    /// Follows to-one links, joining what is not joined yet.
    pub fn walk(&mut self, context: &Context<'_>, hops: &[FieldId]) -> Result<Place, EngineError> {
        let mut place = Place {
            alias: self.alias.clone(),
            model: self.model,
            nullable: false,
        };
        for &hop in hops {
            place = self.follow(context, &place, hop)?;
        }
        Ok(place)
    }

    fn follow(
        &mut self,
        context: &Context<'_>,
        from: &Place,
        hop: FieldId,
    ) -> Result<Place, EngineError> {
        let storage = context.layout.tables[from.model]
            .fields
            .get(hop)
            .ok_or_else(|| unsupported("a path leaves the schema"))?;
        let optional = context.schema.models[from.model].fields[hop].optional;
        let (target, nullable) = match storage {
            Storage::Reference { target, .. } => (*target, from.nullable || optional),
            Storage::Mirror { target, .. } | Storage::MirrorLinks { target, .. } => (*target, true),
            _ => {
                return Err(unsupported(
                    "a path goes on behind something that is not a to-one link",
                ));
            }
        };
        if let Some(join) = self
            .joins
            .iter()
            .find(|j| j.parent == from.alias && j.field == hop)
        {
            return Ok(Place {
                alias: join.alias.clone(),
                model: target,
                nullable: join.nullable,
            });
        }
        let alias = context.alias();
        let table = &context.layout.tables[target];
        let own = &context.layout.tables[from.model];
        let on = match storage {
            Storage::Mirror { column: back, .. } => {
                format!("{alias}.{back} = {}", column(&from.alias, &own.id))
            }
            _ => format!("{alias}.{} = {}", table.id, link(context, from, hop)?.sql),
        };
        let kind = if nullable { " LEFT JOIN" } else { " JOIN" };
        self.joins.push(Join {
            parent: from.alias.clone(),
            field: hop,
            alias: alias.clone(),
            nullable,
            sql: format!("{kind} {} AS {alias} ON {on}", table.name),
        });
        Ok(Place {
            alias,
            model: target,
            nullable,
        })
    }

    /// As [`Frame::value`], but a part of a JSON field as JSON text: SQLite has
    /// no value for `true`, and its floats lose the text's digits.
    pub fn delivered(&mut self, c: &Context<'_>, path: &Path) -> Result<Typed, EngineError> {
        let value = self.value(c, path)?;
        Ok(if path.json.is_empty() {
            value
        } else {
            Typed {
                sql: value.sql.replacen(" ->> ", " -> ", 1),
                ty: Type::JsonPart,
                ..value
            }
        })
    }

    /// The scalar, or the identity of the to-one target, at the end of a path.
    pub fn value(&mut self, context: &Context<'_>, path: &Path) -> Result<Typed, EngineError> {
        let Some((&last, before)) = path.hops.split_last() else {
            return Ok(id(context, &self.alias, self.model, false));
        };
        // The target's id is the foreign key itself: no need to visit the target.
        if let Some((&link_field, way)) = before.split_last() {
            let holder = path_model(context, self.model, way)?;
            let storage = &context.layout.tables[holder].fields[link_field];
            if let Storage::Reference { target, .. } = storage
                && context.layout.is_id(context.schema, *target, last)
            {
                let place = self.walk(context, way)?;
                return link(context, &place, link_field);
            }
        }
        let place = self.walk(context, before)?;
        let field = &context.schema.models[place.model].fields[last];
        match &context.layout.tables[place.model].fields[last] {
            Storage::Column {
                column: name,
                scalar,
            } => {
                let sql = column(&place.alias, name);
                let nullable = place.nullable || field.optional;
                if path.json.is_empty() {
                    return Ok(Typed::atom(sql, Type::of(scalar), nullable));
                }
                Ok(Typed {
                    level: Level::Arrow,
                    ..Typed::atom(format!("{sql} ->> {}", json_path(path)), Type::Any, true)
                })
            }
            Storage::List { .. } | Storage::Children { .. } | Storage::Links { .. } => Err(
                unsupported(format!("`{}` is not a single value", path.text)),
            ),
            _ => link(context, &place, last),
        }
    }
}

/// `'$."a"."b"'`
pub fn json_path(path: &Path) -> String {
    let steps: String = path.json.iter().map(|k| format!(".\"{k}\"")).collect();
    text(&format!("${steps}"))
}

/// The identity of a record.
pub fn id(context: &Context<'_>, alias: &str, model: ModelId, nullable: bool) -> Typed {
    let sql = column(alias, &context.layout.tables[model].id);
    Typed::atom(sql, Type::Int, nullable)
}

fn path_model(
    context: &Context<'_>,
    mut model: ModelId,
    hops: &[FieldId],
) -> Result<ModelId, EngineError> {
    for &hop in hops {
        let field = context.schema.models[model].fields.get(hop);
        model = field
            .and_then(|f| f.kind.target())
            .ok_or_else(|| unsupported("a path leaves the schema"))?;
    }
    Ok(model)
}

/// The identity that a to-one link holds.
fn link(context: &Context<'_>, place: &Place, field: FieldId) -> Result<Typed, EngineError> {
    let own = &context.layout.tables[place.model];
    let here = || column(&place.alias, &own.id);
    let optional = context.schema.models[place.model].fields[field].optional;
    Ok(match &own.fields[field] {
        Storage::Reference { column: name, .. } => Typed::atom(
            column(&place.alias, name),
            Type::Int,
            place.nullable || optional,
        ),
        Storage::Mirror {
            target,
            column: back,
        } => {
            let table = &context.layout.tables[*target];
            let alias = context.alias();
            let sql = format!(
                "(SELECT {alias}.{} FROM {} AS {alias} WHERE {alias}.{back} = {})",
                table.id,
                table.name,
                here()
            );
            Typed::atom(sql, Type::Int, true)
        }
        Storage::MirrorLinks { table, .. } => {
            let alias = context.alias();
            let sql = format!(
                "(SELECT min({alias}.{}) FROM {table} AS {alias} WHERE {alias}.{} = {})",
                table.owner,
                table.target,
                here()
            );
            Typed::atom(sql, Type::Int, true)
        }
        _ => {
            return Err(unsupported(
                "a link that is not to-one is asked for its target",
            ));
        }
    })
}
