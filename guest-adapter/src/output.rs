//! `isolette:sandbox/console`, and access to the same console for the streams of WASI.

use isolette_abi::console::Stream;

use crate::{
    Component,
    bindings::exports::isolette::sandbox::console::{self, Guest},
    state,
};

/// Writes to the console of the instance.
pub(crate) fn write(stream: Stream, bytes: &[u8]) {
    state::with(|state| state.console.write(&mut state.calls, stream, bytes));
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
