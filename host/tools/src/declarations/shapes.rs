//! Converts JSON Schemas to shapes.
//!
//! Schemas come from third-party services. Any schema results in a shape, and its size is bounded: what is too deep,
//! too large or not expressible as a type becomes [`Shape::Anything`].

use std::collections::HashMap;

use serde_json::Value;

use super::shape::{Definition, Field, Record, Shape, literals, of_value, size, union};
use crate::schema::{PROPERTIES, Resolver, constraints, description, list, required};

/// Maximum nesting of objects that is expressed in types. Deeper levels are of no use to a reader.
const DEEPEST: usize = 10;
/// Maximum number of shapes for one tool.
const SIZE: usize = 800;
/// Converts the schemas of one document to shapes.
#[derive(Debug)]
pub(crate) struct Shapes<'a> {
    resolver: Resolver<'a>,
    pub definitions: Vec<Definition>,
    known: HashMap<&'a str, Known>,
    remaining: usize,
    /// Whether something was too deep or too large and was simplified.
    pub simplified: bool,
}

#[derive(Clone, Debug)]
enum Known {
    /// The conversion is in progress. A reference to it at this point is recursive and needs a definition, whose index
    /// this is.
    Pending(Option<usize>),
    Made(Shape),
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self {
            resolver: Resolver::new(root),
            definitions: Vec::new(),
            known: HashMap::new(),
            remaining: SIZE,
            simplified: false,
        }
    }

    /// Returns the shape of the whole document.
    pub(crate) fn root(&mut self) -> Shape {
        self.shape(self.resolver.root(), DEEPEST)
    }

    /// Returns the parameters of a tool with this schema.
    pub(crate) fn parameters(&mut self) -> Record {
        let root = self.resolver.root();
        let properties = self.resolver.properties();
        self.simplified |= properties.len() >= PROPERTIES;
        let fields = properties
            .into_iter()
            .map(|property| self.field(property.name, property.schema, property.required, DEEPEST))
            .collect();
        Record { title: None, fields, others: self.others(self.resolver.follow(root), DEEPEST) }
    }

    fn field(&mut self, name: &str, schema: &'a Value, required: bool, depth: usize) -> Field {
        let target = self.resolver.follow(schema);
        Field {
            name: name.to_owned(),
            shape: self.shape(schema, depth),
            required,
            description: description(schema).or_else(|| description(target)).map(str::to_owned),
            constraints: constraints(schema).or_else(|| constraints(target)),
            default: schema.get("default").or_else(|| target.get("default")).cloned(),
        }
    }

    fn shape(&mut self, schema: &'a Value, depth: usize) -> Shape {
        if self.remaining == 0 || depth == 0 {
            self.simplified = true;
            return Shape::Anything;
        }
        self.remaining -= 1;
        match schema {
            Value::Bool(false) => Shape::Nothing,
            Value::Object(_) => {
                let shape = self.shape_of_object(schema, depth);
                match schema.get("nullable") {
                    Some(Value::Bool(true)) => union(vec![shape, Shape::Null]),
                    _ => shape,
                }
            }
            _ => Shape::Anything,
        }
    }

    fn shape_of_object(&mut self, schema: &'a Value, depth: usize) -> Shape {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.referred(reference, depth);
        }
        if let Some(value) = schema.get("const") {
            return literals(std::slice::from_ref(value)).unwrap_or_else(|| of_value(value));
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return literals(values).unwrap_or_else(|| union(values.iter().map(of_value).collect()));
        }
        let own = self.typed(schema, depth);
        let all: Vec<Shape> = list(schema, "allOf").iter().map(|part| self.shape(part, depth - 1)).collect();
        let own = all.into_iter().fold(own, |own, part| self.both(own, part));
        let variants = ["oneOf", "anyOf"].into_iter().find(|keyword| !list(schema, keyword).is_empty());
        let Some(keyword) = variants else { return own };
        let variants: Vec<Shape> = list(schema, keyword).iter().map(|part| self.shape(part, depth - 1)).collect();
        if own != Shape::Anything && variants.iter().all(|variant| *variant == Shape::Anything) {
            return own;
        }
        union(variants.into_iter().map(|variant| self.both(own.clone(), variant)).collect())
    }

    /// Resolves a reference. Only records and recursive shapes get names; other shapes are written where they are used.
    fn referred(&mut self, reference: &'a str, depth: usize) -> Shape {
        match self.known.get_mut(reference) {
            Some(Known::Made(shape)) => {
                let shape = shape.clone();
                self.charge(&shape);
                return shape;
            }
            Some(Known::Pending(Some(index))) => return Shape::Named(*index),
            Some(Known::Pending(none)) => {
                *none = Some(self.definitions.len());
                let name = reference.rsplit(['/', '#']).next().unwrap_or_default();
                let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
                self.definitions.push(Definition { name, shape: Shape::Anything });
                return Shape::Named(self.definitions.len() - 1);
            }
            None => {}
        }
        let Some(target) = self.resolver.lookup(reference) else { return Shape::Anything };
        self.known.insert(reference, Known::Pending(None));
        let shape = self.shape(target, depth - 1);
        let pending = match self.known.get(reference) {
            Some(Known::Pending(index)) => *index,
            _ => None,
        };
        let shape = match (pending, shape) {
            // The definition consists of a reference to itself, which allows anything.
            (Some(index), Shape::Named(other)) if index == other => Shape::Anything,
            (Some(index), shape) => {
                self.definitions[index].shape = shape;
                Shape::Named(index)
            }
            (None, shape @ Shape::Record(_)) => {
                let name = reference.rsplit(['/', '#']).next().unwrap_or_default();
                let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
                self.definitions.push(Definition { name, shape });
                Shape::Named(self.definitions.len() - 1)
            }
            (None, shape) => shape,
        };
        self.known.insert(reference, Known::Made(shape.clone()));
        shape
    }

    pub(super) fn charge(&mut self, shape: &Shape) {
        self.remaining = self.remaining.saturating_sub(size(shape));
    }

    fn typed(&mut self, schema: &'a Value, depth: usize) -> Shape {
        match schema.get("type") {
            Some(Value::String(kind)) => self.of_type(kind, schema, depth),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                union(kinds.map(|kind| self.of_type(kind, schema, depth)).collect())
            }
            _ if schema.get("properties").is_some() => self.of_type("object", schema, depth),
            _ if schema.get("items").is_some() || schema.get("prefixItems").is_some() => {
                self.of_type("array", schema, depth)
            }
            _ => Shape::Anything,
        }
    }

    fn of_type(&mut self, kind: &str, schema: &'a Value, depth: usize) -> Shape {
        match kind {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer,
            "number" => Shape::Number,
            "string" => Shape::Text,
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            _ => Shape::Anything,
        }
    }

    fn array(&mut self, schema: &'a Value, depth: usize) -> Shape {
        let items = schema.get("items");
        let first = match list(schema, "prefixItems") {
            [] => items.and_then(Value::as_array).map_or(&[][..], Vec::as_slice),
            first => first,
        };
        let rest = items.filter(|items| !items.is_array());
        let mut shapes: Vec<Shape> = first.iter().map(|item| self.shape(item, depth - 1)).collect();
        let most = schema.get("maxItems").and_then(Value::as_u64);
        let closed = rest.is_none_or(|rest| *rest == Value::Bool(false)) || most == Some(shapes.len() as u64);
        if !shapes.is_empty() && closed {
            return Shape::Tuple(shapes);
        }
        shapes.push(rest.map_or(Shape::Anything, |rest| self.shape(rest, depth - 1)));
        Shape::List(Box::new(union(shapes)))
    }

    fn object(&mut self, schema: &'a Value, depth: usize) -> Shape {
        let properties =
            schema.get("properties").and_then(Value::as_object).filter(|properties| !properties.is_empty());
        let others = self.others(schema, depth);
        let Some(properties) = properties else {
            return Shape::Map(others.unwrap_or_else(|| Box::new(Shape::Anything)));
        };
        self.simplified |= properties.len() > PROPERTIES;
        let required: Vec<&str> = required(schema).collect();
        let fields = properties
            .iter()
            .take(PROPERTIES)
            .map(|(name, property)| self.field(name, property, required.contains(&name.as_str()), depth - 1))
            .filter(|field| field.shape != Shape::Nothing)
            .collect();
        let title = schema.get("title").and_then(Value::as_str).map(str::to_owned);
        Shape::Record(Record { title, fields, others })
    }

    /// Only an explicit statement counts: a schema without one allows other keys, but its author rarely means that.
    fn others(&mut self, schema: &'a Value, depth: usize) -> Option<Box<Shape>> {
        let patterns = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
        let patterns = patterns.map(|(_, schema)| schema);
        let additional = schema.get("additionalProperties").filter(|schema| **schema != Value::Bool(false));
        let shapes: Vec<Shape> = patterns.chain(additional).map(|schema| self.shape(schema, depth - 1)).collect();
        (!shapes.is_empty()).then(|| Box::new(union(shapes)))
    }
}
