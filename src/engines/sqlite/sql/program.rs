//! What a request becomes: statements, and how to read what they deliver.

use super::frame::Context;
use super::hook::HookFunction;
use super::layout::Layout;
use super::typed::Type;
use super::{aggregate, delete, read, update};
use crate::engines::EngineError;
use crate::plan::{Hook, Request, Schema, UpdateBy};

/// A request as statements. Parameters are the request's arguments: `?1` is
/// argument 0, unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// Delivers records.
    Read(Read),
    /// One row with the count.
    Count(String),
    /// Rows of value and count.
    CountPer {
        /// The statement.
        sql: String,
        /// Type of the values.
        ty: Type,
    },
    /// One row: the aggregate, and the number of records.
    Aggregate {
        /// The statement.
        sql: String,
        /// Type of the aggregate.
        ty: Type,
    },
    /// One statement that changes what matches.
    Change(String),
    /// Identity and new values of what matches, then an update of each.
    ByObject {
        /// Delivers the identity and the new values.
        select: String,
        /// `?1` is the identity, `?2` and on are the new values.
        update: String,
        /// How many new values there are.
        values: usize,
    },
    /// A delete that foreign keys cannot carry on: first gather what goes with
    /// the records, then delete them, then that.
    Cascade {
        /// What goes with them.
        gather: Vec<Gather>,
        /// Deletes the records.
        delete: String,
    },
}

/// Records that a delete takes along.
#[derive(Clone, Debug, PartialEq)]
pub struct Gather {
    /// Delivers their identities, each once.
    pub select: String,
    /// Deletes the one whose identity is `?1`.
    pub delete: String,
}

/// A read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The statement.
    pub sql: String,
    /// The delivered values, in order.
    pub outputs: Vec<Output>,
    /// Lists, read by a statement of their own for each record.
    pub lists: Vec<ListRead>,
}

/// One delivered value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A column of the statement.
    Scalar {
        /// Which.
        column: usize,
        /// Its type.
        ty: Type,
    },
    /// A column of a list statement.
    List {
        /// Which statement.
        list: usize,
        /// Which of its columns.
        column: usize,
    },
}

/// A statement for the lists of one record; several that come over the same
/// link are read together.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRead {
    /// The statement; `?1` is the owner's identity.
    pub sql: String,
    /// Column of the main statement that holds that identity; null for no list.
    pub key: usize,
    /// Column of the main statement that is null where an optional list is.
    pub marker: Option<usize>,
    /// Its columns.
    pub columns: Vec<ListColumn>,
    /// The same for many owners at once.
    pub relation: Relation,
}

/// The parts of a list statement, for one that reads the lists of many owners.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Its columns.
    pub select: Vec<String>,
    /// Its tables.
    pub from: String,
    /// The column that holds the owner's identity.
    pub owner: String,
    /// The column that orders the elements of one owner, where they have an order.
    pub position: Option<String>,
}

/// A column of a list statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListColumn {
    /// Type of its values.
    pub ty: Type,
    /// Whether each value is itself a list of that type, as one SQL value.
    pub nested: bool,
}

/// A program with the functions that it calls.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The statements.
    pub program: Program,
    /// To be registered before they are prepared.
    pub functions: Vec<HookFunction>,
}

/// Compiles a request.
pub fn compile(
    schema: &Schema,
    layout: &Layout,
    hooks: &[Hook],
    request: &Request,
) -> Result<Compiled, EngineError> {
    let c = Context::new(schema, layout, hooks);
    let program = match request {
        Request::Read(query) => read::read(&c, query)?,
        Request::Count { model, select } => aggregate::count(&c, *model, select)?,
        Request::CountPer { model, select, per } => aggregate::count_per(&c, *model, select, per)?,
        Request::Aggregate {
            query,
            function,
            of,
        } => aggregate::aggregate(&c, query, *function, of)?,
        Request::Update {
            model,
            select,
            set,
            by: UpdateBy::Object,
        } => update::by_object(&c, *model, select, set)?,
        Request::Update {
            model, select, set, ..
        } => update::by_statement(&c, *model, select, set)?,
        Request::Delete { model, select } => delete::delete(&c, *model, select)?,
    };
    Ok(Compiled {
        program,
        functions: c.calls.into_inner(),
    })
}

impl Program {
    /// All statements, in the order in which they are first executed.
    pub fn statements(&self) -> Vec<&str> {
        match self {
            Program::Read(read) => {
                let lists = read.lists.iter().map(|l| l.sql.as_str());
                std::iter::once(read.sql.as_str()).chain(lists).collect()
            }
            Program::Count(sql)
            | Program::CountPer { sql, .. }
            | Program::Aggregate { sql, .. }
            | Program::Change(sql) => vec![sql],
            Program::ByObject { select, update, .. } => vec![select, update],
            Program::Cascade { gather, delete } => {
                let gathers = gather.iter().map(|g| g.select.as_str());
                let deletes = gather.iter().map(|g| g.delete.as_str());
                gathers
                    .chain(std::iter::once(delete.as_str()))
                    .chain(deletes)
                    .collect()
            }
        }
    }
}
