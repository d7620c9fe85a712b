//! Reads interfaces from WIT.

mod reader;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use wit_parser::{InterfaceId, PackageId, Resolve};

use self::reader::Reader;
use crate::{Interface, InterfaceName};

/// Why an interface could not be read. The message contains the line in the WIT if the error has one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

/// The location of an interface in WIT files.
#[derive(Clone, Debug, Default)]
pub struct Source {
    files: Vec<PathBuf>,
    lines: HashMap<String, String>,
}

impl Source {
    /// Returns the paths of the files, so that a build can watch them.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the file, line and column of a type, or of a function by its name in the component model:
    /// `wit/forecast.wit:12:5`. Names are unique within an interface.
    #[must_use]
    pub fn line(&self, name: &str) -> Option<&str> {
        self.lines.get(name).map(String::as_str)
    }
}

/// Reads one interface of a package: a directory of WIT files, with dependencies in `deps`, or a single file. The name may lack
/// its version. Returns the location of the interface as well.
///
/// # Errors
/// If the WIT is invalid, has no such interface, or uses types that cannot be served: streams, futures and other asynchronous
/// types, maps, lists of a fixed length, resources of another interface, and empty records, flags and tuples, which the
/// component model does not support.
pub fn read(path: &Path, interface: &str) -> Result<(Interface, Source), ReadError> {
    let (resolve, package, files) = push(path)?;
    let (interface, lines) = find(&resolve, package, interface)?;
    Ok((interface, Source { files, lines }))
}

/// Reads one interface of a package in WIT text.
///
/// # Errors
/// Like [`read`].
pub fn read_text(text: &str, interface: &str) -> Result<Interface, ReadError> {
    let mut resolve = Resolve::default();
    let package = resolve.push_source("text.wit", text).map_err(|error| rendered(&resolve, &error))?;
    Ok(find(&resolve, package, interface)?.0)
}

/// Returns the interfaces of a package that have functions, in the order of the WIT. Interfaces of dependencies are not
/// included.
///
/// # Errors
/// If the WIT is invalid.
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
        other.is_same_interface(&name) && (name.version.is_none() || name.version == other.version)
    };
    let Some((id, name)) = all.iter().filter(fits).max_by_key(|(_, name)| name.version.clone()) else {
        let own = |(id, _): &&(InterfaceId, InterfaceName)| resolve.interfaces[*id].package == Some(package);
        let offered: Vec<_> = all.iter().filter(own).map(|(_, name)| name.to_string()).collect();
        let offered = if offered.is_empty() { "none".to_owned() } else { offered.join(", ") };
        return Err(ReadError(format!("there is no interface `{wanted}` in the package\nhint: it contains {offered}")));
    };
    Reader::new(resolve, *id).read(name.clone())
}
