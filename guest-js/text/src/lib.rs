//! What the JavaScript guest does with text before its engine reads it: takes a program out of its fence, tells `import` and
//! `export` in words of a script, sees what is nested too deeply, names functions of WIT.
//!
//! It knows neither the engine nor WebAssembly, so that its tests run with those of the workspace.

pub mod names;
pub mod rewrite;
pub mod source;
