//! Types of this crate that objects of the engine may hold: none of them holds anything of the engine's in turn.

#![allow(unsafe_code)]

use rquickjs::JsLifetime;

use crate::{
    capabilities::Handle,
    crypto::{RsaKey, Running},
};

// SAFETY: a handle holds nothing of the engine's.
unsafe impl JsLifetime<'_> for Handle {
    type Changed<'to> = Handle;
}

// SAFETY: a digest holds nothing of the engine's.
unsafe impl JsLifetime<'_> for Running {
    type Changed<'to> = Running;
}

// SAFETY: a key holds nothing of the engine's.
unsafe impl JsLifetime<'_> for RsaKey {
    type Changed<'to> = RsaKey;
}
