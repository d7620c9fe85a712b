//! Records as lines of JSON in a file.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use super::{AuditRecord, AuditSink};

/// Only ever appends. The lines that are written at once go out in one piece, so that several processes can share a file.
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
            serde_json::to_writer(&mut self.lines, record)?;
            self.lines.push(b'\n');
        }
        self.file.write_all(&self.lines)
    }
}
