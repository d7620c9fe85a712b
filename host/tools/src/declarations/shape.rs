//! The values that a JSON Schema allows, as far as types of a programming language can express them.

use serde_json::Value;

/// Maximum number of literal values in one type, and the maximum length of a literal string in bytes.
const LITERALS: usize = 64;
const LITERAL_LENGTH: usize = 100;

/// The values that are allowed in one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Anything,
    Nothing,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    /// One of these strings, integers, booleans or null.
    Literals(Vec<Value>),
    List(Box<Shape>),
    Tuple(Vec<Shape>),
    /// An object with any keys, whose values have this shape.
    Map(Box<Shape>),
    Record(Record),
    Union(Vec<Shape>),
    /// The index of one of [`Shapes::definitions`].
    Named(usize),
}

/// An object with known keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    pub title: Option<String>,
    pub fields: Vec<Field>,
    /// The shape of values at other keys, if the schema explicitly allows some.
    pub others: Option<Box<Shape>>,
}

/// One key of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub name: String,
    pub shape: Shape,
    pub required: bool,
    pub description: Option<String>,
    pub constraints: Option<String>,
    pub default: Option<Value>,
}

/// A named shape, which can refer to itself.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub name: String,
    pub shape: Shape,
}

/// The union of several shapes, without duplicates.
pub(crate) fn union(shapes: Vec<Shape>) -> Shape {
    let mut all: Vec<Shape> = Vec::new();
    for shape in shapes {
        let members = match shape {
            Shape::Union(members) => members,
            shape => vec![shape],
        };
        for member in members {
            match member {
                Shape::Anything => return Shape::Anything,
                Shape::Nothing => {}
                Shape::Literals(values) => match all.iter_mut().find_map(literals_of) {
                    Some(known) => {
                        known.extend(values.into_iter().filter(|value| !known.contains(value)).collect::<Vec<_>>())
                    }
                    None => all.push(Shape::Literals(values)),
                },
                member if all.contains(&member) => {}
                member => all.push(member),
            }
        }
    }
    match all.len() {
        0 => Shape::Nothing,
        1 => all.swap_remove(0),
        _ => Shape::Union(all),
    }
}

fn literals_of(shape: &mut Shape) -> Option<&mut Vec<Value>> {
    match shape {
        Shape::Literals(values) => Some(values),
        _ => None,
    }
}

/// The values as literals, if both languages can express each of them as a literal type; else `None`.
pub(super) fn literals(values: &[Value]) -> Option<Shape> {
    let fits = |value: &Value| match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => number.is_i64(),
        Value::String(text) => text.len() <= LITERAL_LENGTH,
        Value::Array(_) | Value::Object(_) => false,
    };
    let listed = !values.is_empty() && values.len() <= LITERALS && values.iter().all(fits);
    listed.then(|| {
        let mut once: Vec<Value> = Vec::new();
        for value in values {
            if !once.contains(value) {
                once.push(value.clone());
            }
        }
        Shape::Literals(once)
    })
}

/// The type of a value.
pub(super) fn of_value(value: &Value) -> Shape {
    match value {
        Value::Null => Shape::Null,
        Value::Bool(_) => Shape::Boolean,
        Value::Number(number) if number.is_f64() => Shape::Number,
        Value::Number(_) => Shape::Integer,
        Value::String(_) => Shape::Text,
        Value::Array(_) => Shape::List(Box::new(Shape::Anything)),
        Value::Object(_) => Shape::Map(Box::new(Shape::Anything)),
    }
}

pub(super) fn size(shape: &Shape) -> usize {
    1 + match shape {
        Shape::List(item) | Shape::Map(item) => size(item),
        Shape::Tuple(items) | Shape::Union(items) => items.iter().map(size).sum(),
        Shape::Record(record) => record.fields.iter().map(|field| size(&field.shape)).sum(),
        _ => 0,
    }
}
