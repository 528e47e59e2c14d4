//! What the query builder can say.

use crate::plan::CompareOp;
use crate::plan::schema::ModelId;

/// A query builder's content: a condition, and links to others' builders. All
/// of them have to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// About the object itself.
    pub conditions: Vec<Condition>,
    /// About objects that it is linked with.
    pub links: Vec<Link>,
}

/// Some object behind a relation fulfils a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Along what.
    pub kind: LinkKind,
    /// The entity behind it.
    pub target: ModelId,
    /// What holds there.
    pub node: Node,
}

/// What a link goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A to-one property, by its id.
    ToOne(u32),
    /// Back along a to-one property of the target, by its id.
    Back(u32),
    /// A to-many relation, by its id.
    ToMany(u32),
}

/// A condition about an object's own properties.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Always.
    Always,
    /// Never.
    Never,
    /// All of them.
    All(Vec<Condition>),
    /// One of them.
    Any(Vec<Condition>),
    /// A single test.
    Test(Test),
}

/// A test of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Place of the property in its entity.
    pub property: usize,
    /// What it has to be.
    pub check: Check,
}

/// What a property has to be; a null is none of it but [`Check::Null`].
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// Null.
    Null,
    /// Any value.
    NotNull,
    /// An int, moment, bool, case or id.
    Int(CompareOp, Operand<i64>),
    /// One of these.
    Ints(Vec<i64>),
    /// A double; equality as both ends of a range.
    Double(CompareOp, Operand<f64>),
    /// A text, case-sensitively or not.
    Text(TextCheck, Operand<String>, bool),
    /// One of these texts, case-sensitively or not.
    Texts(Vec<String>, bool),
    /// Bytes.
    Bytes(CompareOp, Operand<Vec<u8>>),
}

/// How a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextCheck {
    /// By bytes.
    Compare(CompareOp),
    /// Anywhere in it.
    Contains,
    /// At its start.
    StartsWith,
    /// At its end.
    EndsWith,
    /// An element of a list of texts.
    Element,
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<T> {
    /// This.
    Value(T),
    /// The argument at this place.
    Argument(usize),
}

impl Condition {
    /// A single test.
    pub fn test(property: usize, check: Check) -> Condition {
        Condition::Test(Test { property, check })
    }

    /// Without constants inside; a junction of one is that one.
    pub fn simplified(self) -> Condition {
        let (all, conditions) = match self {
            Condition::All(conditions) => (true, conditions),
            Condition::Any(conditions) => (false, conditions),
            other => return other,
        };
        let (neutral, absorbing) = match all {
            true => (Condition::Always, Condition::Never),
            false => (Condition::Never, Condition::Always),
        };
        let mut kept = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match condition.simplified() {
                one if one == neutral => {}
                one if one == absorbing => return absorbing,
                Condition::All(inner) if all => kept.extend(inner),
                Condition::Any(inner) if !all => kept.extend(inner),
                one => kept.push(one),
            }
        }
        match (kept.len(), all) {
            (0, _) => neutral,
            (1, _) => kept.remove(0),
            (_, true) => Condition::All(kept),
            (_, false) => Condition::Any(kept),
        }
    }

    fn for_each(&self, visit: &mut dyn FnMut(&Test)) {
        match self {
            Condition::Test(test) => visit(test),
            Condition::All(inner) | Condition::Any(inner) => {
                inner.iter().for_each(|one| one.for_each(visit));
            }
            Condition::Always | Condition::Never => {}
        }
    }
}

impl Node {
    /// Takes constants out.
    pub fn simplify(&mut self) {
        self.links.iter_mut().for_each(|link| link.node.simplify());
        let conditions = std::mem::take(&mut self.conditions);
        match Condition::All(conditions).simplified() {
            Condition::Always => {}
            Condition::All(all) => self.conditions = all,
            one => self.conditions = vec![one],
        }
    }

    /// Whether nothing can fulfil it.
    pub fn is_never(&self) -> bool {
        self.conditions.contains(&Condition::Never)
            || self.links.iter().any(|link| link.node.is_never())
    }

    /// Whether everything fulfils it.
    pub fn is_always(&self) -> bool {
        self.conditions.is_empty() && self.links.is_empty()
    }

    /// Visits every test with the model that it is about, in the order in
    /// which the builder puts them.
    pub fn for_each_test(&self, model: ModelId, visit: &mut dyn FnMut(ModelId, &Test)) {
        for condition in &self.conditions {
            condition.for_each(&mut |test| visit(model, test));
        }
        for link in &self.links {
            link.node.for_each_test(link.target, visit);
        }
    }
}
