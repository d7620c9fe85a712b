//! Two custom interfaces, for programs in each language:
//!
//! - [`KeyValue`] stores values in a file (redb), with its own limits;
//! - [`Query`] runs SQL queries on a read-only SQLite file, and returns rows in batches.
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
