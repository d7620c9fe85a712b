//! From WIT to what it says.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use wit_parser::{
    Docs, Handle, InterfaceId, PackageId, Resolve, Span, Type as WitType, TypeDefKind, TypeId, TypeOwner,
};

use crate::{Case, Definition, Field, Function, FunctionName, Interface, InterfaceName, Kind, Label, Parameter, Type};

/// Why an interface could not be read. The sentence says where in the WIT, if it is the fault of a line there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

/// Reads one interface of a package: a folder of WIT files, with what it depends on in `deps`, or a single file. The name
/// may lack its version. Gives the files, too, so that a build can watch them.
///
/// # Errors
/// If the WIT is wrong, has no such interface, or uses what cannot be served: streams, futures and other asynchronous
/// types, maps, lists of a fixed length, resources of another interface.
pub fn read(path: &Path, interface: &str) -> Result<(Interface, Vec<PathBuf>), ReadError> {
    let mut resolve = Resolve::default();
    let (package, sources) = resolve.push_path(path).map_err(|error| rendered(&resolve, &error))?;
    let files = sources.paths().map(Path::to_owned).collect();
    Ok((find(&resolve, package, interface)?, files))
}

/// Reads one interface of a package that is a text.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str, interface: &str) -> Result<Interface, ReadError> {
    let mut resolve = Resolve::default();
    let package = resolve.push_source("text.wit", text).map_err(|error| rendered(&resolve, &error))?;
    find(&resolve, package, interface)
}

fn rendered(resolve: &Resolve, error: &anyhow::Error) -> ReadError {
    ReadError(resolve.render_error(error))
}

fn find(resolve: &Resolve, package: PackageId, wanted: &str) -> Result<Interface, ReadError> {
    let name: InterfaceName = wanted.parse().map_err(|error| ReadError(format!("{error}")))?;
    let all = resolve.interfaces.iter().filter_map(|(id, _)| {
        let name: InterfaceName = resolve.id_of(id)?.parse().ok()?;
        Some((id, name))
    });
    let all: Vec<_> = all.collect();
    let fits = |(_, other): &&(InterfaceId, InterfaceName)| {
        other.is_of(&name) && (name.version.is_none() || name.version == other.version)
    };
    let Some((id, name)) = all.iter().filter(fits).max_by_key(|(_, name)| name.version.clone()) else {
        let own = |(id, _): &&(InterfaceId, InterfaceName)| resolve.interfaces[*id].package == Some(package);
        let offered: Vec<_> = all.iter().filter(own).map(|(_, name)| name.to_string()).collect();
        let offered = if offered.is_empty() { "none".to_owned() } else { offered.join(", ") };
        return Err(ReadError(format!("there is no interface `{wanted}` in the package\nhint: it has {offered}")));
    };
    Reader { resolve, interface: *id, types: Vec::new(), places: HashMap::new() }.read(name.clone())
}

struct Reader<'a> {
    resolve: &'a Resolve,
    interface: InterfaceId,
    types: Vec<Definition>,
    places: HashMap<TypeId, usize>,
}

impl Reader<'_> {
    fn read(mut self, name: InterfaceName) -> Result<Interface, ReadError> {
        let interface = &self.resolve.interfaces[self.interface];
        for (name, id) in &interface.types {
            self.define(*id, name)?;
        }
        let functions =
            interface.functions.values().map(|function| self.function(function)).collect::<Result<_, _>>()?;
        Ok(Interface { name, docs: docs(&interface.docs), types: self.types, functions })
    }

    fn function(&mut self, function: &wit_parser::Function) -> Result<Function, ReadError> {
        if function.kind.is_async() {
            return Err(self.unsupported(
                function.span,
                "asynchronous functions",
                "leave `async` out: the host may await all the same",
            ));
        }
        let mut params = Vec::new();
        for param in &function.params {
            params.push(Parameter { name: param.name.clone(), kind: self.kind(&param.ty, function.span)? });
        }
        let result = function.result.as_ref().map(|kind| self.kind(kind, function.span)).transpose()?;
        Ok(Function { name: FunctionName::new(function.name.clone()), docs: docs(&function.docs), params, result })
    }

    /// The place of a type with a name, which is made if there is none yet.
    fn define(&mut self, id: TypeId, name: &str) -> Result<usize, ReadError> {
        let original = self.original(id);
        if let Some(place) = self.places.get(&id).or_else(|| self.places.get(&original)) {
            return Ok(*place);
        }
        let definition = &self.resolve.types[original];
        let span = definition.span;
        // Its functions know a resource by its own name, even where another one comes first.
        let name = if self.is_resource(original) { definition.name.as_deref().unwrap_or(name) } else { name };
        let kind = match &definition.kind {
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
                return Err(self.unsupported(span, "resources of another interface", "define it in this interface"));
            }
            _ => Kind::Alias { target: self.anonymous(original, span)? },
        };
        let name = self.name(id, original, name);
        let origin = self.origin(original);
        self.types.push(Definition { name, docs: docs(&definition.docs), origin, kind });
        let place = self.types.len() - 1;
        self.places.insert(id, place);
        self.places.insert(original, place);
        Ok(place)
    }

    /// What stands behind `use`: the type of the other interface itself. And behind another name of a resource: the
    /// resource, whose handles are the same.
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

    /// Where a type of another interface is from.
    fn origin(&self, id: TypeId) -> Option<(InterfaceName, String)> {
        let definition = &self.resolve.types[id];
        match definition.owner {
            TypeOwner::Interface(owner) if owner != self.interface => {
                Some((self.resolve.id_of(owner)?.parse().ok()?, definition.name.clone()?))
            }
            _ => None,
        }
    }

    /// The name of a type, which is its own unless it is of another interface and called like one of this.
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

    /// A type that is written out where it is used.
    fn anonymous(&mut self, id: TypeId, span: Span) -> Result<Type, ReadError> {
        let boxed = |reader: &mut Self, kind: &WitType| reader.kind(kind, span).map(Box::new);
        Ok(match &self.resolve.types[id].kind {
            TypeDefKind::Type(kind) => self.kind(kind, span)?,
            TypeDefKind::List(element) => Type::List(boxed(self, element)?),
            TypeDefKind::Option(some) => Type::Option(boxed(self, some)?),
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
