//! Writes audit records to a file, one JSON object a line.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use isolette_types::write_json_line;

use super::{AuditRecord, AuditSink};

/// Appends to a file. The lines of one write are passed to the system in one call, so that several processes can share
/// a file.
pub(super) struct JsonLines {
    file: File,
    lines: Vec<u8>,
}

impl JsonLines {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        Ok(Self { file, lines: Vec::new() })
    }
}

impl AuditSink for JsonLines {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        self.lines.clear();
        for record in records {
            write_json_line(&mut self.lines, record)?;
            self.lines.push(b'\n');
        }
        self.file.write_all(&self.lines)
    }
}
