//! From WIT to what it says.

mod reader;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use wit_parser::{InterfaceId, PackageId, Resolve};

use self::reader::Reader;
use crate::{Interface, InterfaceName};

/// Why an interface could not be read. The sentence says where in the WIT, if it is the fault of a line there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

/// Where an interface was read from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    files: Vec<PathBuf>,
    lines: HashMap<String, String>,
}

impl Source {
    /// The files, so that a build can watch them.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The file, the line and the column of a type, or of a function by its name in the component model:
    /// `wit/forecast.wit:12:5`. No two of an interface have the same name.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<&str> {
        self.lines.get(name).map(String::as_str)
    }
}

/// Reads one interface of a package: a folder of WIT files, with what it depends on in `deps`, or a single file. The name
/// may lack its version. Says, too, where it was read from.
///
/// # Errors
/// If the WIT is wrong, has no such interface, or uses what cannot be served: streams, futures and other asynchronous
/// types, maps, lists of a fixed length, resources of another interface, and records, flags and tuples of nothing, which
/// the component model has none of.
pub fn read(path: &Path, interface: &str) -> Result<(Interface, Source), ReadError> {
    let (resolve, package, files) = push(path)?;
    let (interface, lines) = find(&resolve, package, interface)?;
    Ok((interface, Source { files, lines }))
}

/// Reads one interface of a package that is a text.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str, interface: &str) -> Result<Interface, ReadError> {
    let mut resolve = Resolve::default();
    let package = resolve.push_source("text.wit", text).map_err(|error| rendered(&resolve, &error))?;
    Ok(find(&resolve, package, interface)?.0)
}

/// The interfaces of a package itself that have functions, in the order of the WIT: those that somebody could serve.
///
/// # Errors
/// If the WIT is wrong.
pub fn interfaces(path: &Path) -> Result<Vec<InterfaceName>, ReadError> {
    let (resolve, package, _) = push(path)?;
    let interfaces = resolve.packages[package].interfaces.values();
    let with_functions = interfaces.filter(|id| !resolve.interfaces[**id].functions.is_empty());
    Ok(with_functions.filter_map(|id| resolve.id_of(*id)?.parse().ok()).collect())
}

fn push(path: &Path) -> Result<(Resolve, PackageId, Vec<PathBuf>), ReadError> {
    let mut resolve = Resolve::default();
    let (package, sources) = resolve.push_path(path).map_err(|error| rendered(&resolve, &error))?;
    let files = sources.paths().map(Path::to_owned).collect();
    Ok((resolve, package, files))
}

fn rendered(resolve: &Resolve, error: &anyhow::Error) -> ReadError {
    ReadError(resolve.render_error(error))
}

fn find(
    resolve: &Resolve,
    package: PackageId,
    wanted: &str,
) -> Result<(Interface, HashMap<String, String>), ReadError> {
    let name: InterfaceName = wanted.parse().map_err(|error| ReadError(format!("{error}")))?;
    let all = resolve.interfaces.iter().filter_map(|(id, _)| {
        let name: InterfaceName = resolve.id_of(id)?.parse().ok()?;
        Some((id, name))
    });
    let all: Vec<_> = all.collect();
    let fits = |(_, other): &&(InterfaceId, InterfaceName)| {
        other.is_of(&name) && (name.version.is_none() || name.version == other.version)
    };
    let Some((id, name)) = all.iter().filter(fits).max_by_key(|(_, name)| name.version.clone()) else {
        let own = |(id, _): &&(InterfaceId, InterfaceName)| resolve.interfaces[*id].package == Some(package);
        let offered: Vec<_> = all.iter().filter(own).map(|(_, name)| name.to_string()).collect();
        let offered = if offered.is_empty() { "none".to_owned() } else { offered.join(", ") };
        return Err(ReadError(format!("there is no interface `{wanted}` in the package\nhint: it has {offered}")));
    };
    Reader::new(resolve, *id).read(name.clone())
}
