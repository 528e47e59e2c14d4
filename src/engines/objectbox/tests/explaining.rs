//! Requests in words.

use super::shop::*;
use crate::engines::objectbox::ObjectBox;
use crate::engines::{Engine, Options, Setting};
use crate::plan::{CompareOp, Expr, Quantifier, Request, Select, UpdateBy};
use crate::sample::Native;

fn told(request: &Request) -> Native {
    let (schema, options) = (schema(), Options::new());
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    ObjectBox
        .explain(&setting, request)
        .expect("a known request")
}

fn count(predicate: Expr) -> Native {
    told(&Request::Count {
        model: ORDER,
        select: Select::Where(predicate),
    })
}

#[test]
fn conditions_and_indexes_are_told() {
    let native = count(compare(CompareOp::Equal, at(&[order::NAME]), text("x")));
    assert_eq!(native.text, "query Order where name == \"x\": count");
    assert_eq!(native.above, None);
    assert_eq!(
        native.access.as_deref(),
        Some("Order.name: hash index (32 bits) can find it")
    );
    let native = count(compare(CompareOp::Equal, at(&[order::NOTE]), text("x")));
    assert_eq!(native.access.as_deref(), Some("every object is looked at"));
}

#[test]
fn what_runs_above_is_told() {
    let native = count(Expr::Quantified {
        quantifier: Quantifier::All,
        over: path(&[order::TAGS]),
        predicate: Box::new(compare(CompareOp::Equal, at(&[1]), int(1))),
    });
    assert_eq!(native.text, "cursor over Order");
    let above = native.above.expect("something above");
    assert!(above.contains("a quantifier about [7]"), "{above}");
    let native = told(&Request::Delete {
        model: SHOP,
        select: Select::All,
    });
    assert!(
        native
            .above
            .is_some_and(|above| above.contains("no cascade"))
    );
    let native = told(&Request::Update {
        model: ORDER,
        select: Select::Point(order::ID),
        set: vec![(order::COUNT, int(1))],
        by: UpdateBy::Idiom,
    });
    assert_eq!(native.text, "box Order: get by id, then put");
}

#[test]
fn keys_are_told_as_ids() {
    let native = count(compare(CompareOp::Equal, at(&[order::ID]), int(7)));
    assert_eq!(native.text, "box Order: get by id, 1 of them");
    let native = count(compare(CompareOp::Less, at(&[order::ID]), int(7)));
    assert!(native.text.contains("id < id 8"), "{}", native.text);
}
