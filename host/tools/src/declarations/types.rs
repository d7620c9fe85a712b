//! The named types of one file: each name is used once, and equal types share one name.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
};

use super::{
    names::type_name,
    shape::{Definition, Record, Shape},
    shapes::Shapes,
};

/// The types that have been written so far, in order.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// By name: the hash of the type's contents.
    known: HashMap<String, u64>,
    pub(super) written: Vec<String>,
}

/// The result of claiming a name for a type.
pub(super) enum Claim {
    /// The name is new; the text of the type has to be written.
    New(String),
    /// The same type has been written under this name before.
    Same(String),
}

impl Types {
    /// Returns a name for a type: the same name for the same contents, a different name for different contents.
    pub(super) fn claim(&mut self, wish: &str, contents: u64) -> Claim {
        let base = type_name(wish);
        for number in 1_u32.. {
            let name = if number == 1 { base.clone() } else { format!("{base}{number}") };
            match self.known.get(&name) {
                None => {
                    self.known.insert(name.clone(), contents);
                    return Claim::New(name);
                }
                Some(known) if *known == contents => return Claim::Same(name),
                Some(_) => {}
            }
        }
        // Unreachable: there are more numbers than types.
        Claim::Same(base)
    }
}

/// The types of one tool's schema in the file, and which of them have a name already.
pub(super) struct Names<'a> {
    types: &'a mut Types,
    shapes: &'a Shapes<'a>,
    /// Names of definitions that are being written or have been written, by index.
    definitions: Vec<(usize, String)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(types: &'a mut Types, shapes: &'a Shapes<'a>) -> Self {
        Self { types, shapes, definitions: Vec::new() }
    }

    /// Claims a name for a definition and records it before the definition is written, because it may refer to itself.
    pub(super) fn definition(&mut self, index: usize) -> Claim {
        if let Some((_, name)) = self.definitions.iter().find(|(known, _)| *known == index) {
            return Claim::Same(name.clone());
        }
        let claim = self.types.claim(&self.shapes.definitions[index].name, contents(&Shape::Named(index), self.shapes));
        let (Claim::New(name) | Claim::Same(name)) = &claim;
        self.definitions.push((index, name.clone()));
        claim
    }

    /// Claims a name for an object without a definition: its title, else `wish`.
    pub(super) fn record(&mut self, shape: &Shape, record: &Record, wish: &str) -> Claim {
        self.types.claim(record.title.as_deref().unwrap_or(wish), contents(shape, self.shapes))
    }

    /// The definition at an index.
    pub(super) fn defined(&self, index: usize) -> &'a Definition {
        &self.shapes.definitions[index]
    }

    /// Adds the text of a type to the file.
    pub(super) fn add(&mut self, text: String) {
        self.types.written.push(text);
    }
}

/// A hash that distinguishes shapes, including everything that they refer to.
fn contents(shape: &Shape, shapes: &Shapes<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(shape, shapes, &mut Vec::new(), &mut hasher);
    hasher.finish()
}

fn hash(shape: &Shape, shapes: &Shapes<'_>, seen: &mut Vec<usize>, hasher: &mut DefaultHasher) {
    std::mem::discriminant(shape).hash(hasher);
    match shape {
        Shape::Literals(values) => values.iter().for_each(|value| value.to_string().hash(hasher)),
        Shape::List(item) | Shape::Map(item) => hash(item, shapes, seen, hasher),
        Shape::Tuple(items) | Shape::Union(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash(item, shapes, seen, hasher));
        }
        Shape::Record(record) => hash_record(record, shapes, seen, hasher),
        Shape::Named(index) => {
            let definition = &shapes.definitions[*index];
            definition.name.hash(hasher);
            if !seen.contains(index) {
                seen.push(*index);
                hash(&definition.shape, shapes, seen, hasher);
            }
        }
        _ => {}
    }
}

fn hash_record(record: &Record, shapes: &Shapes<'_>, seen: &mut Vec<usize>, hasher: &mut DefaultHasher) {
    record.fields.len().hash(hasher);
    for field in &record.fields {
        field.name.hash(hasher);
        field.required.hash(hasher);
        field.description.hash(hasher);
        hash(&field.shape, shapes, seen, hasher);
    }
    if let Some(others) = &record.others {
        hash(others, shapes, seen, hasher);
    }
}
