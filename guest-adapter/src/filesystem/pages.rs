//! The contents of a file in memory.

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use isolette_abi::files::FileError;

/// All files in memory together, and each by itself, are at most this long.
pub(crate) const MEMORY_LIMIT: u64 = 256 * 1024 * 1024;

const PAGE: usize = 4096;

/// How much all files in memory take, whoever holds them.
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

/// Bytes in pages, of which only those exist that were written to: a hole costs nothing, however long it is.
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

    /// Writes all, or up to where space ends.
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

/// Which page `offset` is in, where in it, and how much of `length` is there.
fn part(offset: u64, length: usize) -> (u64, usize, usize) {
    let start = (offset % PAGE as u64) as usize;
    (offset / PAGE as u64, start, length.min(PAGE - start))
}
