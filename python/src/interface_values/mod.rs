//! Values of interfaces as values of Python, and back.
//!
//! A record is a dictionary with the names of Python (`high_c` for `high-c`); `list<u8>` is `bytes`; an enum is the name of its
//! case, as in the WIT; a variant is the name of its case or `{"case": value}`; flags are a list of the names that are set; `none` is
//! None (within another option, a present value is `{"some": value}`); a result is `{"ok": value}` or `{"error": value}`; a resource is
//! the object that implements it.

mod decode;
mod encode;

use std::sync::Arc;

pub(crate) use self::decode::Failure;

use isolette::Resources;
use isolette_interface::Interface;
use pyo3::prelude::*;

use crate::callbacks::attached;

/// An interface, with the classes of its resources by their index among its types.
pub(crate) struct Values {
    pub(crate) interface: Interface,
    pub(crate) classes: Vec<Option<Py<PyAny>>>,
}

/// An object of Python that a guest holds as a resource.
pub(crate) struct Object(Option<Py<PyAny>>);

impl Object {
    fn new(object: &Bound<'_, PyAny>) -> Arc<Self> {
        Arc::new(Self(Some(object.clone().unbind())))
    }

    fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.0.as_ref().map(|object| object.bind(py).clone())
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // At once, so that the object ends when the program drops it, and not when some thread is attached next.
        let object = self.0.take();
        let _ = attached(|_| drop(object));
    }
}

/// The name in Python, as in the modules that programs import.
pub(crate) fn snake(name: &str) -> String {
    let name = name.replace('-', "_");
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

/// The keywords of Python that are names in WIT.
const KEYWORDS: [&str; 32] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
];

/// What a call converts: the values, and the resources that its guest holds.
pub(crate) struct Conversion<'a> {
    pub(crate) values: &'a Values,
    pub(crate) resources: &'a Resources,
}
