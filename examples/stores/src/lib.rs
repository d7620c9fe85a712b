//! Two interfaces of one's own, for programs in either language:
//!
//! - [`KeyValue`] keeps values in a file (redb), with limits of its own;
//! - [`Query`] answers SQL from a SQLite file that it never changes, and hands out rows piece by piece.
//!
//! ```no_run
//! let sandbox = isolette::Sandbox::builder()
//!     .capability(stores::KeyValue::open("notes.redb")?)
//!     .capability(stores::Query::open("sales.sqlite")?)
//!     .build()?;
//! let result = sandbox.run(
//!     "from acme.stores import key_value, query\n\
//!      with query.ask('select sum(amount) from sales', []) as rows:\n    key_value.set('total', str(rows.next(1)).encode())",
//! )?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod key_value;
mod query;

pub use self::{
    key_value::KeyValue,
    query::{Query, Rows},
};
