//! Which pages of its memory a process does not share with the fork server any more, because it has written to them.

use std::{
    fs::{self, File},
    io,
    ops::Range,
    os::unix::fs::FileExt as _,
};

const PAGE: u64 = 4096;

/// Addresses from here on belong to the kernel's stack and to what it maps by itself, which differ in each process.
const END: u64 = 0x200_0000_0000;

/// The most pages that are listed. A run of a short program writes to some hundred.
const LIMIT: usize = 2000;

/// The most bytes of mappings that are searched.
const SEARCH_LIMIT: u64 = 1 << 30;

/// Bits of an entry in `pagemap` (`Documentation/admin-guide/mm/pagemap.rst` of the kernel).
const PRESENT: u64 = 1 << 63;
const OF_FILE: u64 = 1 << 61;
const EXCLUSIVE: u64 = 1 << 56;

/// Returns the addresses of the pages that a process has written to, as far as its fork server can write to them too.
///
/// # Errors
/// If this process may not read what the system knows about the memory of the others.
pub(super) fn written(process: u32, fork_server: u32) -> io::Result<Vec<u64>> {
    let map = File::open(format!("/proc/{process}/pagemap"))?;
    let mut pages = Vec::new();
    let mut searched = 0;
    for range in mappings(process)? {
        searched += range.end - range.start;
        if searched > SEARCH_LIMIT {
            break;
        }
        search(&map, range, &mut pages)?;
    }
    pages.truncate(LIMIT);
    // Memory that the process allocated for itself does not exist in the fork server.
    let shared = mappings(fork_server)?;
    pages.retain(|page| shared.iter().any(|range| range.contains(page)));
    Ok(pages)
}

fn mappings(process: u32) -> io::Result<Vec<Range<u64>>> {
    let text = fs::read_to_string(format!("/proc/{process}/maps"))?;
    Ok(text.lines().filter_map(writable).collect())
}

/// The addresses of a mapping that can be written to, from a line of `maps`.
fn writable(line: &str) -> Option<Range<u64>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let parse = |text| u64::from_str_radix(text, 16).ok();
    let range = parse(start)?..parse(end)?;
    (fields.next()?.starts_with("rw") && range.end <= END && range.start < range.end).then_some(range)
}

fn search(map: &File, range: Range<u64>, pages: &mut Vec<u64>) -> io::Result<()> {
    let mut entries = [0; 8 * 512];
    let mut page = range.start;
    while page < range.end && pages.len() < LIMIT {
        let wanted = usize::try_from((range.end - page) / PAGE).unwrap_or(usize::MAX).saturating_mul(8);
        let part = &mut entries[..wanted.min(8 * 512)];
        map.read_exact_at(part, page / PAGE * 8)?;
        for entry in part.as_chunks().0 {
            let entry = u64::from_le_bytes(*entry);
            if entry & PRESENT != 0 && entry & OF_FILE == 0 && entry & EXCLUSIVE != 0 {
                pages.push(page);
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
    fn only_what_can_be_written_to_and_is_at_fixed_addresses_is_searched() {
        assert_eq!(writable("10000000-10003000 rw-p 00000000 00:00 0"), Some(0x1000_0000..0x1000_3000));
        assert_eq!(writable("10000000-10003000 r-xp 00000000 00:01 7 /memfd:isolette"), None);
        assert_eq!(writable("7ffd0a000000-7ffd0a021000 rw-p 00000000 00:00 0 [stack]"), None);
        for nonsense in ["", "1-2", "x-y rw-p", "2000-1000 rw-p", "-"] {
            assert_eq!(writable(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn this_process_has_pages_of_its_own() {
        let map = File::open("/proc/self/pagemap").unwrap();
        let memory = vec![1_u8; 64 << 10];
        let start = (memory.as_ptr() as u64).next_multiple_of(PAGE);
        let mut pages = Vec::new();
        search(&map, start..start + 8 * PAGE, &mut pages).unwrap();
        assert_eq!(pages, (0..8).map(|number| start + number * PAGE).collect::<Vec<_>>());
    }
}
