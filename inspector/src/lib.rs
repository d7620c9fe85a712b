//! Shows what runs did. A [`Document`] has runs with their calls, and is made from audit files and from results;
//! [`page`] makes one HTML file of it that needs no network, and [`perfetto`] a trace for <https://ui.perfetto.dev>.
//!
//! ```
//! use isolette_inspector::{Document, page};
//!
//! let audit = r#"{"record":"run-began","time":"2026-01-01T00:00:00Z","run":"0a","language":"python","engine":"wasm"}"#;
//! let mut document = Document::default();
//! document.add(audit.as_bytes())?;
//! let html = page(&document);
//! assert!(html.starts_with("<!doctype html>"));
//! # Ok::<(), isolette_inspector::InspectorError>(())
//! ```
//!
//! # What it can be trusted with
//!
//! Every text in a document may come from a program that wants to run scripts in the reader's browser. The data is in an
//! element that is not executed, with every character escaped that could end it; the page only ever sets texts, never
//! markup; and its Content-Security-Policy permits its own script by its digest, and no connections.
//!
//! The crate knows bytes and JSON. It depends on no engine and on no other crate of the project.

#![deny(missing_docs)]

mod audit;
mod collector;
mod complete;
mod depth;
mod document;
mod error;
mod lanes;
mod page;
mod perfetto;
mod pictures;
mod read;
mod result;

pub use self::{
    document::{Call, Document, File, Hop, LimitUse, Node, NodeKind, Output, Pause, Run},
    error::InspectorError,
    page::{LIVE_POLICY, live_page, page},
    perfetto::perfetto,
    pictures::Pictures,
};
