//! Both encodings: whatever a record holds comes back, and what is no record
//! is refused.

use proptest::prelude::*;

use super::encoding::Encoding;
use super::fields::Fields;
use super::layout::Layout;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{Field, FieldKind, Model, Schema};
use crate::plan::{Ownership, Scalar};

const BOTH: [Encoding; 2] = [Encoding::Json, Encoding::Binary];

fn cases() -> Scalar {
    Scalar::Enum(["day", "boarder", "A*", "\"\\"].map(String::from).to_vec())
}

fn scalars() -> Vec<Scalar> {
    vec![
        Scalar::Bool,
        Scalar::Int,
        Scalar::Float,
        Scalar::Text,
        Scalar::Uuid,
        Scalar::Timestamp,
        Scalar::Blob,
        Scalar::Json,
        cases(),
    ]
}

/// A model with a field, a list and links of every type.
fn schema() -> Schema {
    let field = |name: String, kind| Field {
        name,
        kind,
        optional: true,
    };
    let mut models: Vec<Model> = Vec::new();
    let mut fields = Vec::new();
    for (at, scalar) in scalars().into_iter().enumerate() {
        models.push(Model {
            name: format!("Target{at}"),
            fields: vec![field("id".into(), FieldKind::Scalar(scalar.clone()))],
            key: Some(0),
            indexes: Vec::new(),
        });
        let target = at + 1;
        fields.push(field(
            format!("one_{at}"),
            FieldKind::Scalar(scalar.clone()),
        ));
        fields.push(field(format!("list_{at}"), FieldKind::List(scalar)));
        fields.push(field(
            format!("link_{at}"),
            FieldKind::ToOne {
                target,
                ownership: Ownership::Linked,
                cascade: false,
                inverse_of: None,
            },
        ));
        fields.push(field(
            format!("links_{at}"),
            FieldKind::ToMany {
                target,
                ownership: Ownership::Linked,
                cascade: false,
                inverse: None,
            },
        ));
    }
    models.insert(
        0,
        Model {
            name: "All".into(),
            fields,
            key: None,
            indexes: Vec::new(),
        },
    );
    Schema { models }
}

fn value(scalar: &Scalar) -> BoxedStrategy<Value> {
    let ints = prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX), -2i64..3];
    let text = prop_oneof![
        ".{0,12}",
        "[\"\\\\\u{0}-\u{1f}\u{2028}]{0,4}",
        Just(String::new())
    ];
    match scalar {
        Scalar::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Scalar::Int => ints.prop_map(Value::Int).boxed(),
        Scalar::Timestamp => ints.prop_map(Value::Timestamp).boxed(),
        Scalar::Float => prop_oneof![
            any::<f64>().prop_filter("no number", |f| !f.is_nan()),
            Just(-0.0),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            Just(f64::MIN_POSITIVE / 2.0),
            Just(f64::MAX),
            any::<i64>().prop_map(|int| int as f64),
        ]
        .prop_map(Value::Float)
        .boxed(),
        Scalar::Text => text.prop_map(Value::Text).boxed(),
        Scalar::Uuid => any::<[u8; 16]>().prop_map(Value::Uuid).boxed(),
        Scalar::Blob => any::<Vec<u8>>().prop_map(Value::Blob).boxed(),
        Scalar::Json => prop_oneof![
            text.prop_map(|text| serde_json::json!({ "a": [text, null, 1.5], "b": {} })),
            Just(serde_json::Value::Null),
            any::<i64>().prop_map(serde_json::Value::from),
        ]
        .prop_map(|json| Value::Json(json.to_string()))
        .boxed(),
        Scalar::Enum(cases) => prop::sample::select(cases.clone())
            .prop_map(Value::Text)
            .boxed(),
    }
}

/// What a field of that type may hold: null, a value, or a list of such. (A
/// null and the JSON `null` are one element of a list in JSON.)
fn held(scalar: &Scalar, many: bool) -> BoxedStrategy<Value> {
    let one = value(scalar);
    let item = match scalar {
        Scalar::Json => one.clone(),
        _ => prop_oneof![1 => Just(Value::Null), 5 => one.clone()].boxed(),
    };
    let held = match many {
        false => one,
        true => prop::collection::vec(item, 0..4)
            .prop_map(Value::List)
            .boxed(),
    };
    prop_oneof![1 => Just(Value::Null), 4 => held].boxed()
}

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let fields: Vec<_> = scalars()
        .iter()
        .flat_map(|scalar| [false, true, false, true].map(|many| held(scalar, many)))
        .collect();
    fields
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => a == b,
    }
}

