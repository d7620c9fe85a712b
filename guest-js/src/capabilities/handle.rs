//! Resources: objects of the host's that a program holds by a handle.
//!
//! A handle cannot be made or read by a program; it is inside of the engine's object. When the engine frees the object, the
//! host is told at once.

use std::{cell::Cell, rc::Rc};

use rquickjs::{
    Ctx, Object, Result,
    class::{JsClass, Readable, Trace, Tracer},
    function::Constructor,
};

use crate::{bindings::isolette::sandbox::capabilities, state};

/// What a resource holds.
pub(crate) struct Handle {
    /// Nothing once it is closed or given away.
    handle: Cell<Option<u32>>,
    /// Handles are good in the engine that got them.
    engine: u64,
    of: Rc<Resource>,
}

/// Which resource of which interface.
pub(crate) struct Resource {
    /// With its version.
    pub(crate) interface: String,
    pub(crate) name: String,
    /// Where it is among the interface's types.
    pub(crate) index: usize,
}

thread_local! {
    static ENGINE: Cell<u64> = const { Cell::new(0) };
}

/// Says that the engine is about to be replaced: what is left in it has gone with its run.
pub(crate) fn forget_all() {
    ENGINE.set(ENGINE.get() + 1);
}

impl Handle {
    pub(crate) fn new(handle: u32, of: Rc<Resource>) -> Self {
        Self { handle: Cell::new(Some(handle)), engine: ENGINE.get(), of }
    }

    /// Whether it is that resource of that interface.
    pub(crate) fn is_of(&self, interface: &str, index: usize) -> bool {
        self.of.index == index && self.of.interface == interface
    }

    /// The handle, if the program still has the resource.
    pub(crate) fn lend(&self) -> Option<u32> {
        self.handle.get()
    }

    /// The handle, which the program has no longer.
    pub(crate) fn give(&self) -> Option<u32> {
        self.handle.take()
    }

    /// What was given away has not arrived.
    pub(crate) fn take_back(&self, handle: u32) {
        self.handle.set(Some(handle));
    }

    /// Tells the host that the resource is not needed any more.
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
