//! Bodies of responses: content codings undone, and never more than allowed.

use std::{
    io::{self, Write},
    mem,
    ops::ControlFlow,
};

use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use hyper::{HeaderMap, header};

/// Bytes that a coding may add to what cannot be compressed, apart from an eighth.
const CODING_OVERHEAD: usize = 64 << 10;
const BROTLI_BUFFER: usize = 16 << 10;

/// How a body is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As it is; or in a way that the host does not undo, which the headers then still say.
    Identity,
    Gzip,
    Deflate,
    Brotli,
}

impl Coding {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header::CONTENT_ENCODING).iter();
        match (values.next().map(|value| value.as_bytes().to_ascii_lowercase()).as_deref(), values.next()) {
            (Some(b"gzip" | b"x-gzip"), None) => Self::Gzip,
            (Some(b"deflate"), None) => Self::Deflate,
            (Some(b"br"), None) => Self::Brotli,
            _ => Self::Identity,
        }
    }
}

/// Takes a body as it comes in and gives it as it was meant.
pub(super) struct Decoder {
    state: State,
    /// Coded bytes so far.
    taken: usize,
    limit: usize,
}

enum State {
    Identity(Sink),
    Gzip(MultiGzDecoder<Sink>),
    /// `deflate` means zlib, and some servers send it without zlib's header. The first byte tells.
    Deflate(Sink),
    Zlib(ZlibDecoder<Sink>),
    RawDeflate(DeflateDecoder<Sink>),
    Brotli(Box<DecompressorWriter<Sink>>),
}

impl Decoder {
    pub(super) fn new(coding: Coding, limit: usize) -> Self {
        let sink = Sink { bytes: Vec::new(), limit, full: false };
        let state = match coding {
            Coding::Identity => State::Identity(sink),
            Coding::Gzip => State::Gzip(MultiGzDecoder::new(sink)),
            Coding::Deflate => State::Deflate(sink),
            Coding::Brotli => {
                let mut decoder = DecompressorWriter::new(sink, BROTLI_BUFFER);
                // Its windows of up to 1 GiB are no part of the content coding (RFC 7932).
                decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                State::Brotli(Box::new(decoder))
            }
        };
        Self { state, taken: 0, limit }
    }

    /// Takes the next bytes. Breaks when the limit is reached and there was more.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.taken = self.taken.saturating_add(bytes.len());
        if let (State::Deflate(sink), Some(first)) = (&mut self.state, bytes.first()) {
            let sink = mem::take(sink);
            self.state = match first & 0x0f == 8 {
                true => State::Zlib(ZlibDecoder::new(sink)),
                false => State::RawDeflate(DeflateDecoder::new(sink)),
            };
        }
        let result = match &mut self.state {
            State::Identity(sink) | State::Deflate(sink) => sink.write(bytes).map(drop),
            State::Gzip(decoder) => write_all(decoder, bytes),
            State::Zlib(decoder) => write_all(decoder, bytes),
            State::RawDeflate(decoder) => write_all(decoder, bytes),
            State::Brotli(decoder) => write_all(decoder, bytes),
        };
        if self.sink().full {
            return Ok(ControlFlow::Break(()));
        }
        result?;
        if self.is_coded() && self.taken > self.limit.saturating_add(self.limit / 8).saturating_add(CODING_OVERHEAD) {
            return Err(io::Error::other("it is longer than what it stands for"));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The body, if it came to its proper end.
    pub(super) fn finish(mut self) -> io::Result<(Vec<u8>, bool)> {
        // A body without a byte is whole, whatever coding it was announced with.
        if !self.sink().full && self.taken > 0 {
            let result = match &mut self.state {
                State::Identity(_) | State::Deflate(_) => Ok(()),
                State::Gzip(decoder) => decoder.try_finish(),
                State::Zlib(decoder) => decoder.try_finish(),
                State::RawDeflate(decoder) => decoder.try_finish(),
                State::Brotli(decoder) => decoder.close(),
            };
            // What a decoder still held may be what is too much.
            if !self.sink().full {
                result?;
            }
        }
        let sink = self.sink();
        let truncated = sink.full;
        // Decoders write what they still have when they are dropped.
        sink.full = true;
        Ok((mem::take(&mut sink.bytes), truncated))
    }

    /// Bytes so far, without coding.
    pub(super) fn length(&mut self) -> usize {
        self.sink().bytes.len()
    }

    fn is_coded(&self) -> bool {
        !matches!(self.state, State::Identity(_))
    }

    fn sink(&mut self) -> &mut Sink {
        match &mut self.state {
            State::Identity(sink) | State::Deflate(sink) => sink,
            State::Gzip(decoder) => decoder.get_mut(),
            State::Zlib(decoder) => decoder.get_mut(),
            State::RawDeflate(decoder) => decoder.get_mut(),
            State::Brotli(decoder) => decoder.get_mut(),
        }
    }
}

/// Like [`Write::write_all`], but lets go of what follows the end of a stream, as browsers do.
fn write_all(decoder: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match decoder.write(bytes)? {
            0 => break,
            taken => bytes = bytes.get(taken..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Takes bytes up to a limit and fails at the first one beyond it, so that no decoder makes more.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.full {
            let fits = bytes.len().min(self.limit.saturating_sub(self.bytes.len()));
            self.bytes.extend_from_slice(&bytes[..fits]);
            self.full = fits < bytes.len();
        }
        if self.full { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
