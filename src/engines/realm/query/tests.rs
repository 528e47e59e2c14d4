//! What is said to Realm, and what is not.

use super::comparison::{Verdict, verdict};
use super::filter::split;
use super::slot::{Operand, Slot, Wanted};
use super::text_match::{folds_alike, pattern};
use super::*;
use crate::base::Value;
use crate::engines::realm::layout::Layout;
use crate::engines::realm::query::tail::Tail;
use crate::plan::schema::{Field, FieldKind, Index, IndexColumn, Model, Ownership, Schema};
use crate::plan::{
    ArithOp, CompareOp, Expr, OrderKey, Path, Quantifier, Query, Scalar, Select, TextOp,
};

const STUDENT: usize = 0;
const GRADE: usize = 1;
const ID: usize = 0;
const NAME: usize = 1;
const AGE: usize = 2;
const META: usize = 3;
const TAGS: usize = 4;
const BOSS: usize = 5;
const GRADES: usize = 6;

/// `Student { id, name, age?, meta, tags, none?: Student, grades } Grade { subject, student }`
fn layout() -> Layout {
    let field = |name: &str, kind, optional| Field {
        name: name.into(),
        kind,
        optional,
    };
    let scalar = |name: &str, scalar| field(name, FieldKind::Scalar(scalar), false);
    let student = Model {
        name: "Student".into(),
        fields: vec![
            scalar("id", Scalar::Int),
            scalar("name", Scalar::Text),
            field("age", FieldKind::Scalar(Scalar::Int), true),
            scalar("meta", Scalar::Json),
            field("tags", FieldKind::List(Scalar::Text), false),
            // A word of the query language.
            field(
                "none",
                FieldKind::ToOne {
                    target: STUDENT,
                    ownership: Ownership::Linked,
                    cascade: false,
                    inverse_of: None,
                },
                true,
            ),
            field(
                "grades",
                FieldKind::ToMany {
                    target: GRADE,
                    ownership: Ownership::Owned { max: 3 },
                    cascade: true,
                    inverse: Some(1),
                },
                false,
            ),
        ],
        key: Some(ID),
        indexes: vec![index("Student_name", &[NAME], false)],
    };
    let grade = Model {
        name: "Grade".into(),
        fields: vec![
            scalar("subject", Scalar::Text),
            field(
                "student",
                FieldKind::ToOne {
                    target: STUDENT,
                    ownership: Ownership::Owned { max: 3 },
                    cascade: false,
                    inverse_of: Some(GRADES),
                },
                false,
            ),
        ],
        key: None,
        indexes: vec![index("Grade_subject", &[0], false)],
    };
    Layout::of(
        &Schema {
            models: vec![student, grade],
        },
        false,
    )
}

fn index(name: &str, fields: &[usize], unique: bool) -> Index {
    let column = |field: &usize| IndexColumn {
        field: *field,
        descending: false,
    };
    Index {
        name: name.into(),
        columns: fields.iter().map(column).collect(),
        unique,
    }
}

fn path(hops: &[usize]) -> Path {
    Path {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: String::new(),
    }
}

fn at(hops: &[usize]) -> Expr {
    Expr::Path(path(hops))
}

fn value(value: Value) -> Expr {
    Expr::Literal(value)
}

fn text(text: &str) -> Expr {
    value(Value::Text(text.into()))
}

fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    Expr::Compare {
        op,
        left: Box::new(left),
        right: Box::new(right),
        ignoring_case: false,
    }
}

fn equal(left: Expr, right: Expr) -> Expr {
    compare(CompareOp::Equal, left, right)
}

/// The text for a predicate that is said whole.
fn said(model: usize, expr: Expr) -> String {
    let layout = layout();
    let (filter, above) = split(&layout, model, &expr, None);
    assert_eq!(above, None, "{}", filter.text);
    filter.text
}

fn unsaid(model: usize, expr: Expr) {
    let (filter, above) = split(&layout(), model, &expr, None);
    assert_eq!((filter.text.as_str(), above), ("TRUEPREDICATE", Some(expr)));
    assert!(filter.slots.is_empty());
}

