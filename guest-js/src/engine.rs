//! Where this crate speaks to QuickJS in C, because `rquickjs` has no words for it.
//!
//! It is the only module with `unsafe` blocks. What the engine's interface in C wants to be declared `unsafe` or with a name of its
//! own is in `entry_points.rs` and `lifetimes.rs`.

#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, RefCell},
    ffi::CString,
};

use rquickjs::{
    Ctx, Error, Module, Promise, Result, TypedArray, Value,
    allocator::{Allocator, RustAllocator},
    module::Declared,
    promise::PromiseState,
    qjs,
};

use crate::state;

/// Rust's own allocator, which leaves nothing behind while the snapshot is made: what is freed then would otherwise be part
/// of every image.
struct TidyAllocator;

// SAFETY: every method is that of `System`, but for bytes that are no longer anybody's.
unsafe impl GlobalAlloc for TidyAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block of that size.
        unsafe {
            if !state::live() {
                pointer.write_bytes(0, layout.size());
            }
            System.dealloc(pointer, layout);
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if state::live() {
            // SAFETY: the caller's promise is the one that is asked for.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        // SAFETY: the caller's size fits a layout; the new block holds what the old one held, and the old one is given up.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(pointer, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
            new
        }
    }
}

#[global_allocator]
static ALLOCATOR: TidyAllocator = TidyAllocator;

/// No single allocation is larger: sizes beyond it overflow the arithmetic of allocators on 32 bits.
const LARGEST_ALLOCATION: usize = 0x7fff_0000;

/// In bytes. What is kept aside for telling that there is no memory left.
const RESERVE: usize = 512 * 1024;

thread_local! {
    static RESERVED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXHAUSTED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps some memory aside, as long as there is any.
pub(crate) fn keep_reserve() {
    EXHAUSTED.set(false);
    RESERVED.with_borrow_mut(|reserved| {
        // A failure shows when the reserve is wanted: then there is as little memory as there was before.
        let _ = reserved.try_reserve_exact(RESERVE);
    });
}

/// Gives back what was kept aside.
pub(crate) fn release_reserve() {
    RESERVED.set(Vec::new());
}

/// Whether the engine has asked for memory in vain in this run.
pub(crate) fn memory_was_exhausted() -> bool {
    EXHAUSTED.get()
}

/// Rust's allocator, which answers "no" where it would have to compute with sizes that do not fit, and remembers each "no".
///
/// How much memory there is, is the host's decision: the limit is where the memory of the instance cannot grow any more.
pub(crate) struct CheckedAllocator;

fn checked(size: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    let pointer = if size > LARGEST_ALLOCATION { std::ptr::null_mut() } else { allocate() };
    if pointer.is_null() {
        EXHAUSTED.set(true);
    }
    pointer
}

// SAFETY: every method either returns null, which stands for "out of memory", or is that of `RustAllocator`.
unsafe impl Allocator for CheckedAllocator {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        checked(size, || RustAllocator.alloc(size))
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        checked(count.saturating_mul(size), || RustAllocator.calloc(count, size))
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { RustAllocator.dealloc(pointer) }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is the one that is asked for.
        checked(size, || unsafe { RustAllocator.realloc(pointer, size) })
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { RustAllocator::usable_size(pointer) }
    }
}

/// Tells QuickJS where the stack begins: in a run it lies elsewhere than it did when the snapshot was made.
pub(crate) fn update_stack_top(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive, and so is its runtime.
    unsafe { qjs::JS_UpdateStackTop(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) }
}

/// Evaluates a strict script whose `this` is undefined, as that of a module is.
pub(crate) fn evaluate_module<'js>(ctx: &Ctx<'js>, code: &str, filename: &str) -> Result<Value<'js>> {
    let (code, filename) = (CString::new(code)?, CString::new(filename)?);
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_ASYNC;
    // SAFETY: the context is alive; both texts end with a zero byte and outlive the call; the engine hands out a reference that
    // the value then owns.
    unsafe {
        let raw = qjs::JS_EvalThis(
            ctx.as_raw().as_ptr(),
            qjs::JS_UNDEFINED,
            code.as_ptr(),
            code.as_bytes().len() as _,
            filename.as_ptr(),
            flags as i32,
        );
        if qjs::JS_IsException(raw) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), raw))
    }
}

