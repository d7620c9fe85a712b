//! The pages of files that a fork server has mapped. Guests start with a copy of its page tables, so a page there that no run reads, or
//! that runs write to, costs each guest time: to copy the entry, to part from the page when it is written to, and to end.

use std::{io, ops::Range};

use isolette_abi::saved::REGION;

use super::{
    fork_server::ForkServer,
    pages::{self, Which},
};

/// The guests that are started between two searches, at least: a search reads an entry of the kernel for each page of a guest's memory.
const APART: usize = 16;

/// The pages of a fork server that has run the warm-up.
#[derive(Debug)]
pub(super) struct Mapped {
    /// The pages that runs read.
    wanted: Vec<Range<u64>>,
    /// Whether the fork server may have mapped other pages, because the host has read its memory.
    has_others: bool,
    /// The guests that were started since the last search.
    guests: usize,
}

impl Mapped {
    /// Has the fork server map these pages, and no others.
    pub(super) fn only(fork_server: &mut ForkServer, wanted: Vec<Range<u64>>) -> Result<Self, String> {
        fork_server.read_pages(&wanted)?;
        let mapped = Self { wanted, has_others: false, guests: 0 };
        mapped.forget_others(fork_server, pages::of_files(fork_server.number()))?;
        Ok(mapped)
    }

    /// Records that the host has read memory of the fork server, which maps it there.
    pub(super) fn was_read(&mut self) {
        self.has_others = true;
    }

    /// From time to time, has the fork server forget the pages that the host has read. To be called for each guest.
    pub(super) fn before_guest(&mut self, fork_server: &mut ForkServer) {
        self.guests += 1;
        if !self.has_others || self.guests < APART {
            return;
        }
        (self.has_others, self.guests) = (false, 0);
        // The fork server itself writes to the rest of its memory.
        let memory = pages::accessible(fork_server.number())
            .map(|ranges| ranges.into_iter().filter(|range| range.start >= REGION.start).collect());
        if let Err(reason) = self.forget_others(fork_server, memory) {
            tracing::debug!(reason, "guests start with pages that the host has read");
        }
    }

    fn forget_others(&self, fork_server: &mut ForkServer, among: io::Result<Vec<Range<u64>>>) -> Result<(), String> {
        let found = among.and_then(|ranges| pages::find(fork_server.number(), &ranges, Which::OfFile));
        let found = found.map_err(|error| error.to_string())?;
        fork_server.forget_pages(&pages::without(&found, &self.wanted))
    }
}
