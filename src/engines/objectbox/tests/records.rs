//! Objects come back as they went in.

use proptest::prelude::*;

use crate::base::Value;
use crate::engines::objectbox::layout::{Element, Property, Storage};
use crate::engines::objectbox::record::{Cell, Encoder, Row, decode};

fn property(id: u32, storage: Storage) -> Property {
    Property {
        name: format!("p{id}"),
        id,
        storage,
        flags: 0,
        indexed: false,
        unique: false,
        optional: true,
    }
}

fn cases() -> Vec<String> {
    vec!["A*".into(), "done".into(), "open".into()]
}

/// A way to store something, and something to be stored that way.
fn stored() -> BoxedStrategy<(Storage, Value)> {
    let list = |element, item: BoxedStrategy<Value>| {
        prop::collection::vec(item, 0..5)
            .prop_map(move |items| (Storage::Vector(element), Value::List(items)))
            .boxed()
    };
    let text = || ".{0,20}".prop_map(Value::Text).boxed();
    let uuid = || any::<[u8; 16]>().prop_map(Value::Uuid).boxed();
    let blob = || {
        prop::collection::vec(any::<u8>(), 0..9)
            .prop_map(Value::Blob)
            .boxed()
    };
    let float = || prop::num::f64::NORMAL.prop_map(Value::Float).boxed();
    let one = prop_oneof![
        any::<bool>().prop_map(|b| (Storage::Bool, Value::Bool(b))),
        any::<i64>().prop_map(|i| (Storage::Long, Value::Int(i))),
        any::<i64>().prop_map(|i| (Storage::Date, Value::Timestamp(i))),
        float().prop_map(|f| (Storage::Double, f)),
        text().prop_map(|t| (Storage::Text, t)),
        "[a-z{}:]{0,9}".prop_map(|t| (Storage::Json, Value::Json(t))),
        uuid().prop_map(|u| (Storage::UuidText, u)),
        uuid().prop_map(|u| (Storage::UuidBytes, u)),
        blob().prop_map(|b| (Storage::Bytes, b)),
        prop::sample::select(cases()).prop_map(|c| (Storage::Enum(cases()), Value::Text(c))),
        (1i64..9).prop_map(|id| (Storage::ToOne(0), Value::Int(id))),
    ];
    let lists = prop_oneof![
        list(Element::Long, any::<i64>().prop_map(Value::Int).boxed()),
        list(
            Element::Date,
            any::<i64>().prop_map(Value::Timestamp).boxed()
        ),
        list(Element::Double, float()),
        list(Element::Bool, any::<bool>().prop_map(Value::Bool).boxed()),
        list(Element::Text, text()),
        list(Element::Uuid, uuid()),
        list(Element::Blob, blob()),
        list(Element::Json, "[a-z{}]{0,9}".prop_map(Value::Json).boxed()),
    ];
    let nullable = prop_oneof![3 => one, 1 => lists];
    (nullable, prop::bool::weighted(0.2))
        .prop_map(|((storage, value), null)| (storage, if null { Value::Null } else { value }))
        .boxed()
}

fn cell<'a>(property: &Property, value: &'a Value) -> Cell<'a> {
    match (&property.storage, value) {
        (Storage::ToOne(_), Value::Int(id)) => Cell::Long(*id),
        _ => Cell::of(property, value).expect("a fitting value"),
    }
}

proptest! {
    #[test]
    fn encoding_and_decoding_are_inverse(fields in prop::collection::vec(stored(), 0..12)) {
        let properties: Vec<Property> = fields
            .iter()
            .enumerate()
            .map(|(at, (storage, _))| property(at as u32 + 2, storage.clone()))
            .collect();
        let mut cells = vec![Cell::Long(7)];
        cells.extend(properties.iter().zip(&fields).map(|(p, (_, value))| cell(p, value)));
        let mut encoder = Encoder::default();
        let first = encoder.encode(&cells).expect("encodes").to_vec();
        let row = Row::new(&first).expect("a table");
        prop_assert_eq!(row.u64(4), Some(7));
        for (property, (_, value)) in properties.iter().zip(&fields) {
            prop_assert_eq!(&decode::value(property, &row, false).expect("decodes"), value);
        }
        // What was stored can be stored again, as an update does.
        let mut again = vec![Cell::Long(7)];
        again.extend(properties.iter().map(|property| Cell::stored(property, &row)));
        let second = encoder.encode(&again).expect("encodes").to_vec();
        let row = Row::new(&second).expect("a table");
        for (property, (_, value)) in properties.iter().zip(&fields) {
            prop_assert_eq!(&decode::value(property, &row, false).expect("decodes"), value);
        }
    }
}

#[test]
fn zeros_are_values_and_unknown_cases_are_refused() {
    let number = property(2, Storage::Long);
    let mut encoder = Encoder::default();
    let object = encoder
        .encode(&[Cell::Long(1), Cell::Long(0)])
        .expect("encodes");
    let row = Row::new(object).expect("a table");
    assert_eq!(
        decode::value(&number, &row, false).expect("decodes"),
        Value::Int(0)
    );
    let status = property(2, Storage::Enum(cases()));
    assert!(Cell::of(&status, &Value::Text("lost".into())).is_err());
}