/// Ends the program from inside: throws what no `catch` and no `finally` of the program sees.
pub(crate) fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
    let Ok(exception) = rquickjs::Exception::from_message(ctx.clone(), "the program has ended") else {
        return Error::Exception;
    };
    // SAFETY: both belong to the context, which is alive; marking an error changes nothing else.
    unsafe { qjs::JS_SetUncatchableError(ctx.as_raw().as_ptr(), exception.as_raw()) };
    exception.throw()
}

/// Makes a module of what `Module::write` wrote.
pub(crate) fn load<'js>(ctx: &Ctx<'js>, compiled: &[u8]) -> Result<Module<'js, Declared>> {
    // SAFETY: the bytes come from this very engine and were kept in the memory of this very instance.
    unsafe { Module::load(ctx.clone(), compiled) }
}

/// A function without arguments that returns a number.
pub(crate) trait NumberFunction {
    fn call() -> f64;
}

/// Makes `Math.random` a native function that is as quick as one of the engine's own.
pub(crate) fn define_random<F: NumberFunction>(ctx: &Ctx<'_>) -> Result<()> {
    unsafe extern "C" fn random<F: NumberFunction>(
        _: *mut qjs::JSContext,
        _: qjs::JSValueConst,
        _: std::ffi::c_int,
        _: *mut qjs::JSValueConst,
    ) -> qjs::JSValue {
        qjs::JS_NewFloat64(F::call())
    }
    let math: rquickjs::Object<'_> = ctx.globals().get("Math")?;
    // SAFETY: the function has the signature that the engine calls, touches none of its arguments and returns a number.
    let function = unsafe {
        let raw = qjs::JS_NewCFunction2(
            ctx.as_raw().as_ptr(),
            Some(random::<F>),
            c"random".as_ptr(),
            0,
            qjs::JSCFunctionEnum_JS_CFUNC_generic,
            0,
        );
        Value::from_raw(ctx.clone(), raw)
    };
    math.prop("random", rquickjs::object::Property::from(function).writable().configurable())
}

/// The bytes of a string as the engine holds them: UTF-8 in which half a surrogate pair is three bytes.
pub(crate) fn bytes_of<'a>(string: &'a rquickjs::CString<'_>) -> &'a [u8] {
    // SAFETY: the engine keeps that many bytes at that address for as long as the string lives.
    unsafe { std::slice::from_raw_parts(string.as_ptr().cast(), string.len()) }
}

/// The content of an array. It must not be kept while the program runs, which could change or free it.
pub(crate) fn content<'a, T>(array: &'a TypedArray<'_, T>) -> &'a [u8] {
    // SAFETY: nothing in this crate runs a program, or gives memory to one, between taking a slice and its last use.
    unsafe { array.as_bytes() }.unwrap_or_default()
}

/// Whether a promise is settled, and with what.
pub(crate) fn promise_state<'js>(promise: &Promise<'js>) -> (PromiseState, Value<'js>) {
    let ctx = promise.ctx().clone();
    // SAFETY: the promise is one, and alive; the engine hands out a reference that the value then owns.
    let result =
        unsafe { Value::from_raw(ctx.clone(), qjs::JS_PromiseResult(ctx.as_raw().as_ptr(), promise.as_raw())) };
    (promise.state(), result)
}

/// What `===` says.
pub(crate) fn are_equal<'js>(ctx: &Ctx<'js>, one: &Value<'js>, other: &Value<'js>) -> bool {
    // SAFETY: both values belong to the context, which is alive; they are compared and nothing else.
    unsafe { qjs::JS_IsStrictEqual(ctx.as_raw().as_ptr(), one.as_raw(), other.as_raw()) }
}
