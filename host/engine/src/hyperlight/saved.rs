//! The saved state of a micro-VM, and its form for other hosts.
//!
//! Hyperlight writes a snapshot as a folder of files. Its form for other hosts is the key of what it depends on, the memory
//! limit, and these files. A snapshot contains the registers and page tables of a virtual processor, and Hyperlight trusts it;
//! so does the host, which therefore reads none of unknown origin.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Component, Path},
    sync::Arc,
};

use hyperlight_host::sandbox::snapshot::{OciTag, Snapshot};

use super::machine;
use crate::{Missing, snapshot::Key, state::SavedState};

/// The reason why a state cannot be used here.
pub(super) const OTHER_MACHINE: &str = "it was saved from a micro-VM with another image, runtime or kind of processor";

/// The name of the snapshot in its folder.
const TAG: &str = "isolette";

/// The most files of a snapshot, and bytes of the path of one.
const FILES: u64 = 100;
const PATH: u64 = 1000;

/// The saved state of a micro-VM.
pub(super) struct SavedMachine {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) memory_limit: u64,
    /// The key of what the state depends on.
    pub(super) key: Key,
}

impl std::fmt::Debug for SavedMachine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SavedMachine").field("memory_limit", &self.memory_limit).finish_non_exhaustive()
    }
}

pub(super) fn of_another_isolation() -> Missing {
    Missing { reason: "the state was saved from another isolation than `microvm`".into(), hint: "use that isolation" }
}

impl SavedState for SavedMachine {
    /// Hyperlight keeps all memory of the micro-VM, and does not say how much it is: at most this much.
    fn bytes(&self) -> u64 {
        machine::size_limit(self.memory_limit)
    }
}

impl SavedMachine {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(text)?;
        let save = || self.snapshot.save(folder.path(), &OciTag::new(TAG)?);
        save().map_err(|error| error.to_string())?;
        let mut files = Vec::new();
        list(folder.path(), folder.path(), &mut files).map_err(text)?;
        let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(text);
        put(self.key.id().as_bytes())?;
        put(&self.memory_limit.to_le_bytes())?;
        put(&(files.len() as u64).to_le_bytes())?;
        for name in files {
            let mut file = File::open(folder.path().join(&name)).map_err(text)?;
            put(&(name.len() as u64).to_le_bytes())?;
            put(name.as_bytes())?;
            let length = file.metadata().map_err(text)?.len();
            put(&length.to_le_bytes())?;
            let mut chunk = vec![0; 256 << 10];
            loop {
                match file.read(&mut chunk).map_err(text)? {
                    0 => break,
                    length => put(&chunk[..length])?,
                }
            }
        }
        Ok(())
    }

    /// Reads a state of known origin. `own_key` is what a state with a memory limit depends on here.
    pub(super) fn read(input: &mut dyn Read, own_key: impl FnOnce(u64) -> Key) -> Result<Self, String> {
        // The length of an identifier of a key: a digest in hexadecimal digits.
        let mut id = [0; 32];
        input.read_exact(&mut id).map_err(text)?;
        let memory_limit = number(input)?;
        let key = own_key(memory_limit);
        if key.id().as_bytes() != id {
            return Err(OTHER_MACHINE.into());
        }
        let folder = tempfile::tempdir().map_err(text)?;
        let count = number(input)?;
        if count > FILES {
            return Err(format!("it has {count} files, and a snapshot has at most {FILES}"));
        }
        let mut room = machine::size_limit(memory_limit).saturating_mul(2);
        for _ in 0..count {
            let length = number(input)?;
            if length > PATH {
                return Err("it has a file with too long a name".into());
            }
            let mut name = String::new();
            (&mut *input).take(length).read_to_string(&mut name).map_err(text)?;
            let path = Path::new(&name);
            if !path.components().all(|component| matches!(component, Component::Normal(_))) {
                return Err("it has a file outside of its folder".into());
            }
            let target = folder.path().join(path);
            fs::create_dir_all(target.parent().unwrap_or(folder.path())).map_err(text)?;
            let length = number(input)?;
            room = room.checked_sub(length).ok_or("it has more bytes than a micro-VM")?;
            let mut file = File::create_new(target).map_err(text)?;
            if io::copy(&mut (&mut *input).take(length), &mut file).map_err(text)? != length {
                return Err("it is cut off".into());
            }
        }
        let load = || Snapshot::checked_load(folder.path(), OciTag::new(TAG)?);
        let snapshot = Arc::new(load().map_err(|error| error.to_string())?);
        Ok(Self { snapshot, memory_limit, key })
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn number(input: &mut dyn Read) -> Result<u64, String> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes).map_err(text)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Lists the files in a folder, relative to `root`, with `/` between names.
fn list(root: &Path, folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) {
            files.push(name.to_owned());
        }
    }
    files.sort();
    Ok(())
}
