//! Conditions, orders and leftover predicates in words.

use crate::base::Value;
use crate::engines::Setting;
use crate::engines::objectbox::compile::{
    Check, Condition, LinkKind, Node, Operand, Test, TextCheck,
};
use crate::engines::objectbox::ffi::types::order as flag;
use crate::engines::objectbox::layout::{Entity, Layout};
use crate::engines::objectbox::query::Order;
use crate::plan::schema::ModelId;
use crate::plan::{CompareOp, Expr};

/// A node as ` where …`.
pub fn node(layout: &Layout, model: ModelId, node: &Node) -> String {
    let parts = parts(layout, model, node);
    if parts.is_empty() {
        return String::new();
    }
    format!(" where {}", parts.join(" and "))
}

fn parts(layout: &Layout, model: ModelId, node: &Node) -> Vec<String> {
    let entity = &layout.entities[model];
    let mut parts: Vec<String> = node
        .conditions
        .iter()
        .map(|c| condition(entity, c))
        .collect();
    for link in &node.links {
        let target = &layout.entities[link.target];
        let along = match link.kind {
            LinkKind::ToOne(id) => format!("link {}", name(entity, id)),
            LinkKind::Back(id) => format!("backlink {}.{}", target.name, name(target, id)),
            LinkKind::ToMany(id) => {
                let relation = layout.relations.get(id as usize - 1);
                format!("link {}", relation.map_or("?", |r| &r.name))
            }
        };
        let inner = self::parts(layout, link.target, &link.node).join(" and ");
        parts.push(format!("{along} ({inner})"));
    }
    parts
}

fn name(entity: &Entity, id: u32) -> &str {
    let property = entity.properties.get(id as usize - 1);
    property.map_or("?", |property| &property.name)
}

fn condition(entity: &Entity, condition: &Condition) -> String {
    let joined = |parts: &[Condition], word: &str| {
        let parts: Vec<String> = parts.iter().map(|p| self::condition(entity, p)).collect();
        format!("({})", parts.join(word))
    };
    match condition {
        Condition::Always => "true".into(),
        Condition::Never => "false".into(),
        Condition::All(parts) => joined(parts, " and "),
        Condition::Any(parts) => joined(parts, " or "),
        Condition::Test(one) => test(entity, one),
    }
}

fn test(entity: &Entity, test: &Test) -> String {
    let property = &entity.properties[test.property].name;
    let case = |case: &bool| if *case { "" } else { " (case-insensitive)" };
    match &test.check {
        Check::Null => format!("{property} is null"),
        Check::NotNull => format!("{property} not null"),
        // Ids have no sign.
        Check::Int(op, Operand::Value(int)) if test.property == 0 => {
            format!("{property} {} id {}", sign(*op), *int as u64)
        }
        Check::Int(op, operand) => format!("{property} {} {}", sign(*op), one(operand)),
        Check::Double(op, operand) => format!("{property} {} {}", sign(*op), one(operand)),
        Check::Ints(values) => format!("{property} in {values:?}"),
        Check::Texts(values, sensitive) => format!("{property} in {values:?}{}", case(sensitive)),
        Check::Bytes(op, operand) => format!("{property} {} {}", sign(*op), one(operand)),
        Check::Text(check, operand, sensitive) => {
            let check = match check {
                TextCheck::Compare(op) => sign(*op),
                TextCheck::Contains => "contains",
                TextCheck::StartsWith => "starts with",
                TextCheck::EndsWith => "ends with",
                TextCheck::Element => "has element",
            };
            format!("{property} {check} {}{}", one(operand), case(sensitive))
        }
    }
}

fn one<T: std::fmt::Debug>(operand: &Operand<T>) -> String {
    match operand {
        Operand::Value(value) => format!("{value:?}"),
        Operand::Argument(at) => format!("${at}"),
    }
}

fn sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessOrEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterOrEqual => ">=",
    }
}

/// An order as ` order …`.
pub fn order(entity: &Entity, order: &Order) -> String {
    let keys = order.iter().map(|(at, flags)| {
        let descending = if flags & flag::DESCENDING != 0 {
            " desc"
        } else {
            ""
        };
        format!("{}{descending}", entity.properties[*at].name)
    });
    format!(" order {}", keys.collect::<Vec<_>>().join(", "))
}

/// A leftover predicate, by what it is about.
pub fn expression(expr: &Expr, setting: &Setting<'_>) -> String {
    let parts = match expr {
        Expr::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let parts: Vec<String> = parts.iter().map(|part| about(part, setting)).collect();
    parts.join(", ")
}

fn about(expr: &Expr, setting: &Setting<'_>) -> String {
    let mut paths: Vec<String> = Vec::new();
    let mut hooks: Vec<String> = Vec::new();
    collect(expr, setting, &mut paths, &mut hooks);
    let kind = match expr {
        Expr::Compare {
            ignoring_case: true,
            ..
        } => "a comparison ignoring case",
        Expr::Compare { .. } | Expr::Between { .. } => "a comparison",
        Expr::In { .. } => "a membership",
        Expr::TextMatch { .. } => "a match of a text",
        Expr::Quantified { .. } => "a quantifier",
        Expr::Not(_) => "a negation",
        Expr::Or(_) => "a choice",
        Expr::Hook { .. } => "a hook",
        Expr::Literal(Value::Bool(_)) => "a constant",
        _ => "a condition",
    };
    let mut words = kind.to_owned();
    if !paths.is_empty() {
        words.push_str(&format!(" about {}", paths.join(", ")));
    }
    if !hooks.is_empty() {
        words.push_str(&format!(" by {}", hooks.join(", ")));
    }
    words
}

/// Paths and hooks of an expression; what stands inside a quantifier is told
/// by what the quantifier is over.
fn collect(expr: &Expr, setting: &Setting<'_>, paths: &mut Vec<String>, hooks: &mut Vec<String>) {
    match expr {
        Expr::Path(path) | Expr::IsEmpty(path) => add(paths, &path.text),
        Expr::Quantified { over, .. } | Expr::CountOf { over, .. } => {
            add(paths, &over.text);
            return;
        }
        Expr::Hook { hook, .. } => {
            if let Some(hook) = setting.hooks.get(*hook) {
                add(hooks, &format!("hook `{}`", hook.name));
            }
        }
        _ => {}
    }
    expr.for_each_child(&mut |child| collect(child, setting, paths, hooks));
}

fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}
