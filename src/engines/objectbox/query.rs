//! From compiled conditions to the library's queries.

use std::ffi::CString;
use std::rc::Rc;

use super::api::{Builder, Condition as Made, Query, Store, misuse};
use super::compile::{Check, Condition, LinkKind, Node, Operand, Test, TextCheck};
use super::keys;
use super::layout::{Layout, Storage};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::CompareOp;
use crate::plan::schema::ModelId;

/// A parameter: its name in the query and the argument that it takes.
#[derive(Clone, Debug)]
pub struct Parameter {
    alias: CString,
    argument: usize,
    storage: Storage,
}

/// Flags of the order of a property, by its place.
pub type Order = Vec<(usize, u32)>;

/// Builds the query of a node over a model.
pub fn build(
    store: &Rc<Store>,
    layout: &Layout,
    model: ModelId,
    node: &Node,
    order: &Order,
) -> Result<(Query, Vec<Parameter>), EngineError> {
    let builder = Builder::new(store, model)?;
    let mut building = Building {
        layout,
        parameters: Vec::new(),
    };
    building.node(&builder, model, node)?;
    for (property, flags) in order {
        let id = layout.entities[model].properties[*property].id;
        builder.order(id, *flags)?;
    }
    let query = builder.build()?;
    Ok((query, building.parameters))
}

/// Sets the parameters; false where an argument is of a type that they do not
/// take, and the query cannot answer.
pub fn set(
    query: &Query,
    parameters: &[Parameter],
    arguments: &[Value],
) -> Result<bool, EngineError> {
    for parameter in parameters {
        let value = arguments
            .get(parameter.argument)
            .ok_or_else(|| misuse(format!("argument {} is not bound", parameter.argument)))?;
        let alias = &parameter.alias;
        match (&parameter.storage, value) {
            (Storage::Id, Value::Int(key)) => match keys::of_key(*key) {
                Some(id) => query.set_int(alias, id as i64)?,
                None => return Ok(false),
            },
            (Storage::Long | Storage::Date, Value::Int(int) | Value::Timestamp(int)) => {
                query.set_int(alias, *int)?;
            }
            (Storage::Double, Value::Float(float)) if !float.is_nan() => {
                query.set_double(alias, *float)?;
            }
            (Storage::Text, Value::Text(text)) => match CString::new(text.as_str()) {
                Ok(text) => query.set_text(alias, &text)?,
                Err(_) => return Ok(false),
            },
            (Storage::UuidText, Value::Uuid(uuid)) => {
                let mut spelled = uuid::Uuid::encode_buffer();
                let uuid = uuid::Uuid::from_bytes(*uuid).hyphenated();
                let text = CString::new(&*uuid.encode_lower(&mut spelled));
                query.set_text(alias, &text.map_err(|_| misuse("a zero in a uuid"))?)?;
            }
            (Storage::UuidBytes, Value::Uuid(uuid)) => query.set_bytes(alias, uuid)?,
            (Storage::Bytes, Value::Blob(bytes)) => query.set_bytes(alias, bytes)?,
            _ => return Ok(false),
        }
    }
    Ok(true)
}

struct Building<'a> {
    layout: &'a Layout,
    parameters: Vec<Parameter>,
}

impl Building<'_> {
    fn node(
        &mut self,
        builder: &Builder<'_>,
        model: ModelId,
        node: &Node,
    ) -> Result<(), EngineError> {
        let mut made = Vec::with_capacity(node.conditions.len());
        for condition in &node.conditions {
            made.push(self.condition(builder, model, condition)?);
        }
        if made.len() > 1 {
            builder.joined(true, &made)?;
        }
        for link in &node.links {
            let inner = match link.kind {
                LinkKind::ToOne(property) => builder.to_one(property)?,
                LinkKind::Back(property) => builder.back(link.target, property)?,
                LinkKind::ToMany(relation) => builder.to_many(relation)?,
            };
            self.node(&inner, link.target, &link.node)?;
        }
        Ok(())
    }

    fn condition(
        &mut self,
        builder: &Builder<'_>,
        model: ModelId,
        condition: &Condition,
    ) -> Result<Made, EngineError> {
        match condition {
            Condition::Test(test) => self.test(builder, model, test),
            Condition::All(parts) | Condition::Any(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.condition(builder, model, part))
                    .collect::<Result<Vec<_>, _>>()?;
                builder.joined(matches!(condition, Condition::All(_)), &parts)
            }
            Condition::Always | Condition::Never => Err(misuse("a constant among the conditions")),
        }
    }

    fn test(
        &mut self,
        builder: &Builder<'_>,
        model: ModelId,
        test: &Test,
    ) -> Result<Made, EngineError> {
        let layout = self.layout;
        let property = &layout.entities[model].properties[test.property];
        let id = property.id;
        let (made, argument) = match &test.check {
            Check::Null => (builder.null(id)?, None),
            Check::NotNull => (builder.not_null(id)?, None),
            Check::Int(op, operand) => {
                let (value, argument) = placed(operand, 0);
                (builder.int(id, *op, value)?, argument)
            }
            Check::Ints(values) => (ints(builder, id, &property.storage, values)?, None),
            Check::Double(op, operand) => {
                let (value, argument) = placed(operand, 0.0);
                (builder.double(id, *op, value)?, argument)
            }
            Check::Text(check, operand, case) => {
                // A parameter must be told apart from none, even before it is set.
                let (value, argument) = placed(operand, "?".to_owned());
                let value = c_text(&value)?;
                let made = match check {
                    TextCheck::Compare(op) => builder.text(id, *op, &value, *case),
                    TextCheck::Contains => builder.contains(id, &value, *case),
                    TextCheck::StartsWith => builder.starts_with(id, &value, *case),
                    TextCheck::EndsWith => builder.ends_with(id, &value, *case),
                    TextCheck::Element => builder.element(id, &value, *case),
                };
                (made?, argument)
            }
            Check::Texts(values, case) => {
                let values = values.iter().map(|value| c_text(value));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                (builder.texts(id, &values, *case)?, None)
            }
            Check::Bytes(op, operand) => {
                let (value, argument) = placed(operand, vec![0]);
                (builder.bytes(id, *op, &value)?, argument)
            }
        };
        if let Some(argument) = argument {
            let alias = c_text(&format!("p{}", self.parameters.len()))?;
            builder.alias(&alias)?;
            self.parameters.push(Parameter {
                alias,
                argument,
                storage: property.storage.clone(),
            });
        }
        Ok(made)
    }
}

/// What stands in the query until the parameter is set, and the argument.
fn placed<T: Clone>(operand: &Operand<T>, meanwhile: T) -> (T, Option<usize>) {
    match operand {
        Operand::Value(value) => (value.clone(), None),
        Operand::Argument(at) => (meanwhile, Some(*at)),
    }
}

fn ints(
    builder: &Builder<'_>,
    id: u32,
    storage: &Storage,
    values: &[i64],
) -> Result<Made, EngineError> {
    match storage {
        Storage::Enum(_) => {
            let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
            builder.ints(id, &values)
        }
        // There is no `in` of bools, but there are only two.
        Storage::Bool => {
            let each = values
                .iter()
                .map(|value| builder.int(id, CompareOp::Equal, *value))
                .collect::<Result<Vec<_>, _>>()?;
            builder.joined(false, &each)
        }
        _ => builder.longs(id, values),
    }
}

fn c_text(text: &str) -> Result<CString, EngineError> {
    CString::new(text).map_err(|_| misuse("a zero in a text"))
}