proptest! {
    #[test]
    fn records_come_back(rows in prop::collection::vec(rows(), 1..4)) {
        let layout = &Layout::of(&schema()).unwrap()[0];
        for encoding in BOTH {
            // Decoded into the same places one after the other, as a scan does.
            let mut slots = vec![Value::Bool(true); layout.fields.len()];
            for row in &rows {
                // Behind something else, as in a buffer of many.
                let mut bytes = b"before".to_vec();
                encoding.write(layout, row, &mut bytes).unwrap();
                encoding
                    .read(layout, &Fields::all(row.len()), &bytes[6..], &mut slots)
                    .unwrap();
                for (field, (found, expected)) in slots.iter().zip(row).enumerate() {
                    prop_assert!(
                        same(found, expected),
                        "{:?} {}: {:?}, not {:?}",
                        encoding, layout.fields[field].name, found, expected
                    );
                }
            }
        }
    }

    #[test]
    fn fields_are_read_alone(row in rows(), field in 0..36usize) {
        let layout = &Layout::of(&schema()).unwrap()[0];
        let mut wanted = Fields::none(row.len());
        wanted.add(field);
        for encoding in BOTH {
            let mut bytes = Vec::new();
            encoding.write(layout, &row, &mut bytes).unwrap();
            let untouched = Value::Text("untouched".into());
            let mut slots = vec![untouched.clone(); row.len()];
            encoding.read(layout, &wanted, &bytes, &mut slots).unwrap();
            for (at, found) in slots.iter().enumerate() {
                let expected = if at == field { &row[at] } else { &untouched };
                prop_assert!(same(found, expected), "{encoding:?} {at}");
            }
        }
    }

    #[test]
    fn what_is_no_record_is_refused(row in rows(), cut in any::<prop::sample::Index>(), noise: Vec<u8>) {
        let layout = &Layout::of(&schema()).unwrap()[0];
        let all = Fields::all(row.len());
        let mut slots = vec![Value::Null; row.len()];
        let mut bytes = Vec::new();
        Encoding::Json.write(layout, &row, &mut bytes).unwrap();
        let cut_short = &bytes[..cut.index(bytes.len())];
        let error = Encoding::Json.read(layout, &all, cut_short, &mut slots).unwrap_err();
        prop_assert_eq!(error.kind, ErrorKind::Corrupt);
        bytes.clear();
        Encoding::Binary.write(layout, &row, &mut bytes).unwrap();
        // Cut in the header, or damaged anywhere: never more than an error.
        let header = &bytes[..cut.index(layout.pieces_at)];
        prop_assert!(Encoding::Binary.read(layout, &all, header, &mut slots).is_err());
        let at = cut.index(bytes.len());
        for (byte, noise) in bytes[at..].iter_mut().zip(&noise) {
            *byte = *noise;
        }
        for encoding in BOTH {
            let _: Result<(), EngineError> = encoding.read(layout, &all, &bytes, &mut slots);
            let _: Result<(), EngineError> = encoding.read(layout, &all, &noise, &mut slots);
        }
    }
}

#[test]
fn the_forms_are_as_documented() {
    let field = |name: &str, kind| Field {
        name: name.into(),
        kind,
        optional: true,
    };
    let list = FieldKind::List(Scalar::Text);
    let schema = Schema {
        models: vec![Model {
            name: "Note".into(),
            fields: vec![
                field("id", FieldKind::Scalar(Scalar::Int)),
                field("text", FieldKind::Scalar(Scalar::Text)),
                field("read", FieldKind::Scalar(Scalar::Bool)),
                field("meta", FieldKind::Scalar(Scalar::Json)),
                field("kind", FieldKind::Scalar(cases())),
                field("tags", list),
                field("when", FieldKind::Scalar(Scalar::Timestamp)),
            ],
            key: Some(0),
            indexes: Vec::new(),
        }],
    };
    let layout = &Layout::of(&schema).unwrap()[0];
    let row = [
        Value::Int(258),
        Value::Text("é\"".into()),
        Value::Bool(true),
        Value::Json("{\"a\":1}".into()),
        Value::Text("boarder".into()),
        Value::List(vec![Value::Text("x".into()), Value::Null]),
        Value::Null,
    ];
    let written = |encoding: Encoding| {
        let mut bytes = Vec::new();
        encoding.write(layout, &row, &mut bytes).unwrap();
        bytes
    };
    assert_eq!(
        String::from_utf8(written(Encoding::Json)).unwrap(),
        r#"{"id":258,"text":"é\"","read":true,"meta":{"a":1},"kind":"boarder","tags":["x",null]}"#
    );
    let mut expected: Vec<u8> = vec![1, 0b0100_0000];
    expected.extend([2, 1, 0, 0, 0, 0, 0, 0]);
    expected.push(1);
    expected.extend([1, 0]);
    expected.extend([0; 8]);
    expected.extend([3, 0, 0, 0, 10, 0, 0, 0, 17, 0, 0, 0]);
    expected.extend("é\"{\"a\":1}".as_bytes());
    expected.extend([1, 1, 0, 0, 0, b'x', 0]);
    assert_eq!(written(Encoding::Binary), expected);
}

#[test]
fn what_a_field_cannot_hold_is_refused() {
    let layout = &Layout::of(&schema()).unwrap()[0];
    for encoding in BOTH {
        let mut row = vec![Value::Null; layout.fields.len()];
        row[0] = Value::Int(1);
        assert!(encoding.write(layout, &row, &mut Vec::new()).is_err());
        row[0] = Value::List(vec![Value::Bool(true)]);
        assert!(encoding.write(layout, &row, &mut Vec::new()).is_err());
        row[0] = Value::Bool(true);
        row[1] = Value::Bool(true);
        assert!(encoding.write(layout, &row, &mut Vec::new()).is_err());
        row.pop();
        row[1] = Value::Null;
        assert!(encoding.write(layout, &row, &mut Vec::new()).is_err());
    }
}
