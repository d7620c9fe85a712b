//! The named types of one file: each name once, and one name for what is the same.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
};

use super::{
    names::type_name,
    shape::{Definition, Record, Shape},
    shapes::Shapes,
};

/// Types that have been written so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// By name: what it stands for.
    known: HashMap<String, u64>,
    pub(super) written: Vec<String>,
}

/// What a name is to stand for.
pub(super) enum Claim {
    /// Nothing has this name yet; its text has to be written.
    New(String),
    /// It has been written before.
    Same(String),
}

impl Types {
    /// A name for a type: the same for the same contents, another one for others.
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
        // Never reached: there are more numbers than types.
        Claim::Same(base)
    }
}

/// The types of one tool's schema in the file: which of them have a name by now.
pub(super) struct Names<'a> {
    types: &'a mut Types,
    shapes: &'a Shapes<'a>,
    /// Of definitions that are being written, or have been.
    definitions: Vec<(usize, String)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(types: &'a mut Types, shapes: &'a Shapes<'a>) -> Self {
        Self { types, shapes, definitions: Vec::new() }
    }

    /// A name for a definition, which from now on has it: it may refer to itself.
    pub(super) fn definition(&mut self, index: usize) -> Claim {
        if let Some((_, name)) = self.definitions.iter().find(|(known, _)| *known == index) {
            return Claim::Same(name.clone());
        }
        let claim = self.types.claim(&self.shapes.definitions[index].name, contents(&Shape::Named(index), self.shapes));
        let (Claim::New(name) | Claim::Same(name)) = &claim;
        self.definitions.push((index, name.clone()));
        claim
    }

    /// A name for an object that has no definition: by its title, else as wished.
    pub(super) fn record(&mut self, shape: &Shape, record: &Record, wish: &str) -> Claim {
        self.types.claim(record.title.as_deref().unwrap_or(wish), contents(shape, self.shapes))
    }

    /// What a definition stands for.
    pub(super) fn defined(&self, index: usize) -> &'a Definition {
        &self.shapes.definitions[index]
    }

    /// Adds the text of a type to the file.
    pub(super) fn add(&mut self, text: String) {
        self.types.written.push(text);
    }
}

/// What tells one shape from another, with all that it refers to.
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
