//! Calls of QuickJS's C interface that `rquickjs` does not provide.
//!
//! This is the only module with `unsafe` blocks. Declarations that must be `unsafe` or have an exported name are in
//! `entry_points.rs` and `lifetimes.rs`.

#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, RefCell},
    ffi::{CString, c_int},
};

use rquickjs::{
    Ctx, Error, Module, Promise, Result, TypedArray, Value,
    allocator::{Allocator, RustAllocator},
    module::Declared,
    promise::PromiseState,
    qjs,
};

use crate::state;

unsafe extern "C" {
    /// The line of the innermost running function of a file, from 1, and its column (`engine/patches/0010-line-of-a-file.patch`). -1 if
    /// none runs.
    fn JS_GetLineOfFile(ctx: *mut qjs::JSContext, filename: qjs::JSAtom, column: *mut c_int) -> c_int;
}

/// Rust's own allocator, which overwrites freed memory while the snapshot is made, because freed memory would be part of every
/// image.
struct TidyAllocator;

// SAFETY: every method is that of `System`, except that it overwrites bytes that are no longer in use.
unsafe impl GlobalAlloc for TidyAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the same conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the same conditions.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller releases a block of that size.
        unsafe {
            if !state::live() {
                pointer.write_bytes(0, layout.size());
            }
            System.dealloc(pointer, layout);
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if state::live() {
            // SAFETY: the caller fulfils the same conditions.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        // SAFETY: the caller's size is a valid layout; the new block contains the content of the old one, which is released.
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

/// The maximum size of an allocation: larger sizes overflow the arithmetic of allocators on 32 bits.
const LARGEST_ALLOCATION: usize = 0x7fff_0000;

/// Bytes that are reserved for the report that memory is exhausted.
const RESERVE: usize = 512 * 1024;

thread_local! {
    static RESERVED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXHAUSTED: Cell<bool> = const { Cell::new(false) };
}

/// Reserves memory, if there is any.
pub(crate) fn keep_reserve() {
    EXHAUSTED.set(false);
    RESERVED.with_borrow_mut(|reserved| {
        // If it fails, there is as little memory for the report as before.
        let _ = reserved.try_reserve_exact(RESERVE);
    });
}

/// Releases the reserve.
pub(crate) fn release_reserve() {
    RESERVED.set(Vec::new());
}

/// Whether an allocation of the engine failed in this run.
pub(crate) fn memory_was_exhausted() -> bool {
    EXHAUSTED.get()
}

/// Rust's allocator, which rejects sizes that overflow its arithmetic, and records each rejection.
///
/// The host limits the memory: the limit is where the memory of the instance cannot grow any more.
pub(crate) struct CheckedAllocator;

fn checked(size: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    let pointer = if size > LARGEST_ALLOCATION { std::ptr::null_mut() } else { allocate() };
    if pointer.is_null() {
        EXHAUSTED.set(true);
    }
    pointer
}

// SAFETY: every method either returns null, which means "out of memory", or is that of `RustAllocator`.
unsafe impl Allocator for CheckedAllocator {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        checked(size, || RustAllocator.alloc(size))
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        checked(count.saturating_mul(size), || RustAllocator.calloc(count, size))
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller fulfils the same conditions.
        unsafe { RustAllocator.dealloc(pointer) }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller fulfils the same conditions.
        checked(size, || unsafe { RustAllocator.realloc(pointer, size) })
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller fulfils the same conditions.
        unsafe { RustAllocator::usable_size(pointer) }
    }
}

/// Sets the start of the stack for QuickJS: in a run it differs from that in the snapshot.
pub(crate) fn update_stack_top(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive, and so is its runtime.
    unsafe { qjs::JS_UpdateStackTop(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) }
}

/// Evaluates a strict script whose `this` is undefined, like that of a module.
pub(crate) fn evaluate_module<'js>(ctx: &Ctx<'js>, code: &str, filename: &str) -> Result<Value<'js>> {
    let (code, filename) = (CString::new(code)?, CString::new(filename)?);
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_ASYNC;
    // SAFETY: the context is alive; both texts end with a zero byte and outlive the call; the engine returns a reference that
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

