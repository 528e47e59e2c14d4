//! What goes to the engine, and what stays.

use super::shop::*;
use crate::base::Value;
use crate::engines::Options;
use crate::engines::objectbox::compile::{
    Check, Compiled, Condition, LinkKind, Operand, TextCheck,
};
use crate::engines::objectbox::selection::{Access, Selection};
use crate::plan::{CompareOp, Expr, OrderKey, Quantifier, Select, TextOp};

use CompareOp::{Equal, Greater, Less, LessOrEqual, NotEqual};

fn compiled(predicate: &Expr) -> Compiled {
    setup(&Options::new()).compiler().compile(ORDER, predicate)
}

/// The only condition, all of the predicate.
fn condition(predicate: &Expr) -> Condition {
    let compiled = compiled(predicate);
    assert_eq!(compiled.rest, None, "{predicate:?}");
    assert_eq!(compiled.node.links, []);
    assert_eq!(compiled.node.conditions.len(), 1, "{predicate:?}");
    compiled.node.conditions[0].clone()
}

fn test(field: usize, check: Check) -> Condition {
    let setup = setup(&Options::new());
    let entity = &setup.layout.entities[ORDER];
    let property = entity.property(field).expect("a property");
    Condition::test(property.id as usize - 1, check)
}

fn above(predicate: &Expr) {
    let compiled = compiled(predicate);
    assert_eq!(compiled.rest.as_ref(), Some(predicate));
    assert!(compiled.node.is_always());
}

#[test]
fn nulls_are_put_where_our_meaning_has_them() {
    let not_equal = compare(NotEqual, at(&[order::COUNT]), int(3));
    let with_null = Condition::Any(vec![
        test(order::COUNT, Check::Int(NotEqual, Operand::Value(3))),
        test(order::COUNT, Check::Null),
    ]);
    assert_eq!(condition(&not_equal), with_null);
    let not_less = Expr::Not(Box::new(compare(Less, at(&[order::COUNT]), int(3))));
    let with_null = Condition::Any(vec![
        test(
            order::COUNT,
            Check::Int(CompareOp::GreaterOrEqual, Operand::Value(3)),
        ),
        test(order::COUNT, Check::Null),
    ]);
    assert_eq!(condition(&not_less), with_null);
    let never = compiled(&compare(
        Equal,
        at(&[order::COUNT]),
        Expr::Literal(Value::Null),
    ));
    assert!(never.node.is_never());
    // What is never null needs no test for it.
    let not_equal = compare(NotEqual, at(&[order::NAME]), text("x"));
    assert!(matches!(condition(&not_equal), Condition::Test(_)));
}

#[test]
fn numbers_of_the_other_type_keep_their_meaning() {
    let half = compare(Less, at(&[order::COUNT]), float(2.5));
    let whole = Check::Int(LessOrEqual, Operand::Value(2));
    assert_eq!(condition(&half), test(order::COUNT, whole));
    let never = compiled(&compare(Equal, at(&[order::COUNT]), float(2.5)));
    assert!(never.node.is_never());
    // No double is 2^53 + 1: the one below decides.
    let odd = compare(Less, at(&[order::TOTAL]), int(9_007_199_254_740_993));
    let near = Check::Double(LessOrEqual, Operand::Value(9_007_199_254_740_992.0));
    assert_eq!(condition(&odd), test(order::TOTAL, near));
}

#[test]
fn few_values_are_tried_one_by_one() {
    // "A*" < "done" < "open", the order of their bytes.
    let later = compare(Greater, at(&[order::STATUS]), text("A*"));
    assert_eq!(
        condition(&later),
        test(order::STATUS, Check::Ints(vec![1, 2]))
    );
    let folded = Expr::TextMatch {
        op: TextOp::Contains,
        value: Box::new(at(&[order::STATUS])),
        pattern: Box::new(text("PE")),
        ignoring_case: true,
    };
    let open = Check::Int(Equal, Operand::Value(2));
    assert_eq!(condition(&folded), test(order::STATUS, open));
    let not_paid = Expr::Not(Box::new(at(&[order::PAID])));
    let no = Check::Int(Equal, Operand::Value(0));
    assert_eq!(condition(&not_paid), test(order::PAID, no));
}

#[test]
fn case_is_folded_by_the_engine_only_where_it_folds_alike() {
    let ignoring = |word: &str| Expr::Compare {
        op: Equal,
        left: Box::new(at(&[order::NAME])),
        right: Box::new(text(word)),
        ignoring_case: true,
    };
    let jane = Check::Text(
        TextCheck::Compare(Equal),
        Operand::Value("jane".into()),
        false,
    );
    assert_eq!(condition(&ignoring("jane")), test(order::NAME, jane));
    above(&ignoring("Ünï"));
    above(&ignoring("kate"));
}

#[test]
fn insensitive_matching_is_asked_again() {
    let options = Options::from([(
        "text_matching".into(),
        Value::Text("case_insensitive".into()),
    )]);
    let jane = compare(Equal, at(&[order::NAME]), text("Jane"));
    let compiled = setup(&options).compiler().compile(ORDER, &jane);
    assert_eq!(compiled.rest, Some(jane.clone()));
    let check = Check::Text(
        TextCheck::Compare(Equal),
        Operand::Value("Jane".into()),
        false,
    );
    assert_eq!(compiled.node.conditions, [test(order::NAME, check)]);
    // Its opposite would leave too much out.
    let other = Expr::Not(Box::new(jane));
    let compiled = setup(&options).compiler().compile(ORDER, &other);
    assert_eq!(compiled.rest, None);
    let check = Check::Text(
        TextCheck::Compare(NotEqual),
        Operand::Value("Jane".into()),
        true,
    );
    assert_eq!(compiled.node.conditions, [test(order::NAME, check)]);
}

