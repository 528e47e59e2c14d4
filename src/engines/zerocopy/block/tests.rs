use proptest::prelude::*;

use super::*;
use crate::base::Value;
use crate::engines::zerocopy::header::DATA;
use crate::engines::zerocopy::map::Map;
use crate::engines::zerocopy::node::{Arena, Nodes};

/// A map that no test looks into: all nodes are fresh.
fn nothing() -> (tempfile::NamedTempFile, Map) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().set_len(DATA).expect("a length");
    let map = Map::new(file.as_file(), DATA).expect("a map");
    (file, map)
}

fn scalars(element: Type) -> BoxedStrategy<Value> {
    match element {
        Type::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Type::Int | Type::Link => prop_oneof![any::<i64>(), 0i64..9]
            .prop_map(Value::Int)
            .boxed(),
        Type::Timestamp => (-9i64..300).prop_map(Value::Timestamp).boxed(),
        Type::Float => any::<i32>()
            .prop_map(|x| Value::Float(f64::from(x) / 8.0))
            .boxed(),
        Type::Text => prop_oneof!["[a-c]{0,2}", "\\PC{0,9}"]
            .prop_map(Value::Text)
            .boxed(),
        Type::Json => "[0-9]{1,3}".prop_map(Value::Json).boxed(),
        Type::Blob => prop::collection::vec(any::<u8>(), 0..5)
            .prop_map(Value::Blob)
            .boxed(),
        Type::Uuid => any::<[u8; 16]>().prop_map(Value::Uuid).boxed(),
    }
}

fn columns() -> impl Strategy<Value = (ColumnType, Vec<Value>, Vec<(usize, Value)>)> {
    use Type::{Blob, Bool, Float, Int, Json, Text, Timestamp, Uuid};
    let types = prop::sample::select(vec![Bool, Int, Timestamp, Float, Text, Json, Blob, Uuid]);
    (types, any::<bool>(), any::<bool>()).prop_flat_map(|(element, list, nulls)| {
        let one = match list {
            false => scalars(element),
            true => prop::collection::vec(scalars(element), 0..4)
                .prop_map(Value::List)
                .boxed(),
        };
        let one = match nulls {
            true => prop_oneof![4 => one, 1 => Just(Value::Null)].boxed(),
            false => one,
        };
        let changes = prop::collection::vec((0usize..80, one.clone()), 0..6);
        let kind = ColumnType { element, list };
        (Just(kind), prop::collection::vec(one, 0..80), changes)
    })
}

fn stored(builder: &Builder, arena: &mut Arena) -> crate::engines::zerocopy::node::Ref {
    let block = builder
        .encode(&mut |bytes| arena.add(bytes))
        .expect("encodes");
    arena.add(block)
}

proptest! {
    #[test]
    fn what_is_gathered_comes_back((kind, values, changes) in columns()) {
        let (_file, map) = nothing();
        let mut arena = Arena::default();
        let mut builder = Builder::new(kind);
        for value in &values {
            builder.push(value).expect("fits");
        }
        let at = stored(&builder, &mut arena);
        let mut copy = {
            let nodes = Nodes::new(&map, DATA, arena.slots());
            let column = Column::open(&nodes, at, kind, values.len()).expect("opens");
            for (row, value) in values.iter().enumerate() {
                prop_assert_eq!(&column.value(row).expect("reads"), value);
                prop_assert_eq!(column.is_null(row), value.is_null());
            }
            prop_assert!(Column::open(&nodes, at, kind, values.len() + 1).is_err());
            Builder::decode(&column).expect("decodes")
        };
        let mut values = values;
        let rows = values.len();
        for (row, value) in changes.into_iter().filter(|(row, _)| *row < rows) {
            copy.set(row, &Cell::Value(value.clone())).expect("fits");
            values[row] = value;
        }
        let mut again = Builder::new(kind);
        for row in (0..values.len()).rev() {
            again.push_from(&copy, row).expect("fits");
        }
        values.reverse();
        let at = stored(&again, &mut arena);
        let nodes = Nodes::new(&map, DATA, arena.slots());
        let column = Column::open(&nodes, at, kind, values.len()).expect("opens");
        for (row, value) in values.iter().enumerate() {
            prop_assert_eq!(&column.value(row).expect("reads"), value);
        }
    }

    /// Bytes of any kind are refused or read, but never a panic.
    #[test]
    fn any_bytes_are_read_or_refused((kind, values, _) in columns(), at in 12usize..200, byte: u8) {
        let (_file, map) = nothing();
        let mut arena = Arena::default();
        let mut builder = Builder::new(kind);
        for value in &values {
            builder.push(value).expect("fits");
        }
        let block = stored(&builder, &mut arena);
        let place = block.fresh().expect("fresh");
        if let Some(bytes) = arena.bytes_mut(place)
            && let Some(hit) = bytes.get_mut(at)
        {
            *hit = byte;
        }
        let nodes = Nodes::new(&map, DATA, arena.slots());
        if let Ok(column) = Column::open(&nodes, block, kind, values.len()) {
            for row in 0..values.len() + 1 {
                let _ = column.value(row);
                let _ = column.links(row);
            }
            if let Column::Ints(ints, _) = column {
                ints.within(-5, 5, &mut [0; 4]);
                let _ = ints.sum();
            }
        }
    }
}
