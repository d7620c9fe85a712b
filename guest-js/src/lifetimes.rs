//! Types of this crate that objects of the engine may contain. They contain no values of the engine.

#![allow(unsafe_code)]

use rquickjs::JsLifetime;

use crate::{
    capabilities::Handle,
    crypto::{RsaKey, Running},
};

// SAFETY: a handle contains no value of the engine.
unsafe impl JsLifetime<'_> for Handle {
    type Changed<'to> = Handle;
}

// SAFETY: a digest contains no value of the engine.
unsafe impl JsLifetime<'_> for Running {
    type Changed<'to> = Running;
}

// SAFETY: a key contains no value of the engine.
unsafe impl JsLifetime<'_> for RsaKey {
    type Changed<'to> = RsaKey;
}
