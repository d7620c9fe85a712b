//! Random numbers. The engine's own generator is part of the snapshot, so every instance would get the same numbers. These
//! generators are seeded by the host in each run, at their first use.

use std::cell::RefCell;

use rand_chacha::{
    ChaCha12Rng,
    rand_core::{Rng, SeedableRng},
};
use rquickjs::{Ctx, Function, Object, Result, TypedArray};

use crate::{
    bindings::isolette::sandbox::system,
    engine::{self, NumberFunction},
    text,
};

thread_local! {
    /// For `Math.random`: fast, and good enough for games.
    static QUICK: RefCell<Option<fastrand::Rng>> = const { RefCell::new(None) };
    /// For `crypto`.
    static SECURE: RefCell<Option<ChaCha12Rng>> = const { RefCell::new(None) };
}

/// Resets the generators of the previous run.
pub(crate) fn begin() {
    QUICK.set(None);
    SECURE.set(None);
}

/// The implementation of `Math.random`.
struct MathRandom;

impl NumberFunction for MathRandom {
    fn call() -> f64 {
        number()
    }
}

/// Replaces the engine's own `Math.random`.
pub(crate) fn define_math(ctx: &Ctx<'_>) -> Result<()> {
    engine::define_random::<MathRandom>(ctx)
}

/// From 0 (inclusive) to 1 (exclusive), with 53 random bits.
fn number() -> f64 {
    QUICK.with_borrow_mut(|generator| {
        generator.get_or_insert_with(|| fastrand::Rng::with_seed(secure(Rng::next_u64))).f64()
    })
}

/// Fills bytes from the generator for keys.
pub(crate) fn secure<T>(draw: impl FnOnce(&mut ChaCha12Rng) -> T) -> T {
    SECURE.with_borrow_mut(|generator| {
        draw(generator.get_or_insert_with(|| {
            let mut seed = [0; 32];
            for (to, from) in seed.iter_mut().zip(system::random_seed()) {
                *to = from;
            }
            ChaCha12Rng::from_seed(seed)
        }))
    })
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("randomBytes", Function::new(ctx.clone(), bytes)?)
}

fn bytes(ctx: Ctx<'_>, count: usize) -> Result<TypedArray<'_, u8>> {
    let mut bytes = text::buffer(&ctx, count)?;
    bytes.resize(count, 0);
    secure(|generator| generator.fill_bytes(&mut bytes));
    TypedArray::new(ctx, bytes)
}
