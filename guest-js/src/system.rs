//! Time, for the engine and for the prelude.

use rquickjs::{Array, Ctx, Function, Object, Promise, Result, promise::PromiseState};

use crate::{bindings::isolette::sandbox::system, engine, state};

/// Microseconds since 1970. While the snapshot is made there is no host, and no program that could observe it.
pub(crate) fn now_in_microseconds() -> f64 {
    if state::live() { (system::wall_clock() / 1_000) as f64 } else { 0.0 }
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("monotonic", Function::new(ctx.clone(), || system::monotonic_clock() as f64 / 1e6)?)?;
    host.set("wallClock", Function::new(ctx.clone(), || system::wall_clock() as f64 / 1e6)?)?;
    host.set("monotonicNanoseconds", Function::new(ctx.clone(), || system::monotonic_clock().to_string())?)?;
    host.set("promiseState", Function::new(ctx.clone(), promise_state)?)?;
    host.set("programName", Function::new(ctx.clone(), state::filename)?)?;
    host.set("memorySize", Function::new(ctx.clone(), memory_size)?)?;
    host.set("wantEnd", Function::new(ctx.clone(), state::want_end)?)?;
    host.set("wantTicks", Function::new(ctx.clone(), state::want_ticks)?)?;
    host.set("wantTurns", Function::new(ctx.clone(), state::want_turns)?)?;
    host.set("setExitCode", Function::new(ctx.clone(), state::set_exit_code)?)?;
    host.set("exit", Function::new(ctx.clone(), exit)?)
}

fn exit(ctx: Ctx<'_>, code: i32) -> Result<()> {
    state::end(code);
    Err(engine::throw_uncatchable(&ctx))
}

/// Waits. The host ends the run if its deadline comes first.
pub(crate) fn sleep(milliseconds: f64) {
    system::sleep((milliseconds * 1e6) as u64);
}

/// For printing: the state of a promise, and its value or reason.
fn promise_state<'js>(ctx: Ctx<'js>, promise: Promise<'js>) -> Result<Array<'js>> {
    let (state, result) = engine::promise_state(&promise);
    let pair = Array::new(ctx)?;
    pair.set(
        0,
        match state {
            PromiseState::Pending => "pending",
            PromiseState::Resolved => "fulfilled",
            PromiseState::Rejected => "rejected",
        },
    )?;
    pair.set(1, result)?;
    Ok(pair)
}

/// The memory of the instance in bytes.
fn memory_size() -> f64 {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0_usize;
    pages as f64 * 65536.0
}
