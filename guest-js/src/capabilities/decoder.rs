//! A reader of the bytes of a result.

use rquickjs::Ctx;

use super::interface::Interface;

/// Why bytes cannot be decoded.
pub(crate) enum Broken {
    /// They do not match the interface.
    Contract,
    /// There is not enough memory.
    Thrown(rquickjs::Error),
}

impl From<rquickjs::Error> for Broken {
    fn from(error: rquickjs::Error) -> Self {
        Self::Thrown(error)
    }
}

/// Reads the result of one call.
pub(crate) struct Decoder<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    pub(super) interface: &'a Interface,
    rest: &'a [u8],
}

impl<'a, 'js> Decoder<'a, 'js> {
    pub(crate) fn new(ctx: &'a Ctx<'js>, interface: &'a Interface, bytes: &'a [u8]) -> Self {
        Self { ctx, interface, rest: bytes }
    }

    /// Fails if bytes remain.
    pub(crate) fn finish(&self) -> Result<(), Broken> {
        if self.rest.is_empty() { Ok(()) } else { Err(Broken::Contract) }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken::Contract)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Broken> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn length(&mut self) -> Result<usize, Broken> {
        Ok(self.word(4)? as usize)
    }

    pub(super) fn word(&mut self, size: usize) -> Result<u64, Broken> {
        let mut wide = [0; 8];
        wide[..size].copy_from_slice(self.take(size)?);
        Ok(u64::from_le_bytes(wide))
    }
}
