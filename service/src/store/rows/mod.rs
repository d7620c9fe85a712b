//! The rows of the database, and the statements that read and write them.

mod runs;
mod sandboxes;
mod snapshots;

use rusqlite::{Connection, Row};

pub(crate) use self::{runs::*, sandboxes::*, snapshots::*};
use super::{Digest, add_reference, remove_reference};

fn release(connection: &Connection, owner: &str, blob: Option<Digest>) -> rusqlite::Result<Option<Digest>> {
    blob.map_or(Ok(None), |digest| remove_reference(connection, owner, &digest))
}

fn digest(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Digest>> {
    Ok(row.get::<_, Option<String>>(column)?.map(Digest::stored))
}
