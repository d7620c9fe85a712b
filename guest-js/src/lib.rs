//! JavaScript in a sandbox: QuickJS as a component of the world `interpreter`.
//!
//! It must import only the interfaces of that world, and must not do at run time what the build can do: the engine, its global
//! object and the prelude are created once and are part of the component (`snapshot.rs`).
//!
//! Nothing that a program can damage here outlives its instance, so this crate is not a security boundary. It must give
//! programs useful errors: every failure that they can cause is an error of the language.

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
mod lines;
mod modules;
mod pending;
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
