//! JavaScript for a sandbox: QuickJS as a component of the world `interpreter`.
//!
//! It must never import anything but the interfaces of that world, and never do at run time what the build can do:
//! the engine, its global object and the prelude are made once and frozen into the component (`snapshot.rs`).
//!
//! A program cannot harm anything here that lives longer than its instance, so nothing in this crate is a wall. It owes
//! programs useful answers: every failure they can cause ends as an error of the language.

mod bindings;
mod capabilities;
mod console;
mod crypto;
mod encoding;
mod engine;
mod entry_points;
mod error;
mod evaluate;
mod event_loop;
mod export;
mod files;
mod hooks;
mod http;
mod intl;
mod lazy;
mod lifetimes;
mod modules;
mod random;
mod rejections;
mod runner;
mod snapshot;
mod state;
mod system;
mod text;
mod tools;
mod typescript;
mod urls;
mod value;