#[test]
fn paths_and_nulls() {
    use CompareOp::*;
    let int = |int| value(Value::Int(int));
    assert_eq!(said(STUDENT, equal(at(&[NAME]), text("x"))), "name == $0");
    assert_eq!(said(STUDENT, compare(Less, int(3), at(&[AGE]))), "age > $0");
    assert_eq!(
        said(STUDENT, equal(at(&[BOSS, BOSS, AGE]), int(3))),
        "none_.none_.age == $0"
    );
    // Behind a back-link Realm sees a collection, of one owner or none.
    let back = |op| compare(op, at(&[1, AGE]), int(3));
    assert_eq!(said(GRADE, back(Less)), "ANY student.age < $0");
    assert_eq!(said(GRADE, back(NotEqual)), "NOT (ANY student.age == $0)");
    let null = |hops: &[usize]| Expr::IsNull(Box::new(at(hops)));
    assert_eq!(
        said(GRADE, null(&[1, AGE])),
        "NOT (ANY student.age != NULL)"
    );
    assert_eq!(said(GRADE, null(&[1])), "student.@count == 0");
    assert_eq!(said(STUDENT, null(&[BOSS])), "none_ == NULL");
    assert_eq!(said(STUDENT, null(&[NAME])), "FALSEPREDICATE");
    let nothing = value(Value::Null);
    assert_eq!(
        said(STUDENT, equal(at(&[AGE]), nothing.clone())),
        "FALSEPREDICATE"
    );
    assert_eq!(
        said(STUDENT, compare(NotEqual, at(&[AGE]), nothing)),
        "age != NULL"
    );
    assert_eq!(
        said(STUDENT, equal(at(&[AGE]), at(&[ID]))),
        "(age == id AND age != NULL)"
    );
}

#[test]
fn children_and_elements() {
    let subject = |word: &str| equal(at(&[0]), text(word));
    let any = |quantifier, over: &[usize], predicate| Expr::Quantified {
        quantifier,
        over: path(over),
        predicate: Box::new(predicate),
    };
    assert_eq!(
        said(STUDENT, any(Quantifier::Any, &[GRADES], subject("art"))),
        "SUBQUERY(grades, $x0, $x0.subject == $0).@count > 0"
    );
    assert_eq!(
        said(
            STUDENT,
            any(Quantifier::All, &[BOSS, GRADES], subject("art"))
        ),
        "SUBQUERY(none_.grades, $x0, NOT ($x0.subject == $0)).@count == 0"
    );
    let nested = any(Quantifier::None, &[1, GRADES], subject("art"));
    assert_eq!(
        said(STUDENT, any(Quantifier::Any, &[GRADES], nested)),
        "SUBQUERY(grades, $x0, SUBQUERY($x0.student.grades, $x1, $x1.subject == $0).@count == 0).@count > 0"
    );
    let tag = |quantifier| any(quantifier, &[TAGS], equal(Expr::It, text("x")));
    assert_eq!(said(STUDENT, tag(Quantifier::Any)), "ANY tags == $0");
    assert_eq!(said(STUDENT, tag(Quantifier::None)), "NOT (ANY tags == $0)");
    assert_eq!(said(STUDENT, tag(Quantifier::All)), "NOT (ANY tags != $0)");
    let count = Expr::CountOf {
        over: path(&[GRADES]),
        predicate: None,
    };
    let more = compare(CompareOp::Greater, count, value(Value::Float(2.5)));
    assert_eq!(said(STUDENT, more), "grades.@count > $0");
    assert_eq!(
        said(STUDENT, Expr::IsEmpty(path(&[TAGS]))),
        "tags.@count == 0"
    );
}

#[test]
fn what_realm_answers_otherwise_stays_above() {
    // Its order of texts is by signed characters.
    unsaid(STUDENT, compare(CompareOp::Less, at(&[NAME]), text("x")));
    let inside = Expr::Path(Path {
        json: vec!["n".into()],
        ..path(&[META])
    });
    unsaid(STUDENT, equal(inside, value(Value::Int(1))));
    let sum = Expr::Arith {
        op: ArithOp::Add,
        left: Box::new(at(&[AGE])),
        right: Box::new(value(Value::Int(1))),
    };
    unsaid(STUDENT, equal(sum.clone(), value(Value::Int(1))));
    // What can be said of an `and` is, and leaves no arguments of the rest.
    let half = Expr::Or(vec![
        equal(at(&[NAME]), text("gone")),
        equal(sum, value(Value::Int(1))),
    ]);
    let both = Expr::And(vec![half.clone(), equal(at(&[AGE]), value(Value::Int(7)))]);
    let (filter, above) = split(&layout(), STUDENT, &both, None);
    assert_eq!((filter.text.as_str(), above), ("age == $0", Some(half)));
    assert_eq!(filter.bind(&[]), Some(vec![Value::Int(7)]));
}

