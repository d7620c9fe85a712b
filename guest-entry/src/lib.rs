//! The export of an image: one message in, one program run, one message out.
//!
//! It stands between the wall and the interpreter, so that neither interpreters nor the adapter need to know how a run is
//! written down. It must never look into programs or their values: it only carries them.

mod bindings;
mod clip;
mod finish;
mod run;
#[cfg(test)]
mod tests;

/// What the export of the component is implemented on.
struct Component;
