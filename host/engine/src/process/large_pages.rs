//! The parts of the code that programs use, as a file in memory with large pages.
//!
//! Code comes from a file of the image in pages of 4 KiB: the processor looks up the address of each page that a program uses, and the
//! kernel notes each for every process. A large page of 2 MiB stands for 512 of them. The kernel makes large pages on demand for files in
//! memory, and for other files only in some configurations. So where a host starts many guests, the parts that they use are copied, once.

use std::{fs::File, io, ops::Range, os::unix::fs::FileExt as _};

use isolette_abi::saved::CODE;
use rustix::fs::{MemfdFlags, memfd_create};

use super::sealing::seal;

/// Bytes of a large page.
const LARGE: u64 = 2 << 20;

/// The most bytes that are copied: some quarter of the code of CPython.
const MOST: u64 = 16 << 20;

/// Code in memory.
#[derive(Debug)]
pub(super) struct LargeCode {
    pub(super) file: File,
    /// The addresses of the parts that the file has.
    pub(super) parts: Vec<Range<u64>>,
}

impl LargeCode {
    /// Copies the parts of a file with code that have these pages. The process that maps the file first makes the large pages.
    pub(super) fn copy(code: &File, used: &[Range<u64>]) -> io::Result<Self> {
        let length = code.metadata()?.len();
        let parts = parts(used, length);
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = File::from(memfd_create("isolette-code", flags)?);
        file.set_len(length)?;
        let mut page = vec![0; LARGE as usize];
        for position in parts.iter().flat_map(|part| (part.start - CODE..part.end - CODE).step_by(LARGE as usize)) {
            code.read_exact_at(&mut page, position)?;
            file.write_all_at(&page, position)?;
        }
        seal(&file)?;
        Ok(Self { file, parts })
    }
}

/// The addresses of whole large pages that have these pages, and of single ones between them, in ascending order.
fn parts(used: &[Range<u64>], length: u64) -> Vec<Range<u64>> {
    let end = CODE + length / LARGE * LARGE;
    let mut parts: Vec<Range<u64>> = Vec::new();
    let mut rest = MOST;
    for pages in used {
        let pages = pages.start.max(CODE)..pages.end.min(end);
        let mut start = pages.start / LARGE * LARGE;
        while start < pages.end && rest > 0 {
            match parts.last_mut() {
                Some(last) if start < last.end => {}
                Some(last) if start - last.end <= LARGE && start - last.end < rest => {
                    rest -= start + LARGE - last.end;
                    last.end = start + LARGE;
                }
                _ => {
                    rest -= LARGE;
                    parts.push(start..start + LARGE);
                }
            }
            start += LARGE;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use proptest::prelude::*;

    use super::*;

    fn page(number: u64) -> Range<u64> {
        CODE + number * LARGE + 4096..CODE + number * LARGE + 8192
    }

    fn numbers(parts: &[Range<u64>]) -> Vec<(u64, u64)> {
        parts.iter().map(|part| ((part.start - CODE) / LARGE, (part.end - CODE) / LARGE)).collect()
    }

    #[test]
    fn parts_are_whole_large_pages_and_have_no_small_gaps() {
        let used = [page(0), page(0), page(1), page(3), page(6), CODE + 7 * LARGE - 1..CODE + 8 * LARGE + 1, page(20)];
        assert_eq!(numbers(&parts(&used, 20 * LARGE + 10_000)), [(0, 4), (6, 9)]);
        assert_eq!(numbers(&parts(&[page(1), 0..4096, REGION], 3 * LARGE)), [(1, 2)]);
        assert_eq!(parts(&[page(0)], LARGE - 1), []);
    }

    const REGION: Range<u64> = isolette_abi::saved::REGION;

    proptest! {
        #[test]
        fn no_more_is_copied_than_may_be(mut used in proptest::collection::vec(0_u64..60, 0..60)) {
            used.sort_unstable();
            let used: Vec<_> = used.into_iter().map(page).collect();
            let parts = parts(&used, 50 * LARGE);
            prop_assert!(parts.iter().map(|part| part.end - part.start).sum::<u64>() <= MOST);
            prop_assert!(parts.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert!(parts.iter().all(|part| part.start >= CODE && part.end <= CODE + 50 * LARGE));
        }
    }

    #[test]
    fn the_copy_has_the_same_bytes_and_cannot_be_changed() {
        let mut code = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..3 * LARGE).map(|index| (index / 3) as u8).collect();
        code.write_all(&bytes).unwrap();
        let LargeCode { mut file, parts } = LargeCode::copy(&code, &[page(1)]).unwrap();
        assert_eq!(numbers(&parts), [(1, 2)]);
        let mut copied = Vec::new();
        file.read_to_end(&mut copied).unwrap();
        let part = LARGE as usize..2 * LARGE as usize;
        assert_eq!((copied.len(), &copied[part.clone()]), (bytes.len(), &bytes[part]));
        assert!(copied[..LARGE as usize].iter().all(|byte| *byte == 0));
        assert!(file.write_at(b"x", 0).is_err());
    }
}
