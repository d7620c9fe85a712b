//! Prints a page of audits and results: `cargo run -p isolette-inspector --example page audit.jsonl result.json > page.html`.
//! Without files, it prints the page of a server.

use std::{env, fs::File, io::BufReader};

use isolette_inspector::{Document, live_page, page};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut document = Document::default();
    for path in env::args().skip(1) {
        document.add(BufReader::new(File::open(path)?))?;
    }
    let is_live = env::args().len() < 2;
    print!("{}", if is_live { live_page() } else { page(&document.finished()?) });
    Ok(())
}
