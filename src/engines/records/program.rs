//! A prepared request: what of a record is decoded when.

use super::encoding::Encoding;
use super::fields::Fields;
use super::wanted::Wanted;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Column, Request, Select};

/// A prepared request.
#[derive(Clone, Debug)]
pub struct Program {
    pub request: Request,
    /// Fields that are decoded of every candidate.
    pub first: Fields,
    /// Fields that are decoded of the records selected, besides.
    pub then: Fields,
    /// Both together.
    pub both: Fields,
    /// Fields that are decoded of the records of a sorted page.
    pub shown: Fields,
    /// Fields of linked records, per model.
    pub linked: Vec<Fields>,
    /// The columns of a read, where each is a field of the record itself or its identity.
    pub plain: Option<Vec<Plain>>,
}

/// A column that needs no other record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Identity,
    Field(FieldId),
}

impl Program {
    /// Prepares a request.
    pub fn of(
        schema: &Schema,
        encoding: Encoding,
        request: &Request,
    ) -> Result<Program, EngineError> {
        let (model, select) = selection(request);
        let Some(declared) = schema.models.get(model) else {
            return Err(EngineError::new(ErrorKind::Other, "there is no such model"));
        };
        let nothing = || Wanted::nothing(schema, model);
        let (mut tested, mut ordered, mut shown) = (nothing(), nothing(), nothing());
        match select {
            Select::Where(predicate) => tested.expression(schema, model, predicate),
            Select::Point(field) if declared.key != Some(*field) => tested.own.add(*field),
            Select::All | Select::Point(_) | Select::Identity => {}
        }
        match request {
            Request::Read(query) => {
                for column in &query.columns {
                    shown.column(schema, model, column);
                }
            }
            Request::CountPer { per, .. } => shown.path(schema, model, per),
            Request::Aggregate { of, .. } => shown.expression(schema, model, of),
            Request::Update { set, .. } => {
                shown.own = Fields::all(declared.fields.len());
                for (_, expr) in set {
                    shown.expression(schema, model, expr);
                }
            }
            Request::Count { .. } | Request::Delete { .. } => {}
        }
        let query = match request {
            Request::Read(query) | Request::Aggregate { query, .. } => Some(query),
            _ => None,
        };
        let order = query.map_or(&[][..], |query| &query.order);
        for key in order {
            ordered.path(schema, model, &key.path);
        }

        let mut linked = tested.linked;
        for (all, more) in linked
            .iter_mut()
            .zip(ordered.linked.iter().zip(&shown.linked))
        {
            all.add_all(more.0);
            all.add_all(more.1);
        }
        let selected = if order.is_empty() { &shown } else { &ordered };
        let mut both = tested.own.clone();
        both.add_all(&selected.own);
        // A text that is read whole anyway is read once.
        let first = if encoding.is_lazy() {
            tested.own
        } else {
            both.clone()
        };
        Ok(Program {
            request: request.clone(),
            then: both.without(&first),
            first,
            both,
            shown: shown.own,
            linked,
            plain: query.and_then(|query| plain(schema, model, &query.columns)),
        })
    }
}

/// The model and selection of a request.
pub fn selection(request: &Request) -> (ModelId, &Select) {
    match request {
        Request::Read(query) | Request::Aggregate { query, .. } => (query.model, &query.select),
        Request::Count { model, select }
        | Request::CountPer { model, select, .. }
        | Request::Update { model, select, .. }
        | Request::Delete { model, select } => (*model, select),
    }
}

fn plain(schema: &Schema, model: ModelId, columns: &[Column]) -> Option<Vec<Plain>> {
    let columns = columns.iter().map(|column| match column {
        Column::Identity => Some(Plain::Identity),
        Column::Path(path) => match (path.hops.as_slice(), path.json.as_slice()) {
            ([field], []) => {
                use crate::plan::FieldKind::{List, Scalar, ToMany, ToOne};
                match schema.models.get(model)?.fields.get(*field)?.kind {
                    Scalar(_) | ToOne { .. } => Some(Plain::Field(*field)),
                    List(_) | ToMany { .. } => None,
                }
            }
            _ => None,
        },
    });
    columns.collect()
}
