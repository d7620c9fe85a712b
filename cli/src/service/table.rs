//! Tables for people.

use std::io;

use crate::{report, terminal::shown};

/// Prints rows below a head, each column as wide as its widest text.
pub(super) fn print<const N: usize>(head: [&str; N], rows: &[[String; N]]) {
    let head = head.map(str::to_owned);
    // Names may come from other users, and must not control the terminal.
    let shown = |row: &[String; N]| row.each_ref().map(|text| shown(&io::stdout(), text).into_owned());
    let rows: Vec<_> = std::iter::once(shown(&head)).chain(rows.iter().map(shown)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for row in &rows {
        let line: String = row.iter().zip(widths).map(|(text, width)| format!("{text:<width$}  ")).collect();
        report::line(line.trim_end());
    }
}