#[test]
fn ints_meet_floats_without_rounding() {
    use CompareOp::*;
    let int = |op, float| verdict(&Scalar::Int, op, Value::Float(float)).unwrap();
    let than = |op, int| Verdict::Compare(op, Value::Int(int));
    assert_eq!(int(Less, 2.5), than(Less, 3));
    assert_eq!(int(LessOrEqual, 2.5), than(LessOrEqual, 2));
    assert_eq!(int(Greater, -2.5), than(Greater, -3));
    assert_eq!(int(GreaterOrEqual, -2.5), than(GreaterOrEqual, -2));
    assert_eq!(int(Equal, 2.5), Verdict::Never);
    assert_eq!(int(NotEqual, 2.5), Verdict::Always);
    assert_eq!(int(Less, 1e300), Verdict::Values);
    assert_eq!(int(Greater, f64::NEG_INFINITY), Verdict::Values);
    assert_eq!(int(GreaterOrEqual, 1e300), Verdict::Never);
    // 2^53 + 1 is no float.
    let odd = Value::Int(9_007_199_254_740_993);
    assert_eq!(verdict(&Scalar::Float, Equal, odd), None);
    let least = Value::Int(i64::MIN);
    assert_eq!(
        verdict(&Scalar::Int, GreaterOrEqual, least.clone()),
        Some(Verdict::Values)
    );
    assert_eq!(verdict(&Scalar::Int, Less, least), Some(Verdict::Never));
}

#[test]
fn patterns_become_wildcards_where_they_can() {
    let like = |text: &str| pattern(TextOp::Like, text, false);
    assert_eq!(like("J%e_").as_deref(), Some("J*e?"));
    assert_eq!(like("a%%").as_deref(), Some("a*"));
    assert_eq!(like(r"50\%").as_deref(), Some("50%"));
    assert_eq!(like("what?"), None);
    assert_eq!(pattern(TextOp::Like, "a_", true), None);
    assert!(folds_alike("Jane", true) && folds_alike("Jim", true));
    assert!(!folds_alike("Jim", false) && !folds_alike("Kate", true) && !folds_alike("é", true));
}

#[test]
fn an_argument_that_does_not_fit_is_noticed() {
    let slot = |wanted| Slot {
        operand: Operand::Argument(0),
        wanted,
    };
    let int = slot(Wanted::Exactly(Scalar::Int));
    assert_eq!(int.bind(&[Value::Int(3)]), Some(Value::Int(3)));
    for other in [Value::Null, Value::Float(3.0), Value::Int(i64::MIN)] {
        assert_eq!(int.bind(&[other]), None);
    }
    let like = slot(Wanted::Pattern {
        op: TextOp::Like,
        ignoring_case: false,
    });
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(like.bind(&[text("a%")]), Some(text("a*")));
    assert_eq!(like.bind(&[text("*")]), None);
}

#[test]
fn orders_and_limits() {
    let layout = layout();
    let query = |order: &[usize], limit, select: Select| {
        let order = order.iter().map(|field| OrderKey {
            path: path(&[*field]),
            descending: *field == AGE,
        });
        let query = Query {
            model: STUDENT,
            select,
            order: order.collect(),
            limit,
            offset: 2,
            columns: Vec::new(),
        };
        let tail = Tail::of(&layout, &query);
        Selection::of(&layout, STUDENT, &query.select, tail, None)
    };
    let text = |selection: &Selection| match &selection.access {
        Access::Query(filter) => filter.text.clone(),
        other => format!("{other:?}"),
    };
    let all = query(&[AGE, ID], Some(5), Select::All);
    assert_eq!(text(&all), "TRUEPREDICATE SORT(age DESC, id ASC) LIMIT(7)");
    // Texts are sorted above, and then everything is needed.
    let named = query(&[NAME], Some(5), Select::All);
    assert!(named.tail.sorted_above);
    assert_eq!(named.access, Access::All);
    // What decides above decides before the limit.
    let later = Select::Where(compare(CompareOp::Less, at(&[NAME]), Expr::Arg(0)));
    assert_eq!(
        text(&query(&[ID], Some(5), later)),
        "TRUEPREDICATE SORT(id ASC)"
    );
    assert_eq!(query(&[], None, Select::Point(ID)).access, Access::Key);
    assert_eq!(text(&query(&[], None, Select::Point(NAME))), "name == $0");
}
