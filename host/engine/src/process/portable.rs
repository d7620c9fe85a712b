//! The memory of a guest as bytes that another host can read.
//!
//! The bytes are the digest of the memory in which guests of the image start, the counts, ranges and runs of
//! `isolette_abi::saved`, and the pages: each as its difference (exclusive or) to what is at its address when guests start,
//! which is mostly zeros and compresses well.
//!
//! Their origin is not trusted. Contents of pages are as untrusted as the memory of a running guest; counts and addresses are
//! checked before they are used.

use std::{
    fs::File,
    io::{self, Read, Write},
    ops::Range,
    os::unix::fs::FileExt as _,
};

use isolette_abi::saved::{ENTRY, ENTRY_LIMIT, PAGE, REGION};

use super::{
    memory::{CHUNK, Memory, Writer, bytes, is_within},
    pages,
};

/// The memory in which guests start, in the fork server.
pub(super) struct Base {
    /// The number of the fork server.
    pub(super) fork_server: u32,
    memory: File,
    accessible: Vec<Range<u64>>,
    pub(super) digest: [u8; 32],
}

impl Base {
    pub(super) fn new(fork_server: u32, digest: [u8; 32]) -> io::Result<Self> {
        let memory = File::open(format!("/proc/{fork_server}/mem"))?;
        Ok(Self { fork_server, memory, accessible: pages::accessible(fork_server)?, digest })
    }

    /// Writes a copied memory.
    pub(super) fn write(&self, memory: &Memory, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.digest)?;
        let counts = [memory.accessible.len() as u64, memory.runs.len() as u64];
        let ranges =
            memory.accessible.iter().chain(&memory.runs).flat_map(|range| [range.start, range.end - range.start]);
        let head: Vec<u8> = counts.into_iter().chain(ranges).flat_map(u64::to_le_bytes).collect();
        out.write_all(&head)?;
        memory.each_chunk(|address, chunk| {
            self.mix(address, chunk)?;
            out.write_all(chunk)
        })
    }

    /// Reads a memory with at most `limit` bytes.
    ///
    /// # Errors
    /// A message that says what is wrong, for a person.
    pub(super) fn read(&self, input: &mut dyn Read, limit: u64) -> Result<Memory, String> {
        let mut digest = [0; 32];
        fill(input, &mut digest)?;
        if digest != self.digest {
            return Err(super::OTHER_BASE.into());
        }
        let mut counts = [0; 16];
        fill(input, &mut counts)?;
        let [accessible, runs] = pair(&counts);
        if accessible.saturating_add(runs) > ENTRY_LIMIT {
            return Err(format!("it has more than {ENTRY_LIMIT} ranges of addresses"));
        }
        let accessible = ranges(input, accessible)?;
        let runs = ranges(input, runs)?;
        // Beside the region, only what the runtime itself can write to: its code and constants are at such addresses, too.
        let is_changeable = |range: &Range<u64>| is_within(range, &[REGION]) || is_within(range, &self.accessible);
        if !accessible.iter().all(is_changeable) || !runs.iter().all(|run| is_within(run, &accessible)) {
            return Err("it has addresses that no guest can change".into());
        }
        if bytes(&accessible) > limit {
            return Err(format!("it has {} bytes of memory, and at most {limit} are allowed", bytes(&accessible)));
        }
        let keep = |error: io::Error| format!("its memory cannot be kept: {error}");
        let mut writer = Writer::new(accessible, runs).map_err(keep)?;
        let mut chunk = vec![0; CHUNK];
        for run in writer.runs().to_vec() {
            let mut address = run.start;
            while address < run.end {
                let length = usize::try_from(run.end - address).unwrap_or(CHUNK).min(CHUNK);
                let part = &mut chunk[..length];
                fill(input, part)?;
                self.mix(address, part).and_then(|()| writer.write(part)).map_err(keep)?;
                address += length as u64;
            }
        }
        match input.read(&mut [0]) {
            Ok(0) => writer.finish().map_err(keep),
            _ => Err("it goes on after its end".into()),
        }
    }

    /// Exclusive or with what is at these addresses when guests start. Elsewhere there are zeros.
    fn mix(&self, address: u64, chunk: &mut [u8]) -> io::Result<()> {
        let end = address + chunk.len() as u64;
        let mut base = vec![0; chunk.len()];
        for range in &self.accessible {
            let common = range.start.max(address)..range.end.min(end);
            if common.start < common.end {
                let part = usize::try_from(common.start - address).unwrap_or(0)
                    ..usize::try_from(common.end - address).unwrap_or(0);
                self.memory.read_exact_at(&mut base[part], common.start)?;
            }
        }
        chunk.iter_mut().zip(base).for_each(|(byte, base)| *byte ^= base);
        Ok(())
    }
}

fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> Result<(), String> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut off".into(),
        _ => format!("it cannot be read: {error}"),
    })
}

fn pair(bytes: &[u8; ENTRY]) -> [u64; 2] {
    let (words, _) = bytes.as_chunks();
    [words[0], words[1]].map(u64::from_le_bytes)
}

/// Reads ranges of whole pages, which have to be in ascending order and apart from each other.
fn ranges(input: &mut dyn Read, count: u64) -> Result<Vec<Range<u64>>, String> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for _ in 0..count {
        let mut entry = [0; ENTRY];
        fill(input, &mut entry)?;
        let [start, length] = pair(&entry);
        let end = start.checked_add(length).filter(|_| length > 0);
        let follows = ranges.last().is_none_or(|last| last.end <= start);
        match end {
            Some(end) if follows && start.is_multiple_of(PAGE) && length.is_multiple_of(PAGE) => {
                ranges.push(start..end)
            }
            _ => return Err("its ranges of addresses are malformed".into()),
        }
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use isolette_abi::saved::CHANGEABLE;
    use proptest::prelude::*;

    use super::*;

    fn base() -> Base {
        // The memory of this process takes the place of a fork server's, of which nothing is accessible.
        let memory = File::open("/proc/self/mem").unwrap();
        Base { fork_server: std::process::id(), memory, accessible: Vec::new(), digest: [7; 32] }
    }

    fn written(ranges: &[(u64, u64)], pages: usize) -> Vec<u8> {
        let mut bytes = vec![7; 32];
        let numbers = [1, ranges.len() as u64 - 1];
        let ranges = ranges.iter().flat_map(|(start, length)| [*start, *length]);
        bytes.extend(numbers.into_iter().chain(ranges).flat_map(u64::to_le_bytes));
        bytes.resize(bytes.len() + pages * 4096, 1);
        bytes
    }

    const START: u64 = REGION.start;

    #[test]
    fn what_was_written_is_read() {
        let bytes = written(&[(START, 8 * PAGE), (START + PAGE, 2 * PAGE)], 2);
        let memory = base().read(&mut &*bytes, 1 << 20).unwrap();
        let mut again = Vec::new();
        base().write(&memory, &mut again).unwrap();
        assert_eq!(bytes, again);
    }

    #[test]
    fn what_no_host_writes_is_refused() {
        let whole = [(START, 8 * PAGE), (START + PAGE, 2 * PAGE)];
        let constants = CHANGEABLE[0].start;
        let cases: [(Vec<u8>, &str); 10] = [
            (vec![8; 32], "another image"),
            (written(&whole, 1), "cut off"),
            (written(&whole, 3), "after its end"),
            (written(&[(0, PAGE)], 0), "that no guest can change"),
            (written(&[(constants, PAGE), (constants, PAGE)], 1), "that no guest can change"),
            (written(&[(START, PAGE), (START + PAGE, PAGE)], 1), "that no guest can change"),
            (written(&[(START + 1, PAGE)], 0), "malformed"),
            (written(&[(u64::MAX - 4095, PAGE)], 0), "malformed"),
            (written(&[(START, 8 * PAGE), (START + PAGE, PAGE), (START, PAGE)], 2), "malformed"),
            (written(&[(START, 1 << 30)], 0), "at most 1048576 are allowed"),
        ];
        for (bytes, reason) in cases {
            let refused = base().read(&mut &*bytes, 1 << 20).unwrap_err();
            assert!(refused.contains(reason), "{refused}: {reason}");
        }
        let mut many = vec![7; 32];
        many.extend([u64::MAX, 1].into_iter().flat_map(u64::to_le_bytes));
        assert!(base().read(&mut &*many, 1 << 20).unwrap_err().contains("more than"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(mut bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            for (byte, digest) in bytes.iter_mut().zip([7; 32]) {
                *byte = digest;
            }
            let _ = base().read(&mut &*bytes, 1 << 20);
        }
    }
}
