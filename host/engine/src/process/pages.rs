//! The information of the system about the memory of a guest's process: which of it the process can write to, and which pages it does
//! not share with the fork server any more, because it has written to them.

use std::{
    fs::File,
    io::{self, Read as _},
    ops::Range,
    os::unix::fs::FileExt as _,
};

use isolette_abi::saved::{CHANGEABLE, CODE, PAGE, REGION};
use serde::{Deserialize, Serialize};

/// The most bytes of mappings that are searched: a guest's memory, and what its runtime needs.
const SEARCH_LIMIT: u64 = 6 << 30;

/// The most bytes of the list of mappings. A process has at most some 65,530, each of them a line of about 50 bytes.
const MAPS_LIMIT: u64 = 16 << 20;

/// Entries that are read at a time.
const CHUNK: usize = 8192;

/// Bits of an entry in `pagemap` (`Documentation/admin-guide/mm/pagemap.rst` of the kernel).
const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
const OF_FILE: u64 = 1 << 61;
const EXCLUSIVE: u64 = 1 << 56;

/// The kind of pages to search for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    /// The pages that the process has written to, and perhaps some more.
    Written,
    /// All pages that are no part of a file.
    Anonymous,
    /// The pages of files that the kernel has found for the process.
    OfFile,
}

impl Which {
    /// Whether an entry is that of such a page. A page in swap space may be shared.
    const fn matches(self, entry: u64) -> bool {
        let is_anonymous = entry & (PRESENT | SWAPPED) != 0 && entry & OF_FILE == 0;
        match self {
            Self::Written => is_anonymous && (entry & SWAPPED != 0 || entry & EXCLUSIVE != 0),
            Self::Anonymous => is_anonymous,
            Self::OfFile => entry & PRESENT != 0 && entry & OF_FILE != 0,
        }
    }
}

/// Returns the addresses that a guest's process can write to, joined and in ascending order.
///
/// # Errors
/// If this process may not read what the system knows about the memory of the others.
pub(super) fn accessible(process: u32) -> io::Result<Vec<Range<u64>>> {
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in mappings(process)?.lines().filter_map(writable) {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    Ok(joined)
}

/// Returns the addresses of the memory that guests of a fork server share with it: all that they can write to, and the code.
///
/// # Errors
/// The errors of [`accessible`].
pub(super) fn of_files(fork_server: u32) -> io::Result<Vec<Range<u64>>> {
    let is_code = |(range, access): &(Range<u64>, &str)| range.start == CODE && access.starts_with("r-x");
    let code = mappings(fork_server)?.lines().filter_map(mapping).find(is_code).map(|(range, _)| range);
    let mut shared: Vec<_> = code.into_iter().chain(accessible(fork_server)?).collect();
    shared.sort_by_key(|range| range.start);
    Ok(shared)
}

/// Returns the pages of some ranges that are not in others. Both are in ascending order.
pub(super) fn without(ranges: &[Range<u64>], others: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut rest = Vec::new();
    let mut others = others.iter().peekable();
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            match others.peek() {
                Some(other) if other.end <= start => drop(others.next()),
                Some(other) if other.start < range.end => {
                    if start < other.start {
                        rest.push(start..other.start);
                    }
                    start = other.end;
                }
                _ => {
                    rest.push(start..range.end);
                    start = range.end;
                }
            }
        }
    }
    rest
}

/// A part of the image's code that is mapped as the contents of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Contents {
    pub(super) addresses: Range<u64>,
    /// The position of the first byte in the file.
    pub(super) position: u64,
}

impl Contents {
    pub(super) fn length(&self) -> u64 {
        self.addresses.end - self.addresses.start
    }
}

/// Returns what a fork server has mapped of the image's code as contents of memories: of files, it maps no other one to write to.
///
/// # Errors
/// The errors of [`accessible`].
pub(super) fn contents(fork_server: u32) -> io::Result<Vec<Contents>> {
    let of_file = |line: &str| {
        let addresses = writable(line).filter(|range| range.start >= REGION.start)?;
        let mut fields = line.split_ascii_whitespace().skip(2);
        let position = u64::from_str_radix(fields.next()?, 16).ok()?;
        let inode = fields.nth(1)?;
        (inode != "0").then_some(Contents { addresses, position })
    };
    Ok(mappings(fork_server)?.lines().filter_map(of_file).collect())
}

/// The list of mappings of a process, in lines.
fn mappings(process: u32) -> io::Result<String> {
    let mut text = String::new();
    let maps = File::open(format!("/proc/{process}/maps"))?;
    maps.take(MAPS_LIMIT).read_to_string(&mut text)?;
    if text.len() as u64 == MAPS_LIMIT {
        return Err(io::Error::other("the process has its memory in more pieces than a guest needs"));
    }
    Ok(text)
}

