//! File systems for mounts, written in Python.

use std::io;

use isolette::files::{Entry, FileError, FileSystem, Kind, Status, file_error};
use pyo3::{
    exceptions::{PyOSError, PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyTuple},
};

use crate::callbacks::attached;

static STATUS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// An object of a subclass of `isolette.FileSystem`.
pub(crate) struct PythonFileSystem(Py<PyAny>);

impl PythonFileSystem {
    pub(crate) fn new(system: Py<PyAny>) -> Self {
        Self(system)
    }

    /// Calls a method and converts its result.
    fn call<T>(
        &self,
        method: &str,
        arguments: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
        convert: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Result<T, FileError> {
        let called = attached(|py| {
            let result = arguments(py)
                .and_then(|arguments| self.0.bind(py).call_method1(method, arguments))
                .and_then(|result| convert(&result));
            result.map_err(|error| error_of(py, error, self.0.bind(py)))
        });
        called.unwrap_or(Err(FileError::Io))
    }
}

impl FileSystem for PythonFileSystem {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.call(
            "stat",
            |py| (path,).into_pyobject(py),
            |result| {
                let status = STATUS.import(result.py(), "isolette._file_systems", "status")?;
                let (name, size, modified): (String, u64, u64) = status.call1((result,))?.extract()?;
                Ok(Status { kind: kind(&name)?, size, modified })
            },
        )
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        self.call(
            "read",
            |py| (path, offset, length).into_pyobject(py),
            |result| {
                let bytes: Vec<u8> = match result.cast::<PyBytes>() {
                    Ok(bytes) => bytes.as_bytes().to_vec(),
                    Err(_) => return Err(PyTypeError::new_err("`read` must return bytes")),
                };
                if bytes.len() > length as usize {
                    return Err(PyValueError::new_err("`read` returned more bytes than were asked for"));
                }
                Ok(bytes)
            },
        )
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        self.call(
            "list_directory",
            |py| (path,).into_pyobject(py),
            |result| {
                let mut entries = Vec::new();
                for entry in result.try_iter()? {
                    let (name, of): (String, String) = entry?.extract()?;
                    entries.push(Entry { name, kind: kind(&of)? });
                }
                Ok(entries)
            },
        )
    }

    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        self.call("write", |py| (path, offset, PyBytes::new(py, bytes)).into_pyobject(py), nothing)
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.call("create", |py| (path, name(kind)).into_pyobject(py), nothing)
    }

    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.call("remove", |py| (path, name(kind)).into_pyobject(py), nothing)
    }

    fn freed(&self, path: &str) -> Result<u64, FileError> {
        self.call("freed", |py| (path,).into_pyobject(py), |result| result.extract())
    }

    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        self.call("rename", |py| (source, target).into_pyobject(py), nothing)
    }

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.call("resize", |py| (path, size).into_pyobject(py), nothing)
    }

    fn set_modified(&self, path: &str, modified: u64) -> Result<(), FileError> {
        self.call("set_modified", |py| (path, modified).into_pyobject(py), nothing)
    }
}

fn nothing(_: &Bound<'_, PyAny>) -> PyResult<()> {
    Ok(())
}

const KINDS: [(Kind, &str); 3] = [(Kind::File, "file"), (Kind::Directory, "directory"), (Kind::Other, "other")];

fn name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(each, _)| *each == kind).map_or("other", |(_, name)| name)
}

fn kind(name: &str) -> PyResult<Kind> {
    let found = KINDS.iter().find(|(_, each)| *each == name).map(|(kind, _)| *kind);
    found.ok_or_else(|| PyValueError::new_err(format!("the kind of a file is {name:?}, not file, directory or other")))
}

/// The error for the program, which learns nothing of mistakes of the file system.
fn error_of(py: Python<'_>, raised: PyErr, system: &Bound<'_, PyAny>) -> FileError {
    if !raised.is_instance_of::<PyOSError>(py) {
        raised.write_unraisable(py, Some(system));
        return FileError::Io;
    }
    let number = raised.value(py).getattr("errno").and_then(|number| number.extract::<i32>());
    // `raise FileNotFoundError(path)` has no number.
    file_error(&number.map_or_else(|_| raised.into(), io::Error::from_raw_os_error))
}
