//! Hashes and HMACs that get their input in parts.

use std::cell::RefCell;

use hmac::{
    KeyInit, Mac, SimpleHmac,
    digest::{Digest, ExtendableOutput, Update, XofReader, block_api::BlockSizeUser},
};
use rquickjs::{
    Class, Ctx, Object, Result, TypedArray,
    class::{JsClass, Readable, Trace, Tracer},
    function::Constructor,
};

use crate::{
    engine,
    text::{self, Text},
};

/// A function from bytes to a digest.
pub(crate) trait State {
    fn update(&mut self, bytes: &[u8]);
    /// `length` applies to functions with output of any length.
    fn finish(self: Box<Self>, length: usize) -> Vec<u8>;
    fn copy(&self) -> Box<dyn State>;
}

#[derive(Clone)]
struct Plain<D>(D);

impl<D: Digest + Clone + 'static> State for Plain<D> {
    fn update(&mut self, bytes: &[u8]) {
        Digest::update(&mut self.0, bytes);
    }

    fn finish(self: Box<Self>, _: usize) -> Vec<u8> {
        self.0.finalize().to_vec()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

#[derive(Clone)]
struct Keyed<D: Digest + BlockSizeUser>(SimpleHmac<D>);

impl<D: Digest + BlockSizeUser + Clone + 'static> State for Keyed<D> {
    fn update(&mut self, bytes: &[u8]) {
        Mac::update(&mut self.0, bytes);
    }

    fn finish(self: Box<Self>, _: usize) -> Vec<u8> {
        self.0.finalize().into_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

#[derive(Clone)]
struct Extendable<D>(D);

impl<D: Update + ExtendableOutput + Clone + 'static> State for Extendable<D> {
    fn update(&mut self, bytes: &[u8]) {
        Update::update(&mut self.0, bytes);
    }

    fn finish(self: Box<Self>, length: usize) -> Vec<u8> {
        let mut digest = vec![0; length];
        self.0.finalize_xof().read(&mut digest);
        digest
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

/// Calls `$generic::<D>($argument…)` with the hash of a name in the form of `prelude/node/lib/hashes.js`.
macro_rules! with_hash {
    ($name:expr, $generic:ident($($argument:expr),*)) => {
        match $name {
            "md5" => Some($generic::<md5::Md5>($($argument),*)),
            "sha1" => Some($generic::<sha1::Sha1>($($argument),*)),
            "sha224" => Some($generic::<sha2::Sha224>($($argument),*)),
            "sha256" => Some($generic::<sha2::Sha256>($($argument),*)),
            "sha384" => Some($generic::<sha2::Sha384>($($argument),*)),
            "sha512" => Some($generic::<sha2::Sha512>($($argument),*)),
            "sha512-224" => Some($generic::<sha2::Sha512_224>($($argument),*)),
            "sha512-256" => Some($generic::<sha2::Sha512_256>($($argument),*)),
            "sha3-224" => Some($generic::<sha3::Sha3_224>($($argument),*)),
            "sha3-256" => Some($generic::<sha3::Sha3_256>($($argument),*)),
            "sha3-384" => Some($generic::<sha3::Sha3_384>($($argument),*)),
            "sha3-512" => Some($generic::<sha3::Sha3_512>($($argument),*)),
            "ripemd160" => Some($generic::<ripemd::Ripemd160>($($argument),*)),
            "blake2b512" => Some($generic::<blake2::Blake2b512>($($argument),*)),
            "blake2s256" => Some($generic::<blake2::Blake2s256>($($argument),*)),
            _ => None,
        }
    };
}
pub(super) use with_hash;

fn plain<D: Digest + Clone + 'static>() -> Box<dyn State> {
    Box::new(Plain(D::new()))
}

fn keyed<D: Digest + BlockSizeUser + Clone + 'static>(key: &[u8]) -> Option<Box<dyn State>> {
    let state: Option<Keyed<D>> = SimpleHmac::<D>::new_from_slice(key).ok().map(Keyed);
    state.map(|state| Box::new(state) as Box<dyn State>)
}

fn state(name: &str, key: Option<&[u8]>) -> Option<Box<dyn State>> {
    match (name, key) {
        ("shake128", None) => Some(Box::new(Extendable(shake::Shake128::default()))),
        ("shake256", None) => Some(Box::new(Extendable(shake::Shake256::default()))),
        (_, None) => with_hash!(name, plain()),
        (_, Some(key)) => with_hash!(name, keyed(key)).flatten(),
    }
}

/// The engine's object for it. It is empty after the digest was taken.
pub(crate) struct Running(RefCell<Option<Box<dyn State>>>);

impl<'js> Trace<'js> for Running {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for Running {
    const NAME: &'static str = "Digest";

    type Mutable = Readable;

    fn prototype(_: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        Ok(None)
    }

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

/// Creates a hash, or an HMAC if there is a key; `None` for an unknown hash.
pub(super) fn new<'js>(
    ctx: Ctx<'js>,
    name: Text<'js>,
    key: Option<TypedArray<'js, u8>>,
) -> Result<Option<Class<'js, Running>>> {
    let state = state(&name, key.as_ref().map(engine::content));
    state.map(|state| Class::instance(ctx, Running(RefCell::new(Some(state))))).transpose()
}

pub(super) fn update<'js>(running: Class<'js, Running>, bytes: TypedArray<'js, u8>) {
    if let Some(state) = running.borrow().0.borrow_mut().as_mut() {
        state.update(engine::content(&bytes));
    }
}

pub(super) fn copy<'js>(ctx: Ctx<'js>, running: Class<'js, Running>) -> Result<Option<Class<'js, Running>>> {
    let copy = running.borrow().0.borrow().as_ref().map(|state| state.copy());
    copy.map(|state| Class::instance(ctx, Running(RefCell::new(Some(state))))).transpose()
}

/// Returns the digest; `None` if it was taken before.
pub(super) fn finish<'js>(
    ctx: Ctx<'js>,
    running: Class<'js, Running>,
    length: usize,
) -> Result<Option<TypedArray<'js, u8>>> {
    // Only functions with output of any length use it; the memory must be available.
    drop(text::buffer(&ctx, length)?);
    let state = running.borrow().0.borrow_mut().take();
    state.map(|state| TypedArray::new(ctx, state.finish(length))).transpose()
}
