//! Text processing of the JavaScript guest before the engine: finds programs in Markdown, rewrites `import` and `export` for scripts,
//! measures nesting, converts names of WIT, and finds long numbers in JSON.
//!
//! It depends neither on the engine nor on WebAssembly, so that its tests run with those of the workspace.

mod fences;
pub mod names;
pub mod numbers;
pub mod rewrite;
pub mod source;
