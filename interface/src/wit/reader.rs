//! Converts one interface of `wit-parser` to a description.

use std::collections::HashMap;

use wit_parser::{Docs, Handle, InterfaceId, Resolve, Span, Type as WitType, TypeDefKind, TypeId, TypeOwner};

use super::ReadError;
use crate::{Case, Definition, Field, Function, FunctionName, Interface, InterfaceName, Kind, Label, Parameter, Type};

/// The parts of an interface that were read so far.
pub(super) struct Reader<'a> {
    resolve: &'a Resolve,
    interface: InterfaceId,
    types: Vec<Definition>,
    places: HashMap<TypeId, usize>,
    lines: HashMap<String, String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(resolve: &'a Resolve, interface: InterfaceId) -> Self {
        Self { resolve, interface, types: Vec::new(), places: HashMap::new(), lines: HashMap::new() }
    }

    /// Returns the interface, and the locations of its functions and types.
    pub(super) fn read(mut self, name: InterfaceName) -> Result<(Interface, HashMap<String, String>), ReadError> {
        let interface = &self.resolve.interfaces[self.interface];
        for (name, id) in &interface.types {
            self.define(*id, name)?;
        }
        let functions =
            interface.functions.values().map(|function| self.function(function)).collect::<Result<_, _>>()?;
        let docs = docs(&interface.docs);
        Ok((Interface { name, docs, types: self.types, functions }, self.lines))
    }

    fn function(&mut self, function: &wit_parser::Function) -> Result<Function, ReadError> {
        if function.kind.is_async() {
            return Err(self.unsupported(
                function.span,
                "asynchronous functions",
                "remove `async`; the host may still implement the function asynchronously",
            ));
        }
        let mut params = Vec::new();
        for param in &function.params {
            params.push(Parameter { name: param.name.clone(), kind: self.kind(&param.ty, function.span)? });
        }
        let result = function.result.as_ref().map(|kind| self.kind(kind, function.span)).transpose()?;
        self.lines.insert(function.name.clone(), self.resolve.render_location(function.span));
        Ok(Function { name: FunctionName::new(function.name.clone()), docs: docs(&function.docs), params, result })
    }

    /// Returns the index of a named type, and adds the type if necessary.
    fn define(&mut self, id: TypeId, name: &str) -> Result<usize, ReadError> {
        let original = self.original(id);
        if let Some(place) = self.places.get(&id).or_else(|| self.places.get(&original)) {
            return Ok(*place);
        }
        let definition = &self.resolve.types[original];
        let span = definition.span;
        // Functions of a resource contain its own name, even if an alias comes first.
        let name = if self.is_resource(original) { definition.name.as_deref().unwrap_or(name) } else { name };
        let kind = match &definition.kind {
            TypeDefKind::Record(record) if record.fields.is_empty() => {
                return Err(self.unsupported(span, "a record without fields", "add a field, or remove the record"));
            }
            TypeDefKind::Flags(flags) if flags.flags.is_empty() => {
                return Err(self.unsupported(span, "flags without a name", "add a name, or remove the flags"));
            }
            TypeDefKind::Record(record) => {
                let mut fields = Vec::new();
                for field in &record.fields {
                    let kind = self.kind(&field.ty, field.span)?;
                    fields.push(Field { name: field.name.clone(), docs: docs(&field.docs), kind });
                }
                Kind::Record { fields }
            }
            TypeDefKind::Variant(variant) => {
                let mut cases = Vec::new();
                for case in &variant.cases {
                    let kind = case.ty.as_ref().map(|kind| self.kind(kind, case.span)).transpose()?;
                    cases.push(Case { name: case.name.clone(), docs: docs(&case.docs), kind });
                }
                Kind::Variant { cases }
            }
            TypeDefKind::Enum(kind) => {
                Kind::Enum { cases: kind.cases.iter().map(|case| label(&case.name, &case.docs)).collect() }
            }
            TypeDefKind::Flags(kind) => {
                Kind::Flags { flags: kind.flags.iter().map(|flag| label(&flag.name, &flag.docs)).collect() }
            }
            TypeDefKind::Resource if definition.owner == TypeOwner::Interface(self.interface) => Kind::Resource,
            TypeDefKind::Resource => {
                return Err(self.unsupported(
                    span,
                    "resources of another interface",
                    "define the resource in this interface",
                ));
            }
            _ => Kind::Alias { target: self.anonymous(original, span)? },
        };
        let name = self.name(id, original, name);
        let origin = self.origin(original);
        self.lines.insert(name.clone(), self.resolve.render_location(span));
        self.types.push(Definition { name, docs: docs(&definition.docs), origin, kind });
        let place = self.types.len() - 1;
        self.places.insert(id, place);
        self.places.insert(original, place);
        Ok(place)
    }

    /// Returns the type of the other interface for a type from `use`, and the resource for an alias of a resource, because both
    /// have the same handles.
    fn original(&self, id: TypeId) -> TypeId {
        let own = |id: TypeId| self.resolve.types[id].owner == TypeOwner::Interface(self.interface);
        match self.resolve.types[id].kind {
            TypeDefKind::Type(WitType::Id(other)) if !own(other) || !own(id) || self.is_resource(other) => {
                self.original(other)
            }
            _ => id,
        }
    }

    fn is_resource(&self, id: TypeId) -> bool {
        match self.resolve.types[id].kind {
            TypeDefKind::Type(WitType::Id(other)) => self.is_resource(other),
            TypeDefKind::Resource => true,
            _ => false,
        }
    }

    /// Returns the interface and name of a type of another interface.
    fn origin(&self, id: TypeId) -> Option<(InterfaceName, String)> {
        let definition = &self.resolve.types[id];
        match definition.owner {
            TypeOwner::Interface(owner) if owner != self.interface => {
                Some((self.resolve.id_of(owner)?.parse().ok()?, definition.name.clone()?))
            }
            _ => None,
        }
    }

    /// Returns the name of a type. A type of another interface gets a new name if this interface has a type of the same name.
    fn name(&self, id: TypeId, original: TypeId, name: &str) -> String {
        let named_here = &self.resolve.interfaces[self.interface].types;
        let is_taken = |name: &str| {
            named_here.get(name).is_some_and(|other| *other != id && self.original(*other) != original)
                || self.types.iter().any(|other| other.name == name)
        };
        let mut name = name.to_owned();
        if is_taken(&name)
            && let TypeOwner::Interface(owner) = self.resolve.types[original].owner
            && let Some(owner) = &self.resolve.interfaces[owner].name
        {
            name = format!("{owner}-{name}");
        }
        while is_taken(&name) {
            name.push_str("-other");
        }
        name
    }

    fn kind(&mut self, kind: &WitType, span: Span) -> Result<Type, ReadError> {
        Ok(match kind {
            WitType::Bool => Type::Bool,
            WitType::U8 => Type::U8,
            WitType::U16 => Type::U16,
            WitType::U32 => Type::U32,
            WitType::U64 => Type::U64,
            WitType::S8 => Type::S8,
            WitType::S16 => Type::S16,
            WitType::S32 => Type::S32,
            WitType::S64 => Type::S64,
            WitType::F32 => Type::F32,
            WitType::F64 => Type::F64,
            WitType::Char => Type::Char,
            WitType::String => Type::String,
            WitType::ErrorContext => return Err(self.unsupported(span, "error contexts", "use a string or a variant")),
            WitType::Id(id) => match &self.resolve.types[*id].name {
                Some(name) => Type::Named(self.define(*id, name)?),
                None => self.anonymous(*id, span)?,
            },
        })
    }

    /// Returns a type without a name.
    fn anonymous(&mut self, id: TypeId, span: Span) -> Result<Type, ReadError> {
        let boxed = |reader: &mut Self, kind: &WitType| reader.kind(kind, span).map(Box::new);
        Ok(match &self.resolve.types[id].kind {
            TypeDefKind::Type(kind) => self.kind(kind, span)?,
            TypeDefKind::List(element) => Type::List(boxed(self, element)?),
            TypeDefKind::Option(some) => Type::Option(boxed(self, some)?),
            TypeDefKind::Tuple(tuple) if tuple.types.is_empty() => {
                return Err(self.unsupported(
                    span,
                    "an empty tuple",
                    "remove it; `result` and `option` do not need one",
                ));
            }
            TypeDefKind::Tuple(tuple) => {
                Type::Tuple(tuple.types.iter().map(|kind| self.kind(kind, span)).collect::<Result<_, _>>()?)
            }
            TypeDefKind::Result(result) => Type::Result {
                ok: result.ok.as_ref().map(|kind| boxed(self, kind)).transpose()?,
                error: result.err.as_ref().map(|kind| boxed(self, kind)).transpose()?,
            },
            TypeDefKind::Handle(Handle::Own(resource)) => Type::Own(self.resource(*resource)?),
            TypeDefKind::Handle(Handle::Borrow(resource)) => Type::Borrow(self.resource(*resource)?),
            other => {
                let what = format!("a {}", other.as_str());
                return Err(self.unsupported(span, &what, "use lists, records and resources"));
            }
        })
    }

    fn resource(&mut self, id: TypeId) -> Result<usize, ReadError> {
        let original = self.original(id);
        let name = self.resolve.types[original].name.clone().unwrap_or_default();
        self.define(original, &name)
    }

    fn unsupported(&self, span: Span, what: &str, hint: &str) -> ReadError {
        ReadError(format!("{}: {what} cannot be served\nhint: {hint}", self.resolve.render_location(span)))
    }
}

fn label(name: &str, text: &Docs) -> Label {
    Label { name: name.to_owned(), docs: docs(text) }
}

fn docs(docs: &Docs) -> String {
    docs.contents.as_deref().unwrap_or_default().trim().to_owned()
}
