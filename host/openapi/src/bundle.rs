//! Merges the files that a document refers to into the document, so that all references are internal.
//!
//! Only files in the document's own directory or below it are read, after links are resolved; nothing is read from a
//! network. Files that cannot be read are recorded, and only affect the operations that need them.

use std::{
    collections::HashMap,
    fs::File,
    io::Read as _,
    path::{Component, Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{document::Document, limits::FILES, parse};
use isolette_work::values::Reservation;

/// The key of the document under which merged files are kept.
const FILES_KEY: &str = "x-isolette-files";

/// Merges the files that a document refers to, at most `bytes` of them together.
pub(super) fn bundle(mut root: Value, file: &Path, bytes: usize) -> Document {
    let (Some(directory), Some(name)) = (file.parent(), file.file_name()) else {
        return Document { root, ..Document::default() };
    };
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let mut bundle = Bundle {
        directory,
        main: PathBuf::from(name),
        found: Vec::new(),
        missing: HashMap::new(),
        remaining: bytes,
        room: Vec::new(),
    };
    bundle.rewrite(&mut root, None);
    let mut contents = Map::new();
    let mut next = 0;
    while let Some(path) = bundle.found.get(next).cloned() {
        match bundle.read(&path) {
            Ok(mut value) => {
                bundle.rewrite(&mut value, Some(next));
                contents.insert(key(next, &path), value);
            }
            Err(reason) => drop(bundle.missing.insert(place(next, &path), format!("`{}` {reason}", path.display()))),
        }
        next += 1;
    }
    if let (Some(object), false) = (root.as_object_mut(), contents.is_empty()) {
        object.insert(FILES_KEY.into(), Value::Object(contents));
    }
    Document { root, missing: bundle.missing, room: bundle.room }
}

struct Bundle<'a> {
    directory: &'a Path,
    main: PathBuf,
    /// Paths relative to the directory, in the order of the first references to them.
    found: Vec<PathBuf>,
    missing: HashMap<String, String>,
    remaining: usize,
    room: Vec<Reservation>,
}

/// The key of a file in the document. Definitions may be named after it.
fn key(index: usize, path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect();
    format!("{name}_{index}")
}

/// The part of a reference before the fragment, for a file that was merged.
fn place(index: usize, path: &Path) -> String {
    format!("{FILES_KEY}/{}", key(index, path))
}

impl Bundle<'_> {
    /// Makes all references in a value internal to the one document.
    fn rewrite(&mut self, value: &mut Value, file: Option<usize>) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(|value| self.rewrite(value, file)),
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(reference) if key == "$ref" => {
                            if let Some(new) = self.redirect(reference, file) {
                                *reference = new;
                            }
                        }
                        value => self.rewrite(value, file),
                    }
                }
            }
            _ => {}
        }
    }

    fn redirect(&mut self, reference: &str, file: Option<usize>) -> Option<String> {
        let (target, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let index = match (target, file) {
            ("", None) => return None,
            ("", Some(file)) => file,
            (target, _) => {
                if target.contains("://") || target.starts_with('/') {
                    return None;
                }
                let from = file.and_then(|file| self.found.get(file)).and_then(|path| path.parent());
                let target = percent_encoding::percent_decode_str(target).decode_utf8_lossy();
                let Some(path) = normalise(from.unwrap_or(Path::new("")), Path::new(&*target)) else {
                    let reason = "it is outside of the document's directory, and is not read";
                    self.missing.insert(reference.split('#').next().unwrap_or_default().into(), reason.into());
                    return None;
                };
                if path == self.main {
                    return Some(format!("#{fragment}"));
                }
                match self.found.iter().position(|known| *known == path) {
                    Some(index) => index,
                    None if self.found.len() >= FILES => {
                        let reason = format!("the document consists of more than {FILES} files");
                        self.missing.insert(reference.split('#').next().unwrap_or_default().into(), reason);
                        return None;
                    }
                    None => {
                        self.found.push(path);
                        self.found.len() - 1
                    }
                }
            }
        };
        let path = self.found.get(index).map(PathBuf::as_path).unwrap_or(Path::new(""));
        Some(format!("#/{}{fragment}", place(index, path)))
    }

    fn read(&mut self, path: &Path) -> Result<Value, String> {
        let whole = self.directory.join(path);
        let inside = self.directory.canonicalize().and_then(|directory| {
            let real = whole.canonicalize()?;
            Ok(real.starts_with(directory).then_some(real))
        });
        let real = match inside {
            Ok(Some(real)) => real,
            Ok(None) => return Err("is a link out of the document's directory, and is not read".into()),
            Err(error) => return Err(format!("cannot be read: {error}")),
        };
        let mut text = String::new();
        let read = File::open(real).and_then(|file| {
            if !file.metadata()?.is_file() {
                return Err(std::io::Error::other("it is no file"));
            }
            file.take(self.remaining as u64 + 1).read_to_string(&mut text)
        });
        match read {
            Ok(bytes) if bytes > self.remaining => return Err("makes the document longer than it may be".into()),
            Ok(bytes) => self.remaining -= bytes,
            Err(error) => return Err(format!("cannot be read: {error}")),
        }
        let (value, room) = parse::text(&text, "the file").map_err(|error| {
            let text = error.to_string();
            format!("cannot be read: {}", text.lines().next().unwrap_or_default())
        })?;
        self.room.push(room);
        Ok(value)
    }
}

/// The path of `target` as seen from the directory `from`. `None` if it leads out of the document's directory.
fn normalise(from: &Path, target: &Path) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in from.components().chain(target.components()) {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}
