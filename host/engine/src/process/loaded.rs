//! Fork servers that have loaded an image: the memory of the first one is kept on disk, and later ones continue in it.
//!
//! To load an image takes a process some milliseconds, mostly for what Wasmtime derives from the code. All of it is memory at fixed
//! addresses, the same in every process that loads the image on the same kind of processor.

use std::{
    arch::x86_64::{__cpuid, __cpuid_count},
    fs::{self, File},
    io,
    path::Path,
};

use serde::{Deserialize, Serialize};

use super::{
    fork_server::{Files, ForkServer},
    memory::Memory,
    pages::{self, Contents},
};
use crate::snapshot::{Key, Origin, Recipe, SnapshotCache};

/// The file with the memory, in the form of `isolette_abi::saved`.
const MEMORY: &str = "memory";

/// The file with the other facts about the memory, as JSON.
const DESCRIPTION: &str = "description.json";

#[derive(Serialize, Deserialize)]
struct Description {
    contents: Vec<Contents>,
    /// The digest of the memory.
    base: [u8; 32],
}

/// Starts a fork server, in memory from the user's cache if that is available.
pub(super) fn start(files: &Files) -> Result<ForkServer, String> {
    let Ok(cache) = SnapshotCache::of_user() else { return ForkServer::start(files) };
    let (server, origin) = cache.obtain(&key(files), &Loaded(files))?;
    match origin {
        Origin::Disk | Origin::Made(None) => {}
        Origin::Made(Some(reason)) => tracing::warn!(reason, "a cached snapshot was unusable and was made again"),
        // The process has loaded the image itself, as without a cache.
        Origin::Memory(reason) => tracing::debug!(reason, "what a process has loaded cannot be cached"),
    }
    Ok(server)
}

/// Everything that the memory depends on.
fn key(Files { digests: [code, runtime], .. }: &Files) -> Key {
    Key::new([
        ("isolation", "process".into()),
        ("code", code.clone()),
        ("runtime", runtime.clone()),
        ("processor", processor()),
    ])
}

/// The kind of processor and its features: what a program can derive from it is in its memory.
fn processor() -> String {
    let (kind, features) = (__cpuid(1), __cpuid_count(7, 0));
    format!("{:08x} {:08x} {:08x} {:08x} {:08x}", kind.eax, kind.ecx, kind.edx, features.ebx, features.ecx)
}

struct Loaded<'a>(&'a Files);

impl Recipe for Loaded<'_> {
    type Snapshot = ForkServer;
    type Error = String;

    fn make(&self) -> Result<ForkServer, String> {
        ForkServer::start(self.0)
    }

    fn save(&self, server: &ForkServer, folder: &Path) -> Result<(), String> {
        let process = server.number();
        let write = || -> io::Result<()> {
            let description = Description { contents: pages::contents(process)?, base: Memory::digest(process)? };
            fs::write(folder.join(DESCRIPTION), serde_json::to_vec(&description)?)?;
            Memory::of_fork_server(process)?.copy_to(&mut File::create_new(folder.join(MEMORY))?)
        };
        write().map_err(|error| error.to_string())
    }

    fn load(&self, folder: &Path, check: bool) -> Result<ForkServer, String> {
        if check {
            return Err("its files have changed".into());
        }
        let read = || -> io::Result<(File, Description)> {
            let description = serde_json::from_slice(&fs::read(folder.join(DESCRIPTION))?)?;
            Ok((File::open(folder.join(MEMORY))?, description))
        };
        let (memory, Description { contents, base }) = read().map_err(|error| error.to_string())?;
        ForkServer::start_in(self.0, &memory, &contents, base)
    }
}
