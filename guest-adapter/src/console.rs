//! What the program says, kept back for as long as nobody can be waiting for it.
//!
//! WASI's streams and `isolette:sandbox/console` share one buffer, so that the order in which things were said survives.
//! A short program hands everything over when it ends and makes no call at all.

use isolette_abi::{
    CHUNK_LIMIT, Call,
    console::{Output, Stream},
    encode,
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::console::{self, Guest},
    state,
    waist::Wall,
};

/// From here on the end of a line is a good moment to hand over.
const LINE_FLUSH: usize = 4 * 1024;

/// No more is ever kept back, even without the end of a line, and no more is left for the end of a run: its message has
/// other things to carry.
const KEEP_LIMIT: usize = 64 * 1024;

/// What the boundary between two runs of bytes costs in a message, at most.
const RUN_COST: usize = 8;

/// Bytes in the order in which they were written.
#[derive(Default)]
pub(crate) struct Console {
    bytes: Vec<u8>,
    /// Whose bytes they are, and how many; no two neighbours are of one stream.
    runs: Vec<(Stream, usize)>,
}

impl Console {
    pub(crate) fn write(&mut self, wall: &mut Wall, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.size() + bytes.len() + RUN_COST > KEEP_LIMIT {
            self.flush(wall);
        }
        if bytes.len() + RUN_COST > KEEP_LIMIT {
            return send(wall, stream, bytes);
        }
        self.bytes.extend_from_slice(bytes);
        match self.runs.last_mut() {
            Some((last, length)) if *last == stream => *length += bytes.len(),
            _ => self.runs.push((stream, bytes.len())),
        }
        if self.size() > LINE_FLUSH && bytes.contains(&b'\n') {
            self.flush(wall);
        }
    }

    /// Hands over everything. Must come before each call in which the host may take its time.
    pub(crate) fn flush(&mut self, wall: &mut Wall) {
        for output in self.outputs() {
            send(wall, output.stream, output.bytes);
        }
        self.clear();
    }

    /// Takes what is left as an encoded list of [`Output`]s.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let rest = encode(&self.outputs().collect::<Vec<_>>());
        self.clear();
        rest
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.runs.clear();
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.runs.len() * RUN_COST
    }

    fn outputs(&self) -> impl Iterator<Item = Output<'_>> {
        let mut rest = self.bytes.as_slice();
        self.runs.iter().map(move |(stream, length)| {
            let (bytes, after) = rest.split_at(*length);
            rest = after;
            Output { stream: *stream, bytes }
        })
    }
}

/// Outside of a run nobody listens.
fn send(wall: &mut Wall, stream: Stream, bytes: &[u8]) {
    if wall.live() {
        for bytes in bytes.chunks(CHUNK_LIMIT) {
            wall.ask(&Call::Console(Output { stream, bytes })).read::<()>();
        }
    }
}

/// Writes to the console of the instance.
pub(crate) fn write(stream: Stream, bytes: &[u8]) {
    state::with(|state| state.console.write(&mut state.wall, stream, bytes));
}

impl Guest for Component {
    fn write(stream: console::Stream, bytes: Vec<u8>) {
        let stream = match stream {
            console::Stream::Stdout => Stream::Stdout,
            console::Stream::Stderr => Stream::Stderr,
        };
        write(stream, &bytes);
    }
}
