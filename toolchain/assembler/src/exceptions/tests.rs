//! Programs in the text format of WebAssembly, which throw and catch in every way that clang makes use of.

use wasmparser::{Validator, WasmFeatures};
use wasmtime::{Engine, Instance, Module, Store};

use super::lowered;

/// Lowers a module, and calls its function `run`.
fn run(module: &str, argument: i32) -> i32 {
    let module = lowered(&wat::parse_str(module).unwrap()).unwrap();
    Validator::new_with_features(WasmFeatures::all() - WasmFeatures::EXCEPTIONS).validate_all(&module).unwrap();
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &Module::new(&engine, module).unwrap(), &[]).unwrap();
    instance.get_typed_func::<i32, i32>(&mut store, "run").unwrap().call(&mut store, argument).unwrap()
}

const CATCH: &str = r#"(module
  (tag $cpp (param i32))
  (tag $jump (param i32))
  (func $throw (param i32) (result i64)
    (if (i32.eq (local.get 0) (i32.const 3)) (then (throw $jump (i32.const 300))))
    (if (local.get 0) (then (throw $cpp (i32.mul (local.get 0) (i32.const 4)))))
    (i64.const 7))
  (func $between (param i32) (result f64)
    (f64.convert_i64_s (call $throw (local.get 0))))
  (func (export "run") (param i32) (result i32)
    (block $jumped (result i32)
      (block $caught (result i32)
        (i32.const 1000)
        (try_table (result f64) (catch $cpp $caught) (catch $jump $jumped)
          (call $between (local.get 0)))
        (i32.trunc_f64_s)
        (i32.add)
        (return))
      (i32.add (i32.const 1))
      (return))
    (i32.add (i32.const 2))))"#;

#[test]
fn the_first_handler_of_the_tag_is_taken() {
    assert_eq!(run(CATCH, 0), 1007);
    assert_eq!(run(CATCH, 1), 5);
    assert_eq!(run(CATCH, 2), 9);
    assert_eq!(run(CATCH, 3), 302);
}

/// A cleanup that throws on, as of an object with a destructor, in a loop with branches out of it, inside of another handler.
const CLEANUP: &str = r#"(module
  (tag $cpp (param i32))
  (global $cleaned (mut i32) (i32.const 0))
  (func $throw (param i32) (throw $cpp (local.get 0)))
  (func $frame (param $depth i32)
    (local $exception exnref)
    (local.set $exception (ref.null exn))
    (block $cleanup (result exnref)
      (loop $again
        (try_table (catch_all_ref $cleanup)
          (br_if $again (i32.eqz (local.get $depth)) (local.set $depth (i32.sub (local.get $depth) (i32.const 1))))
          (if (i32.gt_s (local.get $depth) (i32.const 0)) (then (call $frame (local.get $depth))))
          (br_table 0 1 1 (i32.const 0))))
      (call $throw (i32.const 44))
      (return))
    (local.set $exception)
    (global.set $cleaned (i32.add (global.get $cleaned) (i32.const 1)))
    (throw_ref (local.get $exception)))
  (func (export "run") (param i32) (result i32)
    (block $caught (result i32 exnref)
      (try_table (catch_ref $cpp $caught)
        (try_table (call $frame (local.get 0))))
      (return (i32.const -1)))
    (drop)
    (i32.add (i32.mul (global.get $cleaned) (i32.const 1000)))))"#;

#[test]
fn cleanups_run_in_every_frame() {
    assert_eq!(run(CLEANUP, 1), 44);
    assert_eq!(run(CLEANUP, 4), 3044);
}

/// Functions in a table: the type says which may throw. The last one returns nothing of what it threw to the caller outside.
const TABLE: &str = r#"(module
  (type $f (func (param i32) (result i32)))
  (tag $cpp (param i32))
  (table 3 funcref)
  (elem (i32.const 0) $throws $returns $all)
  (func $throws (type $f) (throw $cpp (i32.const 8)))
  (func $returns (type $f) (i32.const 5))
  (func $all (type $f)
    (block $caught (try_table (catch_all $caught) (drop (call $throws (i32.const 0)))) )
    (i32.const 6))
  (func (export "run") (param i32) (result i32)
    (if (i32.eq (local.get 0) (i32.const 9)) (then (return (call_indirect (type $f) (i32.const 0) (i32.const 0)))))
    (block $caught (result i32)
      (try_table (result i32) (catch $cpp $caught)
        (call_indirect (type $f) (i32.const 0) (local.get 0))))))"#;

#[test]
fn functions_in_tables_throw() {
    assert_eq!([0, 1, 2].map(|index| run(TABLE, index)), [8, 5, 6]);
}

#[test]
fn what_leaves_the_library_is_forgotten() {
    let module = lowered(&wat::parse_str(TABLE).unwrap()).unwrap();
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &Module::new(&engine, module).unwrap(), &[]).unwrap();
    let run = instance.get_typed_func::<i32, i32>(&mut store, "run").unwrap();
    assert_eq!([9, 1, 0].map(|index| run.call(&mut store, index).unwrap()), [0, 5, 8]);
}

#[test]
fn modules_without_exceptions_stay_as_they_are() {
    let module = wat::parse_str("(module (func (export \"run\")))").unwrap();
    assert_eq!(lowered(&module).unwrap(), module);
}

#[test]
fn what_is_not_supported_is_refused() {
    let refused = |text| lowered(&wat::parse_str(text).unwrap()).unwrap_err().to_string();
    let legacy = "(module (tag (param i32)) (func try catch_all end))";
    assert_eq!(refused(legacy), "the library was compiled with the exceptions of the first proposal");
    let replaced = r#"(module (import "env" "f" (func)) (tag (param i32)) (func (export "f")))"#;
    let expected = "the library defines and imports f, so that another one may have replaced it; hide it";
    assert_eq!(refused(replaced), expected);
    let imported = "(module (import \"env\" \"tag\" (tag (param i32))))";
    assert_eq!(refused(imported), "the library imports a kind of exceptions: it must have its own");
}
