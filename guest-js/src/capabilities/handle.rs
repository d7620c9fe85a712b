//! Resources: objects of the host that a program holds by a handle.
//!
//! A program cannot create or read a handle, because it is inside an object of the engine. When the engine frees the object,
//! the resource is dropped in the host immediately.

use std::{cell::Cell, rc::Rc};

use rquickjs::{
    Ctx, Object, Result,
    class::{JsClass, Readable, Trace, Tracer},
    function::Constructor,
};

use crate::{bindings::isolette::sandbox::capabilities, state};

/// The content of a resource object.
pub(crate) struct Handle {
    /// The handle; `None` after the resource was closed or transferred.
    handle: Cell<Option<u32>>,
    /// The engine that got the handle. Handles are valid in that engine only.
    engine: u64,
    of: Rc<Resource>,
}

/// The resource type and its interface.
pub(crate) struct Resource {
    /// With its version.
    pub(crate) interface: String,
    pub(crate) name: String,
    /// The index of the type in the interface.
    pub(crate) index: usize,
}

thread_local! {
    static ENGINE: Cell<u64> = const { Cell::new(0) };
}

/// Invalidates all handles before the engine is replaced. The host drops the resources at the end of the run.
pub(crate) fn forget_all() {
    ENGINE.set(ENGINE.get() + 1);
}

impl Handle {
    pub(crate) fn new(handle: u32, of: Rc<Resource>) -> Self {
        Self { handle: Cell::new(Some(handle)), engine: ENGINE.get(), of }
    }

    /// Whether it is a resource of this type and interface.
    pub(crate) fn is_of(&self, interface: &str, index: usize) -> bool {
        self.of.index == index && self.of.interface == interface
    }

    /// Returns the handle, if the program still owns the resource.
    pub(crate) fn borrowed(&self) -> Option<u32> {
        self.handle.get()
    }

    /// Returns the handle and takes ownership from the program.
    pub(crate) fn give(&self) -> Option<u32> {
        self.handle.take()
    }

    /// Restores ownership of a resource that was not transferred.
    pub(crate) fn take_back(&self, handle: u32) {
        self.handle.set(Some(handle));
    }

    /// Drops the resource in the host.
    pub(crate) fn let_go(&self) {
        if let Some(handle) = self.handle.take()
            && self.engine == ENGINE.get()
            && state::live()
        {
            capabilities::drop_resource(&self.of.interface, &self.of.name, handle);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl<'js> Trace<'js> for Handle {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for Handle {
    const NAME: &'static str = "Resource";

    type Mutable = Readable;

    fn prototype(_: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        Ok(None)
    }

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}