/// Evaluates a script whose first line has another number than 1, which may be negative.
pub(crate) fn evaluate_from_line<'js>(ctx: &Ctx<'js>, code: &str, filename: &str, line: c_int) -> Result<Value<'js>> {
    let code = code.replace('\0', "\\x00");
    let (code, filename) = (CString::new(code)?, CString::new(filename)?);
    let mut options = qjs::JSEvalOptions {
        version: qjs::JS_EVAL_OPTIONS_VERSION as c_int,
        eval_flags: qjs::JS_EVAL_TYPE_GLOBAL as c_int,
        filename: filename.as_ptr(),
        line_num: line,
    };
    // SAFETY: the context is alive; both texts end with a zero byte and, like the options, outlive the call; the engine returns a
    // reference that the value then owns.
    unsafe {
        let raw = qjs::JS_Eval2(ctx.as_raw().as_ptr(), code.as_ptr(), code.as_bytes().len() as _, &raw mut options);
        if qjs::JS_IsException(raw) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), raw))
    }
}

/// The line and the column, from 1, of the innermost running function of a file.
pub(crate) fn place_in(ctx: &Ctx<'_>, filename: &str) -> Option<(u32, u32)> {
    let raw = ctx.as_raw().as_ptr();
    let mut column: c_int = 0;
    // SAFETY: the context is alive; the text outlives the call that makes the atom, which is released; the column is written to.
    let line = unsafe {
        let atom = qjs::JS_NewAtomLen(raw, filename.as_ptr().cast(), filename.len() as _);
        let line = JS_GetLineOfFile(raw, atom, &raw mut column);
        qjs::JS_FreeAtom(raw, atom);
        line
    };
    u32::try_from(line).ok().zip(u32::try_from(column).ok())
}

/// Ends the program: throws an error that no `catch` and no `finally` of the program sees.
pub(crate) fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
    let Ok(exception) = rquickjs::Exception::from_message(ctx.clone(), "the program has ended") else {
        return Error::Exception;
    };
    // SAFETY: both belong to the context, which is alive; marking an error changes nothing else.
    unsafe { qjs::JS_SetUncatchableError(ctx.as_raw().as_ptr(), exception.as_raw()) };
    exception.throw()
}

/// Makes a module from the output of `Module::write`.
pub(crate) fn load<'js>(ctx: &Ctx<'js>, compiled: &[u8]) -> Result<Module<'js, Declared>> {
    // SAFETY: the bytes come from this engine and were kept in the memory of this instance.
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

/// The bytes of a string in the engine's encoding: UTF-8 in which half a surrogate pair is three bytes.
pub(crate) fn bytes_of<'a>(string: &'a rquickjs::CString<'_>) -> &'a [u8] {
    // SAFETY: the engine keeps that many bytes at that address for as long as the string lives.
    unsafe { std::slice::from_raw_parts(string.as_ptr().cast(), string.len()) }
}

/// The content of an array. It must not be kept while the program runs, which could change or free it.
pub(crate) fn content<'a, T>(array: &'a TypedArray<'_, T>) -> &'a [u8] {
    // SAFETY: nothing in this crate runs a program, or gives memory to one, between taking a slice and its last use.
    unsafe { array.as_bytes() }.unwrap_or_default()
}

/// The state of a promise, and its value or reason.
pub(crate) fn promise_state<'js>(promise: &Promise<'js>) -> (PromiseState, Value<'js>) {
    let ctx = promise.ctx().clone();
    // SAFETY: the promise is alive; the engine returns a reference that the value then owns.
    let result =
        unsafe { Value::from_raw(ctx.clone(), qjs::JS_PromiseResult(ctx.as_raw().as_ptr(), promise.as_raw())) };
    (promise.state(), result)
}

/// The result of `===`.
pub(crate) fn are_equal<'js>(ctx: &Ctx<'js>, one: &Value<'js>, other: &Value<'js>) -> bool {
    // SAFETY: both values belong to the context, which is alive; they are only compared.
    unsafe { qjs::JS_IsStrictEqual(ctx.as_raw().as_ptr(), one.as_raw(), other.as_raw()) }
}
