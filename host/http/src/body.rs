//! Decodes the bodies of responses, up to a limit.

use std::{
    io::{self, Write},
    mem,
    ops::ControlFlow,
};

use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use hyper::{HeaderMap, header};

/// Bytes that a coding may add to data that cannot be compressed, in addition to an eighth.
const CODING_OVERHEAD: usize = 64 << 10;
const BROTLI_BUFFER: usize = 16 << 10;

/// The content coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// No coding, or one that the host does not decode; the headers passed to the guest then still have it.
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

/// Decodes a body as its bytes arrive.
pub(super) struct Decoder {
    state: State,
    /// Coded bytes so far.
    taken: usize,
    limit: usize,
}

enum State {
    Identity(Sink),
    Gzip(MultiGzDecoder<Sink>),
    /// `deflate` means zlib, but some servers send it without the header of zlib. The first byte shows which.
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
                // Windows of up to 1 GiB are not part of the content coding (RFC 7932).
                decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                State::Brotli(Box::new(decoder))
            }
        };
        Self { state, taken: 0, limit }
    }

    /// Decodes the next bytes. Returns `Break` when the limit is reached and more bytes follow.
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

    /// Returns the body and whether it was truncated. Fails if the coded data is incomplete.
    pub(super) fn finish(mut self) -> io::Result<(Vec<u8>, bool)> {
        // An empty body is complete with any announced coding.
        if !self.sink().full && self.taken > 0 {
            let result = match &mut self.state {
                State::Identity(_) | State::Deflate(_) => Ok(()),
                State::Gzip(decoder) => decoder.try_finish(),
                State::Zlib(decoder) => decoder.try_finish(),
                State::RawDeflate(decoder) => decoder.try_finish(),
                State::Brotli(decoder) => decoder.close(),
            };
            // The bytes that a decoder still held may exceed the limit.
            if !self.sink().full {
                result?;
            }
        }
        let sink = self.sink();
        let truncated = sink.full;
        // Decoders write their remaining bytes when they are dropped; the sink must refuse them.
        sink.full = true;
        Ok((mem::take(&mut sink.bytes), truncated))
    }

    /// Returns the number of decoded bytes so far.
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

/// Like [`Write::write_all`], but ignores bytes after the end of the coded data, as browsers do.
fn write_all(decoder: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match decoder.write(bytes)? {
            0 => break,
            taken => bytes = bytes.get(taken..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Collects bytes up to a limit and fails at the first one beyond it, so that a decoder does not produce more.
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
