//! The memory of a guest's process, copied: other processes of the same image continue in it.

use std::{
    fs::File,
    io::{self, Seek as _, Write as _},
    ops::Range,
    os::unix::fs::FileExt as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette_abi::saved::{self, PAGE};
use rustix::fs::{MemfdFlags, memfd_create};
use sha2::{Digest as _, Sha256};

use super::{
    pages::{self, Which},
    sealing::seal,
};

/// Runs of pages with at most as many bytes between them are copied as one: each run is a mapping in a process. The first gap with
/// which there are not too many is taken.
const GAPS: [u64; 4] = [4 * PAGE, 32 * PAGE, 256 * PAGE, 2048 * PAGE];

/// Bytes that are copied at a time.
pub(super) const CHUNK: usize = 256 << 10;

/// The memory that a process has written to, compared with its fork server.
#[derive(Debug)]
pub(super) struct Memory {
    content: Mutex<Content>,
    pub(super) accessible: Vec<Range<u64>>,
    pub(super) runs: Vec<Range<u64>>,
}

/// The bytes of a memory, in the form of `isolette_abi::saved`.
#[derive(Clone, Debug)]
enum Content {
    /// The bytes of the pages alone. Most copies are made in case that a program fails, and never read; copying into a new file takes
    /// more than three times as long.
    Pages(Arc<Vec<u8>>),
    /// A file, which nothing can change.
    File(Arc<File>),
}

impl Memory {
    /// Copies the memory of a process that waits for the host. `origin` is the memory in which it has been started.
    ///
    /// # Errors
    /// If this process may not read the memory of the others, or if there are more than `limit` bytes.
    pub(super) fn of(process: u32, origin: Option<&Self>, limit: u64) -> io::Result<Self> {
        let accessible = pages::accessible(process)?;
        let written = pages::find(process, &accessible, Which::Written)?;
        let mut all = written;
        all.extend_from_slice(origin.map_or(&[], |origin| &origin.runs));
        all.sort_unstable_by_key(|run| run.start);
        let fits = |runs: &Vec<Range<u64>>| head(&accessible, runs).is_some();
        let runs = GAPS.iter().map(|gap| joined(&all, *gap, &accessible)).find(fits).ok_or_else(in_pieces)?;
        if bytes(&runs) > limit {
            return Err(io::Error::other("the process has more memory than its guest may have"));
        }
        let mut pages = Vec::with_capacity(usize::try_from(bytes(&runs)).map_err(io::Error::other)?);
        read(process, &runs, |chunk| {
            pages.extend_from_slice(chunk);
            Ok(())
        })?;
        Ok(Self { content: Mutex::new(Content::Pages(Arc::new(pages))), accessible, runs })
    }

    /// Copies all memory of a fork server that a guest can change, except what it has mapped of files and not written to.
    ///
    /// # Errors
    /// If this process may not read the memory of the others.
    pub(super) fn of_fork_server(process: u32) -> io::Result<Self> {
        let accessible = pages::accessible(process)?;
        let runs = joined(&pages::find(process, &accessible, Which::Anonymous)?, GAPS[0], &accessible);
        let mut writer = Writer::new(accessible, runs.clone())?;
        read(process, &runs, |chunk| writer.write(chunk))?;
        writer.finish()
    }

    /// The digest of all memory of a fork server that a guest can change.
    ///
    /// # Errors
    /// If this process may not read the memory of the others.
    pub(super) fn digest(fork_server: u32) -> io::Result<[u8; 32]> {
        let accessible = pages::accessible(fork_server)?;
        let runs = pages::find(fork_server, &accessible, Which::Anonymous)?;
        if runs.is_empty() {
            return Err(io::Error::other("the process that starts guests has ended"));
        }
        let mut hasher = Sha256::new();
        hasher.update(head(&accessible, &runs).unwrap_or_default());
        read(fork_server, &runs, |chunk| {
            hasher.update(chunk);
            Ok(())
        })?;
        Ok(hasher.finalize().into())
    }

    /// The file with the memory, which processes continue in. It is written when it is needed first.
    pub(super) fn file(&self) -> io::Result<Arc<File>> {
        let mut content = self.content();
        let file = match &*content {
            Content::Pages(pages) => {
                let mut writer = Writer::new(self.accessible.clone(), self.runs.clone())?;
                writer.write(pages)?;
                writer.finished()?
            }
            Content::File(file) => return Ok(Arc::clone(file)),
        };
        *content = Content::File(Arc::clone(&file));
        Ok(file)
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the file with the memory to `target`.
    pub(super) fn copy_to(&self, target: &mut File) -> io::Result<()> {
        let file = self.file()?;
        let mut source = &*file;
        source.rewind()?;
        io::copy(&mut source, target).map(drop)
    }

    /// The number of bytes that differ from the image.
    pub(super) fn bytes(&self) -> u64 {
        bytes(&self.runs)
    }

    /// The number of bytes that a process with this memory can write to.
    pub(super) fn accessible_bytes(&self) -> u64 {
        bytes(&self.accessible)
    }

    /// Passes all bytes to a closure, which may change them, with the address of the first one.
    pub(super) fn each_chunk(&self, mut each: impl FnMut(u64, &mut [u8]) -> io::Result<()>) -> io::Result<()> {
        let content = self.content().clone();
        let head = head(&self.accessible, &self.runs).map_or(0, |head| head.len() as u64);
        let mut offset = 0;
        let mut chunk = vec![0; CHUNK];
        for run in &self.runs {
            let mut address = run.start;
            while address < run.end {
                let length = usize::try_from(run.end - address).unwrap_or(CHUNK).min(CHUNK);
                let part = &mut chunk[..length];
                match &content {
                    Content::Pages(pages) => part.copy_from_slice(&pages[offset..offset + length]),
                    Content::File(file) => file.read_exact_at(part, head + offset as u64)?,
                }
                each(address, part)?;
                (address, offset) = (address + length as u64, offset + length);
            }
        }
        Ok(())
    }
}

/// Makes a [`Memory`] of its bytes.
pub(super) struct Writer {
    file: File,
    accessible: Vec<Range<u64>>,
    runs: Vec<Range<u64>>,
}

impl Writer {
    /// Begins with the ranges that are accessible, and the runs of pages whose bytes will be written.
    pub(super) fn new(accessible: Vec<Range<u64>>, runs: Vec<Range<u64>>) -> io::Result<Self> {
        let head = head(&accessible, &runs).ok_or_else(in_pieces)?;
        let mut file = File::from(memfd_create("isolette-memory", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
        file.write_all(&head)?;
        Ok(Self { file, accessible, runs })
    }

    pub(super) fn runs(&self) -> &[Range<u64>] {
        &self.runs
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Makes the memory unchangeable.
    pub(super) fn finish(self) -> io::Result<Memory> {
        let (accessible, runs) = (self.accessible.clone(), self.runs.clone());
        Ok(Memory { content: Mutex::new(Content::File(self.finished()?)), accessible, runs })
    }

    fn finished(self) -> io::Result<Arc<File>> {
        seal(&self.file)?;
        Ok(Arc::new(self.file))
    }
}

fn in_pieces() -> io::Error {
    io::Error::other("the process has its memory in more pieces than a guest needs")
}

/// The number of bytes in all ranges.
pub(super) fn bytes(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// Reads memory of a process.
fn read(process: u32, runs: &[Range<u64>], mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let memory = File::open(format!("/proc/{process}/mem"))?;
    let mut chunk = vec![0; CHUNK];
    for run in runs {
        let mut address = run.start;
        while address < run.end {
            let length = usize::try_from(run.end - address).unwrap_or(CHUNK).min(CHUNK);
            memory.read_exact_at(&mut chunk[..length], address)?;
            each(&chunk[..length])?;
            address += length as u64;
        }
    }
    Ok(())
}

/// The head of the file, or `None` if there are too many ranges.
fn head(accessible: &[Range<u64>], runs: &[Range<u64>]) -> Option<Vec<u8>> {
    let counts = [accessible.len() as u64, runs.len() as u64];
    let length = usize::try_from(saved::head_length(counts[0], counts[1])?).ok()?;
    let ranges = accessible.iter().chain(runs).flat_map(|range| [range.start, range.end - range.start]);
    let mut head: Vec<u8> = counts.into_iter().chain(ranges).flat_map(u64::to_le_bytes).collect();
    head.resize(length, 0);
    Some(head)
}

/// Joins runs, which are in ascending order, over gaps where all between is accessible.
fn joined(runs: &[Range<u64>], gap: u64, accessible: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut joined: Vec<Range<u64>> = Vec::new();
    for run in runs {
        if let Some(last) = joined.last_mut()
            && run.start <= last.end.saturating_add(gap)
            && is_within(&(last.start..run.end), accessible)
        {
            last.end = last.end.max(run.end);
        } else {
            joined.push(run.clone());
        }
    }
    joined
}

/// Whether one of the ranges, which are in ascending order, contains all addresses.
pub(super) fn is_within(run: &Range<u64>, ranges: &[Range<u64>]) -> bool {
    let following = ranges.partition_point(|range| range.start <= run.start);
    following.checked_sub(1).and_then(|index| ranges.get(index)).is_some_and(|range| run.end <= range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: u64 = PAGE;

    #[test]
    fn near_runs_are_joined_where_all_between_is_accessible() {
        let pages = |runs: &[(u64, u64)]| runs.iter().map(|(start, end)| start * P..end * P).collect::<Vec<_>>();
        let accessible = pages(&[(0, 20), (30, 60)]);
        for (runs, expected) in [
            (&[(0, 1), (5, 6)][..], &[(0, 6)][..]),
            (&[(0, 1), (6, 7)], &[(0, 1), (6, 7)]),
            (&[(19, 20), (30, 31)], &[(19, 20), (30, 31)]),
            (&[(30, 50), (40, 41)], &[(30, 50)]),
            (&[(3, 4)], &[(3, 4)]),
        ] {
            assert_eq!(joined(&pages(runs), GAPS[0], &accessible), pages(expected));
        }
    }

    #[test]
    fn the_head_lists_ranges_and_runs() {
        let head = head(std::slice::from_ref(&(P..3 * P)), std::slice::from_ref(&(P..2 * P))).unwrap();
        assert_eq!(head.len() as u64, P);
        let numbers: Vec<u64> = head.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        assert_eq!(numbers[..7], [1, 1, P, 2 * P, P, P, 0]);
    }
}
