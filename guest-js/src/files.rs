//! `isolette:sandbox/files` for `prelude/fs.js`. An error is the name of its `errno`, as a string.

use rquickjs::{Array, Ctx, Function, IntoJs, Object, Result, TypedArray, Value};

use crate::{
    bindings::isolette::sandbox::files::{self, FileError, Kind},
    engine,
    text::{self, Text},
};

/// The number of bytes that one call reads; the adapter would split a larger one.
const PIECE: u32 = 192 * 1024;

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("stat", Function::new(ctx.clone(), stat)?)?;
    host.set("readFile", Function::new(ctx.clone(), read)?)?;
    host.set("writeFile", Function::new(ctx.clone(), write)?)?;
    host.set("appendFile", Function::new(ctx.clone(), append)?)?;
    host.set("writeFileAt", Function::new(ctx.clone(), write_at)?)?;
    host.set("listDirectory", Function::new(ctx.clone(), list_directory)?)?;
    host.set("createDirectory", Function::new(ctx.clone(), create_directory)?)?;
    host.set("removeFile", Function::new(ctx.clone(), remove_file)?)?;
    host.set("removeDirectory", Function::new(ctx.clone(), remove_directory)?)?;
    host.set("rename", Function::new(ctx.clone(), rename)?)?;
    host.set("resize", Function::new(ctx.clone(), resize)?)?;
    host.set("setModified", Function::new(ctx.clone(), set_modified)?)
}

fn stat<'js>(ctx: Ctx<'js>, path: Text<'js>) -> Result<Value<'js>> {
    match files::stat(&path) {
        Ok(status) => {
            let object = Object::new(ctx)?;
            object.set("kind", kind_name(status.kind))?;
            object.set("size", status.size as f64)?;
            object.set("modified", status.modified as f64 / 1e6)?;
            Ok(object.into_value())
        }
        Err(error) => errno(error).into_js(&ctx),
    }
}

fn read<'js>(ctx: Ctx<'js>, path: Text<'js>) -> Result<Value<'js>> {
    let mut content = Vec::new();
    loop {
        match files::read(&path, content.len() as u64, PIECE) {
            Ok(piece) => {
                if content.try_reserve(piece.len()).is_err() {
                    return Err(text::out_of_memory(&ctx));
                }
                content.extend_from_slice(&piece);
                if piece.len() < PIECE as usize {
                    return Ok(TypedArray::new(ctx, content)?.into_value());
                }
            }
            Err(error) => return errno(error).into_js(&ctx),
        }
    }
}

/// Creates the file if it does not exist. With `exclusive` it must not exist.
fn write<'js>(path: Text<'js>, bytes: TypedArray<'js, u8>, exclusive: bool) -> Option<&'static str> {
    let outcome = match files::create(&path, Kind::File) {
        Err(FileError::Exists) if !exclusive => files::resize(&path, 0),
        other => other,
    };
    outcome.and_then(|()| write_pieces(&path, Some(0), engine::content(&bytes))).err().map(errno)
}

fn append<'js>(path: Text<'js>, bytes: TypedArray<'js, u8>) -> Option<&'static str> {
    let outcome = match files::create(&path, Kind::File) {
        Err(FileError::Exists) => Ok(()),
        other => other,
    };
    outcome.and_then(|()| write_pieces(&path, None, engine::content(&bytes))).err().map(errno)
}

/// The file must exist, and keeps what is not overwritten.
fn write_at<'js>(path: Text<'js>, offset: f64, bytes: TypedArray<'js, u8>) -> Option<&'static str> {
    let offset = Some(offset as u64);
    let bytes = engine::content(&bytes);
    let outcome =
        if bytes.is_empty() { files::write(&path, offset, bytes) } else { write_pieces(&path, offset, bytes) };
    outcome.err().map(errno)
}

fn write_pieces(path: &str, offset: Option<u64>, bytes: &[u8]) -> std::result::Result<(), FileError> {
    let mut written = 0;
    for piece in bytes.chunks(PIECE as usize) {
        files::write(path, offset.map(|offset| offset + written), piece)?;
        written += piece.len() as u64;
    }
    Ok(())
}

fn list_directory<'js>(ctx: Ctx<'js>, path: Text<'js>) -> Result<Value<'js>> {
    match files::list_directory(&path) {
        Ok(entries) => {
            let listing = Array::new(ctx.clone())?;
            for (index, entry) in entries.into_iter().enumerate() {
                let pair = Array::new(ctx.clone())?;
                pair.set(0, entry.name)?;
                pair.set(1, kind_name(entry.kind))?;
                listing.set(index, pair)?;
            }
            Ok(listing.into_value())
        }
        Err(error) => errno(error).into_js(&ctx),
    }
}

fn create_directory(path: Text<'_>) -> Option<&'static str> {
    files::create(&path, Kind::Directory).err().map(errno)
}

fn remove_file(path: Text<'_>) -> Option<&'static str> {
    files::remove(&path, Kind::File).err().map(errno)
}

fn remove_directory(path: Text<'_>) -> Option<&'static str> {
    files::remove(&path, Kind::Directory).err().map(errno)
}

fn rename<'js>(source: Text<'js>, target: Text<'js>) -> Option<&'static str> {
    files::rename(&source, &target).err().map(errno)
}

fn resize(path: Text<'_>, size: f64) -> Option<&'static str> {
    files::resize(&path, size as u64).err().map(errno)
}

/// `modified` is in milliseconds since 1970.
fn set_modified(path: Text<'_>, modified: f64) -> Option<&'static str> {
    files::set_modified(&path, (modified * 1e6) as u64).err().map(errno)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "file",
        Kind::Directory => "directory",
        Kind::Other => "other",
    }
}

fn errno(error: FileError) -> &'static str {
    match error {
        // Programs expect EACCES for a denied operation, in Python too; few check for EROFS.
        FileError::Access | FileError::ReadOnly => "EACCES",
        FileError::BadDescriptor => "EBADF",
        FileError::Busy => "EBUSY",
        FileError::Exists => "EEXIST",
        FileError::FileTooLarge => "EFBIG",
        FileError::Invalid => "EINVAL",
        FileError::Io => "EIO",
        FileError::IsDirectory => "EISDIR",
        FileError::LinkLoop => "ELOOP",
        FileError::TooManyFiles => "EMFILE",
        FileError::NameTooLong => "ENAMETOOLONG",
        FileError::NotFound => "ENOENT",
        FileError::NotDirectory => "ENOTDIR",
        FileError::NotEmpty => "ENOTEMPTY",
        FileError::NoSpace => "ENOSPC",
        FileError::Unsupported => "ENOTSUP",
        FileError::CrossDevice => "EXDEV",
    }
}