#[test]
fn links_are_followed_where_null_would_not_match() {
    let behind = compare(Equal, at(&[order::SHOP, 0]), text("corner"));
    let compiled = compiled(&behind);
    assert_eq!(compiled.rest, None);
    assert!(matches!(compiled.node.links[0].kind, LinkKind::ToOne(_)));
    assert_eq!(compiled.node.links[0].target, SHOP);
    above(&compare(NotEqual, at(&[order::SHOP, 0]), text("corner")));
    above(&Expr::IsNull(Box::new(at(&[order::SHOP, 0]))));
    let any = |quantifier, over: &[usize]| Expr::Quantified {
        quantifier,
        over: path(over),
        predicate: Box::new(compare(Equal, at(&[1]), int(1))),
    };
    let tagged = self::compiled(&any(Quantifier::Any, &[order::TAGS]));
    assert_eq!(tagged.rest, None);
    assert_eq!(tagged.node.links[0].kind, LinkKind::ToMany(1));
    above(&any(Quantifier::All, &[order::TAGS]));
    above(&any(Quantifier::None, &[order::TAGS]));
    let sold = setup(&Options::new()).compiler().compile(
        SHOP,
        &Expr::Quantified {
            quantifier: Quantifier::Any,
            over: path(&[1]),
            predicate: Box::new(compare(Equal, at(&[order::COUNT]), int(1))),
        },
    );
    assert!(matches!(sold.node.links[0].kind, LinkKind::Back(_)));
}

#[test]
fn what_cannot_go_stays_and_the_rest_goes() {
    let both = Expr::And(vec![
        compare(Equal, at(&[order::COUNT]), int(1)),
        compare(Equal, at(&[order::COUNT]), at(&[order::TOTAL])),
    ]);
    let compiled = compiled(&both);
    assert_eq!(compiled.node.conditions.len(), 1);
    assert!(matches!(compiled.rest, Some(Expr::Compare { .. })));
    let zero = Value::Text("a\0b".into());
    above(&compare(Equal, at(&[order::NAME]), Expr::Literal(zero)));
    let either = Expr::Or(vec![
        compare(Equal, at(&[order::COUNT]), int(1)),
        compare(Equal, at(&[order::SHOP, 0]), text("x")),
    ]);
    above(&either);
}

#[test]
fn keys_are_got_by_id() {
    let setup = setup(&Options::new());
    let of = |predicate: Expr| Selection::of(&setup, ORDER, &Select::Where(predicate), &[]);
    let one = of(compare(Equal, int(7), at(&[order::ID])));
    assert_eq!(one.access, Access::Ids(vec![8]));
    let negative = of(compare(Equal, at(&[order::ID]), int(-1)));
    assert_eq!(negative.access, Access::Ids(vec![u64::MAX - 1]));
    let bound = of(compare(Equal, at(&[order::ID]), Expr::Arg(0)));
    assert!(bound.waits());
    let bound = bound.bound(&setup, &[Value::Int(4)]);
    assert_eq!(bound.access, Access::Ids(vec![5]));
    let point = Selection::of(&setup, ORDER, &Select::Point(order::ID), &[]);
    assert_eq!(point.access, Access::Key);
}

#[test]
fn orders_go_where_nulls_stand_right() {
    let setup = setup(&Options::new());
    let ordered = |field, descending| {
        let key = OrderKey {
            path: path(&[field]),
            descending,
        };
        Selection::of(&setup, ORDER, &Select::All, &[key]).order
    };
    assert!(ordered(order::NOTE, false).is_some());
    assert!(ordered(order::COUNT, true).is_some());
    // Nulls among doubles are sorted as zeros, ids without sign.
    assert_eq!(ordered(order::TOTAL, false), None);
    assert_eq!(ordered(order::ID, false), None);
}

#[test]
fn an_index_over_long_texts_is_asked_around() {
    let options = Options::from([("text_index".into(), Value::Text("value".into()))]);
    let setup = setup(&options);
    let condition = |predicate: &Expr| {
        let mut compiled = setup.compiler().compile(ORDER, predicate);
        assert_eq!((&compiled.rest, compiled.node.conditions.len()), (&None, 1));
        compiled.node.conditions.remove(0)
    };
    let text_is = |op| Check::Text(TextCheck::Compare(op), Operand::Value("x".into()), true);
    let less = compare(Less, at(&[order::NAME]), text("x"));
    let compiled = setup.compiler().compile(ORDER, &less);
    assert_eq!(
        compiled.node.conditions,
        [
            test(order::NAME, text_is(LessOrEqual)),
            test(order::NAME, text_is(NotEqual))
        ]
    );
    let among = Expr::In {
        needle: Box::new(at(&[order::NAME])),
        among: vec![text("x"), text("y")],
        ignoring_case: false,
    };
    assert!(matches!(condition(&among), Condition::Any(_)));
    // Without such an index both go as they are.
    let less = compare(Less, at(&[order::NOTE]), text("x"));
    assert_eq!(condition(&less), test(order::NOTE, text_is(Less)));
}
