//! An interface that a program has imported.

use std::{cell::RefCell, rc::Rc};

use guest_js_text::names;
use rquickjs::{Ctx, Object, Persistent, Result};

use super::{
    description::{self, DefinitionKind, Description, Type},
    handle::Resource,
    shape::{Shape, Shapes},
};

/// Exists as long as the engine.
pub(crate) struct Interface {
    /// With its version, if it has one.
    pub(crate) name: String,
    pub(crate) functions: Vec<Function>,
    /// Resources, by the index of their type.
    resources: Vec<Option<Rc<Resource>>>,
    /// The prototype of the objects; the prelude creates it.
    prototypes: RefCell<Vec<Option<Persistent<Object<'static>>>>>,
}

/// A function that can be called.
pub(crate) struct Function {
    /// Its name in the component model.
    pub(crate) name: String,
    /// Its name in messages: `forecast.get`.
    pub(crate) shown: String,
    /// Its name in policies and records.
    pub(crate) readable: String,
    pub(crate) parameters: Vec<(String, Shape)>,
    pub(crate) result: Outcome,
}

/// What a function returns.
pub(crate) enum Outcome {
    Value(Option<Shape>),
    /// A value, or an error that is thrown.
    Fallible {
        ok: Option<Rc<Shape>>,
        error: Option<Rc<Shape>>,
    },
}

impl Interface {
    pub(crate) fn new(ctx: &Ctx<'_>, description: Description) -> Result<Self> {
        let shapes = Shapes::new(ctx, &description)?;
        let functions = description.functions.iter().map(|function| Function::new(&shapes, &description, function));
        let functions = functions.collect::<Result<Vec<_>>>()?;
        let resources: Vec<_> = description
            .types
            .iter()
            .enumerate()
            .map(|(index, definition)| {
                matches!(definition.kind, DefinitionKind::Resource).then(|| {
                    Rc::new(Resource { interface: description.name.clone(), name: definition.name.clone(), index })
                })
            })
            .collect();
        let prototypes = RefCell::new(vec![None; resources.len()]);
        Ok(Self { name: description.name, functions, resources, prototypes })
    }

    /// The resources of the interface, each with the index of its type.
    pub(crate) fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.iter().flatten().map(|resource| &**resource)
    }

    /// A resource, and the prototype of its objects.
    pub(crate) fn resource<'js>(&self, ctx: &Ctx<'js>, index: usize) -> Option<(&Rc<Resource>, Object<'js>)> {
        let prototype = self.prototypes.borrow().get(index)?.clone()?;
        Some((self.resources.get(index)?.as_ref()?, prototype.restore(ctx).ok()?))
    }

    /// Sets the prototype of the objects of a resource.
    pub(crate) fn bind<'js>(&self, ctx: &Ctx<'js>, index: usize, prototype: Object<'js>) {
        if let Some(slot) = self.prototypes.borrow_mut().get_mut(index) {
            *slot = Some(Persistent::save(ctx, prototype));
        }
    }
}

impl Function {
    fn new(shapes: &Shapes<'_, '_>, description: &Description, function: &description::Function) -> Result<Self> {
        let parameters = function
            .params
            .iter()
            .map(|parameter| Ok((names::camel(&parameter.name), shapes.shape(&parameter.r#type)?)));
        let result = match function.result.as_ref().map(|kind| behind_aliases(description, kind)) {
            Some(Type::Result { ok, error }) => {
                Outcome::Fallible { ok: shapes.payload(ok.as_deref())?, error: shapes.payload(error.as_deref())? }
            }
            other => Outcome::Value(other.map(|kind| shapes.shape(kind)).transpose()?),
        };
        let interface = description.name.split('@').next().unwrap_or_default();
        let interface = interface.rsplit('/').next().unwrap_or_default();
        Ok(Self {
            name: function.name.clone(),
            shown: format!("{}.{}", names::camel(interface), shown(&function.name)),
            readable: readable(&function.name),
            parameters: parameters.collect::<Result<_>>()?,
            result,
        })
    }
}

/// Converts `[method]station.first-name` to `Station.firstName`.
fn shown(name: &str) -> String {
    let Some((_, name)) = name.split_once(']') else { return names::function(name) };
    match name.split_once('.') {
        Some((resource, member)) => format!("{}.{}", names::pascal(resource), names::function(member)),
        None => names::pascal(name),
    }
}

/// Converts `[method]station.first-name` to the name without brackets.
fn readable(name: &str) -> String {
    match name.split_once(']') {
        Some(("[constructor", resource)) => format!("{resource}.constructor"),
        Some((_, name)) => name.to_owned(),
        None => name.to_owned(),
    }
}

fn behind_aliases<'a>(description: &'a Description, mut kind: &'a Type) -> &'a Type {
    // Each type refers only to earlier ones, so the recursion ends.
    while let Type::Named(index) = kind {
        match description.types.get(*index).map(|definition| &definition.kind) {
            Some(DefinitionKind::Alias { r#type }) => kind = r#type,
            _ => break,
        }
    }
    kind
}
