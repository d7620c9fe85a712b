//! Reads the body of a request as a whole before it is processed, with limits on its length and time, so that a client
//! cannot hold a connection by sending single bytes.

use std::{pin::pin, time::Duration};

use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt as _;
use isolette::values::{NoMemory, Reservation};

/// Time limit for the body of a request.
pub const TIME: Duration = Duration::from_secs(30);

/// The reason why a body could not be read.
#[derive(Debug)]
pub enum BodyError {
    /// The client closed the connection, or sent what is no body.
    BrokenOff,
    /// It is longer than the limit.
    TooLong,
    /// It took longer than the time limit.
    TooSlow,
    /// There is no memory for it in the memory of values.
    NoMemory(NoMemory),
}

/// Reads a body of at most `limit` bytes, within `time`. Memory is reserved for bytes that have arrived, not for an announced
/// length; it is released when the reservation is dropped. A body with an announced length over the limit is not read.
///
/// # Errors
/// [`BodyError`].
pub async fn read<B>(body: B, limit: usize, time: Duration) -> Result<(Bytes, Reservation), BodyError>
where
    B: Body<Data = Bytes>,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(BodyError::TooLong);
    }
    tokio::time::timeout(time, whole(body, limit)).await.unwrap_or(Err(BodyError::TooSlow))
}

async fn whole<B>(body: B, limit: usize) -> Result<(Bytes, Reservation), BodyError>
where
    B: Body<Data = Bytes>,
{
    let mut body = pin!(body);
    let mut bytes = BytesMut::new();
    let mut room = Reservation::default();
    while let Some(frame) = body.frame().await {
        // The other kind of frame is trailers.
        let Ok(part) = frame.map_err(|_| BodyError::BrokenOff)?.into_data() else { continue };
        if part.len() > limit - bytes.len() {
            return Err(BodyError::TooLong);
        }
        room.grow(part.len() as u64).map_err(BodyError::NoMemory)?;
        bytes.extend_from_slice(&part);
    }
    Ok((bytes.freeze(), room))
}
