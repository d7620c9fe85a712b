//! The export of an image: decodes a request, runs one program and encodes the result.
//!
//! It implements the `guest` interface of the host call ABI, so that interpreters and the adapter do not depend on the message
//! format. It must never inspect programs or their values; it only passes them on.

mod bindings;
mod clip;
mod finish;
mod run;
#[cfg(test)]
mod tests;

/// The type that implements the export of the component.
struct Component;