/// The addresses of a mapping, and what the process may do with it, from a line of `maps`.
fn mapping(line: &str) -> Option<(Range<u64>, &str)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let parse = |text| u64::from_str_radix(text, 16).ok();
    let range = parse(start)?..parse(end)?;
    (range.start < range.end).then_some((range, fields.next()?))
}

/// The addresses of a mapping of a guest's memory that can be written to, from a line of `maps`.
fn writable(line: &str) -> Option<Range<u64>> {
    let (range, access) = mapping(line)?;
    let is_changeable = |space: &Range<u64>| space.start <= range.start && range.end <= space.end;
    (access.starts_with("rw") && CHANGEABLE.iter().any(is_changeable)).then_some(range)
}

/// Returns runs of pages in these ranges, in ascending order.
///
/// # Errors
/// The errors of [`accessible`].
pub(super) fn find(process: u32, ranges: &[Range<u64>], which: Which) -> io::Result<Vec<Range<u64>>> {
    let map = File::open(format!("/proc/{process}/pagemap"))?;
    let mut runs = Vec::new();
    let mut searched: u64 = 0;
    for range in ranges {
        searched = searched.saturating_add(range.end - range.start);
        if searched > SEARCH_LIMIT {
            return Err(io::Error::other("the process has more memory than a guest can have"));
        }
        search(&map, range, which, &mut runs)?;
    }
    Ok(runs)
}

fn search(map: &File, range: &Range<u64>, which: Which, runs: &mut Vec<Range<u64>>) -> io::Result<()> {
    let mut entries = vec![0; 8 * CHUNK];
    let mut page = range.start;
    while page < range.end {
        let wanted = usize::try_from((range.end - page) / PAGE).unwrap_or(CHUNK).min(CHUNK);
        let part = &mut entries[..8 * wanted];
        map.read_exact_at(part, page / PAGE * 8)?;
        for entry in part.as_chunks().0 {
            if which.matches(u64::from_le_bytes(*entry)) {
                match runs.last_mut() {
                    Some(last) if last.end == page => last.end += PAGE,
                    _ => runs.push(page..page + PAGE),
                }
            }
            page += PAGE;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_guest_can_change_is_searched() {
        assert_eq!(writable("10000000-10003000 rw-p 00000000 00:00 0"), Some(0x1000_0000..0x1000_3000));
        assert_eq!(writable("10000000-10003000 r-xp 00000000 00:01 7 /memfd:isolette"), None);
        assert_eq!(writable("7ffd0a000000-7ffd0a021000 rw-p 00000000 00:00 0 [stack]"), None);
        for nonsense in ["", "1-2", "x-y rw-p", "2000-1000 rw-p", "-", "10003000-10003000 rw-p"] {
            assert_eq!(writable(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn pages_that_are_in_other_ranges_are_left_out() {
        let ranges = |pairs: &[[u64; 2]]| pairs.iter().map(|[start, end]| *start..*end).collect::<Vec<_>>();
        let cases: [[&[[u64; 2]]; 3]; 6] = [
            [&[[0, 9]], &[], &[[0, 9]]],
            [&[[0, 9]], &[[0, 9]], &[]],
            [&[[0, 9]], &[[2, 3], [5, 7]], &[[0, 2], [3, 5], [7, 9]]],
            [&[[0, 4], [6, 9]], &[[3, 7]], &[[0, 3], [7, 9]]],
            [&[[4, 6]], &[[0, 1], [2, 5], [8, 9]], &[[5, 6]]],
            [&[[0, 2], [4, 6], [8, 9]], &[[1, 8]], &[[0, 1], [8, 9]]],
        ];
        for [all, others, rest] in cases.map(|case| case.map(ranges)) {
            assert_eq!(without(&all, &others), rest, "{all:?} without {others:?}");
        }
    }

    #[test]
    fn this_process_has_pages_of_its_own() {
        let map = File::open("/proc/self/pagemap").unwrap();
        let memory = vec![1_u8; 64 << 10];
        let start = (memory.as_ptr() as u64).next_multiple_of(PAGE);
        let mut runs = Vec::new();
        search(&map, &(start..start + 8 * PAGE), Which::Written, &mut runs).unwrap();
        assert_eq!(runs.first(), Some(&(start..start + 8 * PAGE)));
        assert_eq!(runs.iter().map(|run| (run.end - run.start) / PAGE).sum::<u64>(), 8);
    }
}
