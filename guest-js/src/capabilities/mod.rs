//! Custom interfaces that the embedder defines in WIT, for `prelude/capabilities.js`.
//!
//! The host describes an interface when a program imports it. From the description, this module makes functions of the engine,
//! with the encoders of their arguments and the decoders of their replies. The host does not trust the bytes; the checks here
//! produce helpful errors for the author of the program.

mod call;
mod cases;
mod decode;
mod decoder;
mod description;
mod encode;
mod encoder;
mod handle;
mod interface;
mod lists;
mod mismatch;
mod numbers;
mod payload;
mod shape;
mod start;

use std::{cell::RefCell, rc::Rc};

use guest_js_text::names;
use rquickjs::{
    Array, Class, Ctx, Exception, Function, Object, Result, Value,
    function::{Rest, This},
};

pub(crate) use self::handle::Handle;
use self::interface::Interface;
use crate::{
    bindings::isolette::sandbox::capabilities::{self, CapabilityError},
    state,
    text::Text,
};

thread_local! {
    /// The interfaces that the program has imported. Functions refer to them by index.
    static INTERFACES: RefCell<Vec<Rc<Interface>>> = const { RefCell::new(Vec::new()) };
}

/// Releases all interfaces before the engine is replaced.
pub(crate) fn drop_all() {
    handle::forget_all();
    drop(INTERFACES.take());
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("listInterfaces", Function::new(ctx.clone(), list)?)?;
    host.set("openInterface", Function::new(ctx.clone(), open)?)?;
    host.set("bindResource", Function::new(ctx.clone(), bind)?)?;
    host.set("closeResource", Function::new(ctx.clone(), close)?)
}

fn list() -> Vec<String> {
    capabilities::list_interfaces().into_iter().map(|summary| summary.name).collect()
}

/// Returns an object with all interfaces, or after a failure an array of the error's kind and message.
fn open<'js>(ctx: Ctx<'js>, name: Text<'js>) -> Result<Value<'js>> {
    let description = match capabilities::describe_interface(&name) {
        Ok(description) => description,
        Err(error) => {
            let (kind, sentence) = failure(error);
            let failure = Array::new(ctx.clone())?;
            failure.set(0, kind)?;
            failure.set(1, sentence)?;
            return Ok(failure.into_value());
        }
    };
    let Ok(description) = serde_json::from_str(&description) else {
        return Err(Exception::throw_internal(&ctx, &format!("{}: the host's description is not readable", &*name)));
    };
    let interface = Rc::new(Interface::new(&ctx, description)?);
    let place = INTERFACES.with_borrow_mut(|interfaces| {
        interfaces.push(Rc::clone(&interface));
        interfaces.len() - 1
    });
    Ok(shown(&ctx, place, &interface)?.into_value())
}

/// Returns the content of a module for the prelude.
fn shown<'js>(ctx: &Ctx<'js>, place: usize, interface: &Interface) -> Result<Object<'js>> {
    let functions = Array::new(ctx.clone())?;
    for (index, function) in interface.functions.iter().enumerate() {
        let entry = Object::new(ctx.clone())?;
        let (kind, name) =
            function.name.strip_prefix('[').and_then(|name| name.split_once(']')).unwrap_or(("", &function.name));
        let (resource, member) = match name.split_once('.') {
            Some((resource, member)) => (Some(resource), member),
            None if kind == "constructor" => (Some(name), "constructor"),
            None => (None, name),
        };
        let member = names::function(member);
        entry.set("kind", kind)?;
        entry.set("resource", resource)?;
        entry.set("call", callable(ctx, place, index, kind)?.with_name(&member)?)?;
        entry.set("name", member)?;
        functions.set(index, entry)?;
    }
    let resources = Array::new(ctx.clone())?;
    for (index, resource) in interface.resources().enumerate() {
        let entry = Object::new(ctx.clone())?;
        entry.set("name", resource.name.as_str())?;
        entry.set("className", names::pascal(&resource.name))?;
        entry.set("index", resource.index)?;
        resources.set(index, entry)?;
    }
    let shown = Object::new(ctx.clone())?;
    shown.set("place", place)?;
    shown.set("name", interface.name.as_str())?;
    shown.set("functions", functions)?;
    shown.set("resources", resources)?;
    Ok(shown)
}

fn callable<'js>(ctx: &Ctx<'js>, place: usize, index: usize, kind: &str) -> Result<Function<'js>> {
    // `new` returns an object and no promise.
    let (is_method, can_be_started) = (kind == "method", kind != "constructor");
    Function::new(ctx.clone(), move |ctx: Ctx<'js>, this: This<Value<'js>>, arguments: Rest<Value<'js>>| {
        let interface = INTERFACES.with_borrow(|interfaces| interfaces.get(place).cloned());
        let interface = interface.ok_or(rquickjs::Error::Unknown)?;
        let function = interface.functions.get(index).ok_or(rquickjs::Error::Unknown)?;
        let arguments = is_method.then_some(this.0).into_iter().chain(arguments.0);
        if can_be_started && state::interfaces_asynchronous() {
            start::start(&ctx, &interface, index, function, arguments)
        } else {
            call::call(&ctx, &interface, function, arguments)
        }
    })
}

/// Sets the prototype of the objects of a resource.
fn bind<'js>(ctx: Ctx<'js>, place: usize, index: usize, prototype: Object<'js>) {
    let interface = INTERFACES.with_borrow(|interfaces| interfaces.get(place).cloned());
    if let Some(interface) = interface {
        interface.bind(&ctx, index, prototype);
    }
}

/// Drops a resource. Other values and closed resources are ignored.
fn close(value: Value<'_>) {
    if let Some(resource) = value.as_object().and_then(Class::<Handle>::from_object) {
        resource.borrow().let_go();
    }
}

fn failure(error: CapabilityError) -> (&'static str, String) {
    match error {
        CapabilityError::Missing(sentence) => ("missing", sentence),
        CapabilityError::Invalid(sentence) => ("invalid", sentence),
        CapabilityError::Failed(sentence) => ("failed", sentence),
        CapabilityError::Denied(sentence) => ("denied", sentence),
        CapabilityError::Budget(sentence) | CapabilityError::Exhausted(sentence) => ("budget", sentence),
    }
}
