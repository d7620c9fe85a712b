//! The content of a file in memory.

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use isolette_abi::files::FileError;

/// The maximum size of all files in memory together, and of each.
pub(crate) const MEMORY_LIMIT: u64 = 256 * 1024 * 1024;

const PAGE: usize = 4096;

/// The memory of all files, including open files without a name.
#[derive(Clone, Default)]
pub(crate) struct Budget(Rc<Cell<u64>>);

impl Budget {
    pub(crate) fn take(&self, bytes: usize) -> Result<(), FileError> {
        let used = self.0.get() + bytes as u64;
        if used > MEMORY_LIMIT {
            return Err(FileError::NoSpace);
        }
        self.0.set(used);
        Ok(())
    }

    pub(crate) fn give_back(&self, bytes: usize) {
        self.0.set(self.0.get().saturating_sub(bytes as u64));
    }
}

/// Bytes in pages. Pages that were never written do not exist, so a hole takes no memory.
pub(crate) struct Pages {
    pages: BTreeMap<u64, Box<[u8]>>,
    length: u64,
    budget: Budget,
}

impl Pages {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { pages: BTreeMap::new(), length: 0, budget }
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Fewer bytes than `length` only at the end.
    pub(crate) fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, FileError> {
        let length = length.min(self.length.saturating_sub(offset)) as usize;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| FileError::NoSpace)?;
        while bytes.len() < length {
            let (page, start, size) = part(offset + bytes.len() as u64, length - bytes.len());
            match self.pages.get(&page) {
                Some(page) => bytes.extend_from_slice(&page[start..start + size]),
                None => bytes.resize(bytes.len() + size, 0),
            }
        }
        Ok(bytes)
    }

    /// Writes all bytes, or those before memory is exhausted.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), FileError> {
        if offset.saturating_add(bytes.len() as u64) > MEMORY_LIMIT {
            return Err(FileError::FileTooLarge);
        }
        let mut done = 0;
        while done < bytes.len() {
            let (page, start, size) = part(offset + done as u64, bytes.len() - done);
            self.page(page)?[start..start + size].copy_from_slice(&bytes[done..done + size]);
            done += size;
            self.length = self.length.max(offset + done as u64);
        }
        Ok(())
    }

    pub(crate) fn resize(&mut self, length: u64) -> Result<(), FileError> {
        if length > MEMORY_LIMIT {
            return Err(FileError::FileTooLarge);
        }
        if length < self.length {
            let (last, start, _) = part(length, 1);
            let cut = self.pages.split_off(&(last + u64::from(start > 0)));
            self.budget.give_back(cut.len() * PAGE);
            if let Some(page) = self.pages.get_mut(&last) {
                page[start..].fill(0);
            }
        }
        self.length = length;
        Ok(())
    }

    fn page(&mut self, number: u64) -> Result<&mut [u8], FileError> {
        use std::collections::btree_map::Entry;
        match self.pages.entry(number) {
            Entry::Occupied(page) => Ok(page.into_mut()),
            Entry::Vacant(hole) => {
                let mut page = Vec::new();
                page.try_reserve_exact(PAGE).map_err(|_| FileError::NoSpace)?;
                self.budget.take(PAGE)?;
                page.resize(PAGE, 0);
                Ok(hole.insert(page.into_boxed_slice()))
            }
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.budget.give_back(self.pages.len() * PAGE);
    }
}

/// The page of `offset`, the position in it, and the part of `length` in it.
fn part(offset: u64, length: usize) -> (u64, usize, usize) {
    let start = (offset % PAGE as u64) as usize;
    (offset / PAGE as u64, start, length.min(PAGE - start))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Write(usize, Vec<u8>),
        Resize(usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let offset = 0..5 * PAGE;
        let step = prop_oneof![
            (offset.clone(), prop::collection::vec(any::<u8>(), 0..2 * PAGE))
                .prop_map(|(at, bytes)| Step::Write(at, bytes)),
            offset.prop_map(Step::Resize),
        ];
        prop::collection::vec(step, 0..20)
    }

    proptest! {
        #[test]
        fn pages_are_like_one_array(steps in steps()) {
            let budget = Budget::default();
            let mut pages = Pages::new(budget.clone());
            let mut array: Vec<u8> = Vec::new();
            for step in steps {
                match step {
                    Step::Write(at, bytes) => {
                        prop_assert_eq!(pages.write(at as u64, &bytes), Ok(()));
                        if !bytes.is_empty() {
                            array.resize(array.len().max(at + bytes.len()), 0);
                            array[at..at + bytes.len()].copy_from_slice(&bytes);
                        }
                    }
                    Step::Resize(length) => {
                        prop_assert_eq!(pages.resize(length as u64), Ok(()));
                        array.resize(length, 0);
                    }
                }
                prop_assert_eq!(pages.length(), array.len() as u64);
                prop_assert_eq!(pages.read(0, u64::MAX), Ok(array.clone()));
                let middle = array.len() / 3;
                prop_assert_eq!(pages.read(middle as u64, 100), Ok(array.iter().skip(middle).take(100).copied().collect()));
                prop_assert_eq!(budget.0.get(), (pages.pages.len() * PAGE) as u64);
            }
            drop(pages);
            prop_assert_eq!(budget.0.get(), 0);
        }
    }

    #[test]
    fn a_hole_costs_nothing() {
        let mut pages = Pages::new(Budget::default());
        assert_eq!(pages.write(MEMORY_LIMIT - 1, b"x"), Ok(()));
        assert_eq!(pages.length(), MEMORY_LIMIT);
        assert_eq!(pages.pages.len(), 1);
        assert_eq!(pages.read(MEMORY_LIMIT / 2, 3), Ok(vec![0; 3]));
    }

    #[test]
    fn no_claim_goes_past_the_limit() {
        let mut pages = Pages::new(Budget::default());
        assert_eq!(pages.write(MEMORY_LIMIT, b"x"), Err(FileError::FileTooLarge));
        assert_eq!(pages.write(u64::MAX, b"x"), Err(FileError::FileTooLarge));
        assert_eq!(pages.resize(u64::MAX), Err(FileError::FileTooLarge));
        assert_eq!(pages.read(u64::MAX, u64::MAX), Ok(Vec::new()));
        assert_eq!(pages.length(), 0);
    }

    #[test]
    fn all_files_share_one_budget() {
        let budget = Budget::default();
        assert_eq!(budget.take(MEMORY_LIMIT as usize - PAGE), Ok(()));
        let mut first = Pages::new(budget.clone());
        let mut second = Pages::new(budget);
        assert_eq!(first.write(0, &[1; PAGE + 1]), Err(FileError::NoSpace));
        assert_eq!(first.length(), PAGE as u64, "what there was room for is written");
        assert_eq!(second.write(0, b"x"), Err(FileError::NoSpace));
        drop(first);
        assert_eq!(second.write(0, b"x"), Ok(()));
    }
}
