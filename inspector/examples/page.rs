//! Prints a page of audits and results: `cargo run -p isolette-inspector --example page audit.jsonl result.json > page.html`.

use std::{fs::File, io::BufReader};

use isolette_inspector::{Document, page};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut document = Document::default();
    for path in std::env::args().skip(1) {
        document.add(BufReader::new(File::open(path)?))?;
    }
    print!("{}", page(&document.finished()?));
    Ok(())
}
