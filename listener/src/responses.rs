//! Limits what waits to be sent: for one stream, and for all responses of the process together.
//!
//! A client that reads slowly, or not at all, leaves its responses in the memory of the server. A body that is complete is
//! therefore counted in [`ResponseMemory`] from before it is made until its last byte was written or its connection is gone.
//! A body that is made while it is sent has a window: no more of it is made while so many bytes of it wait.

use std::{
    error::Error,
    mem,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use bytes::Bytes;
use http::Response;
use http_body::{Body, Frame, SizeHint};
use isolette::values::{NoMemory, Reservation, ResponseMemory};

/// Maximum number of bytes of a stream that wait to be sent, except for one part that is longer.
pub const WINDOW: u64 = 128 << 10;

/// Maximum length of a complete body that is not counted. The number of connections bounds how many there are.
pub const SMALL: u64 = 64 << 10;

/// How long a response waits for memory before it is refused.
pub const WAIT: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 5000 });

/// How long a part of a stream waits for memory before the stream is broken off.
const WAIT_OF_PART: Duration = Duration::from_secs(60);

type BoxError = Box<dyn Error + Send + Sync>;

/// Memory that was reserved for a response before it was made. It goes with the response, as an extension.
#[derive(Clone, Debug)]
pub struct Reserved(Arc<Mutex<Reservation>>);

impl Reserved {
    /// Makes an extension of a reservation.
    #[must_use]
    pub fn new(memory: Reservation) -> Self {
        Self(Arc::new(Mutex::new(memory)))
    }

    fn take(&self) -> Reservation {
        mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), ResponseMemory::nothing())
    }
}

/// Marks a response, as an extension, whose body has a known length and is made while it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Streamed;

/// Marks a response, as an extension, whose bytes are in memory in any case, and which all responses of its kind share.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted;

/// Admits a response to be sent: reserves the memory that its body takes, or its window. Waits for memory for [`WAIT`] at most.
///
/// # Errors
/// [`NoMemory`] if other responses have it all, or if one response may not have so much.
pub async fn admit<B>(response: Response<B>) -> Result<Response<Outgoing<B>>, NoMemory>
where
    B: Body<Data = Bytes> + Unpin,
{
    let (mut head, body) = response.into_parts();
    let mut memory =
        head.extensions.remove::<Reserved>().map_or_else(ResponseMemory::nothing, |reserved| reserved.take());
    let is_uncounted = head.extensions.remove::<Uncounted>().is_some();
    let is_streamed = head.extensions.remove::<Streamed>().is_some();
    let room = match body.size_hint().exact().filter(|_| !is_streamed) {
        Some(length) if length <= SMALL || is_uncounted => Room::Small,
        Some(length) => {
            let missing = length.saturating_sub(memory.bytes());
            memory.grow_until(missing, tokio::time::sleep(WAIT)).await?;
            memory.shrink_to(length);
            Room::Whole(memory)
        }
        None => {
            let missing = WINDOW.saturating_sub(memory.bytes());
            memory.grow_until(missing, tokio::time::sleep(WAIT)).await?;
            Room::Stream(Stream { window: Arc::default(), part: None, _memory: memory })
        }
    };
    Ok(Response::from_parts(head, Outgoing { body, room }))
}

/// Says why there is no memory for a response.
#[must_use]
pub fn refusal(why: &NoMemory) -> String {
    let NoMemory { bytes, room, limit, busy, .. } = why;
    match busy {
        true => {
            format!("the response takes {bytes} bytes, and those that wait to be read leave room for {room} of {limit}")
        }
        false => format!("the response takes {bytes} bytes, and {room} of {limit} are allowed for one"),
    }
}

/// The body of a response that was admitted.
#[derive(Debug)]
pub struct Outgoing<B> {
    body: B,
    room: Room,
}

impl<B> Outgoing<B> {
    /// A body that is known to be short.
    #[must_use]
    pub fn short(body: B) -> Self {
        Self { body, room: Room::Small }
    }
}

#[derive(Debug)]
enum Room {
    Small,
    /// The memory of the whole body, until its bytes have it.
    Whole(Reservation),
    Stream(Stream),
}

struct Stream {
    window: Arc<Window>,
    /// A part that is longer than the window, and waits for memory.
    part: Option<Waiting>,
    _memory: Reservation,
}

type Memory = Pin<Box<dyn Future<Output = Result<Reservation, NoMemory>> + Send>>;

struct Waiting {
    bytes: Bytes,
    memory: Memory,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Stream").field("window", &self.window).finish_non_exhaustive()
    }
}

/// The bytes of a stream that wait to be written.
#[derive(Debug, Default)]
struct Window(Mutex<Unwritten>);

#[derive(Debug, Default)]
struct Unwritten {
    bytes: u64,
    /// Polls the stream, which waits until there are fewer.
    waker: Option<Waker>,
}

impl Window {
    fn lock(&self) -> MutexGuard<'_, Unwritten> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll_room(&self, context: &Context<'_>) -> Poll<()> {
        let mut unwritten = self.lock();
        if unwritten.bytes < WINDOW {
            return Poll::Ready(());
        }
        unwritten.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn add(&self, bytes: u64) {
        self.lock().bytes += bytes;
    }

    fn remove(&self, bytes: u64) {
        let waker = {
            let mut unwritten = self.lock();
            unwritten.bytes = unwritten.bytes.saturating_sub(bytes);
            unwritten.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The bytes of a complete body. They are dropped when they were written, or when the connection is gone.
struct Whole {
    bytes: Bytes,
    _memory: Reservation,
}

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A part of a stream, as [`Whole`].
struct Part {
    bytes: Bytes,
    window: Arc<Window>,
    _memory: Option<Reservation>,
}

impl Part {
    fn frame(bytes: Bytes, window: &Arc<Window>, memory: Option<Reservation>) -> Frame<Bytes> {
        window.add(bytes.len() as u64);
        Frame::data(Bytes::from_owner(Self { bytes, window: Arc::clone(window), _memory: memory }))
    }
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.window.remove(self.bytes.len() as u64);
    }
}

impl Stream {
    /// The part that waits for memory, once it has it.
    fn poll_part(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Some(waiting) = &mut self.part else { return Poll::Ready(None) };
        let memory = ready!(waiting.memory.as_mut().poll(context));
        let part = self.part.take().map(|waiting| waiting.bytes).unwrap_or_default();
        Poll::Ready(Some(match memory {
            Ok(memory) => Ok(Part::frame(part, &self.window, Some(memory))),
            Err(why) => Err(refusal(&why).into()),
        }))
    }
}

async fn memory_for(bytes: u64) -> Result<Reservation, NoMemory> {
    let mut memory = ResponseMemory::nothing();
    memory.grow_until(bytes, tokio::time::sleep(WAIT_OF_PART)).await?;
    Ok(memory)
}

impl<B> Body for Outgoing<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        loop {
            if let Room::Stream(stream) = &mut this.room {
                if let Some(frame) = ready!(stream.poll_part(context)) {
                    return Poll::Ready(Some(frame));
                }
                ready!(stream.window.poll_room(context));
            }
            let frame = match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                other => return Poll::Ready(other.map(|frame| frame.map_err(Into::into))),
            };
            // The other kind of frame is trailers.
            let bytes = match frame.into_data() {
                Ok(bytes) => bytes,
                Err(frame) => return Poll::Ready(Some(Ok(frame))),
            };
            let frame = match &mut this.room {
                Room::Small => Frame::data(bytes),
                Room::Whole(memory) => {
                    // A complete body is one part; of others, the last byte is in the last part.
                    let rest = this.body.size_hint().exact().unwrap_or(0);
                    let mut of_part = mem::replace(memory, ResponseMemory::nothing());
                    if rest > 0 {
                        mem::swap(memory, &mut of_part);
                    }
                    Frame::data(Bytes::from_owner(Whole { bytes, _memory: of_part }))
                }
                Room::Stream(stream) => match (bytes.len() as u64).checked_sub(WINDOW) {
                    Some(more) if more > 0 => {
                        stream.part = Some(Waiting { bytes, memory: Box::pin(memory_for(more)) });
                        continue;
                    }
                    _ => Part::frame(bytes, &stream.window, None),
                },
            };
            return Poll::Ready(Some(Ok(frame)));
        }
    }

    fn is_end_stream(&self) -> bool {
        let waits = matches!(&self.room, Room::Stream(Stream { part: Some(_), .. }));
        !waits && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match &self.room {
            Room::Stream(Stream { part: Some(_), .. }) => SizeHint::default(),
            _ => self.body.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use http_body_util::{BodyExt as _, Full, StreamBody};

    use super::*;

    /// The tests of this module share the memory of the process.
    static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

    struct Parts(Vec<Bytes>);

    impl Body for Parts {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop().map(|bytes| Ok(Frame::data(bytes))))
        }
    }

    #[tokio::test]
    async fn complete_bodies_are_counted_until_their_last_byte_is_gone() {
        let _alone = ALONE.lock().await;
        let before = ResponseMemory::used();
        let used = || ResponseMemory::used() - before;
        let small = admit(Response::new(Full::new(Bytes::from(vec![0; SMALL as usize])))).await.unwrap();
        assert_eq!(used(), 0);
        drop(small);
        let length = 1 << 20;
        let mut response = Response::new(Full::new(Bytes::from(vec![0; length])));
        let mut memory = ResponseMemory::nothing();
        memory.grow(2 << 20).unwrap();
        response.extensions_mut().insert(Reserved::new(memory));
        let mut body = admit(response).await.unwrap().into_body();
        // Nothing was reserved in addition, and what is not needed is free again.
        assert_eq!(used(), length as u64);
        let mut bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.frame().await.is_none());
        drop(body);
        let last = bytes.split_off(length - 1);
        drop(bytes);
        assert_eq!(used(), length as u64);
        drop(last);
        assert_eq!(used(), 0);
    }

    #[tokio::test]
    async fn a_stream_is_made_as_fast_as_it_is_written() {
        let _alone = ALONE.lock().await;
        let before = ResponseMemory::used();
        let used = || ResponseMemory::used() - before;
        let parts = (0..100).map(|_| Bytes::from(vec![0; (WINDOW / 2) as usize])).collect();
        let mut body = admit(Response::new(Parts(parts))).await.unwrap().into_body();
        assert_eq!(used(), WINDOW);
        let one = body.frame().await.unwrap().unwrap();
        let other = body.frame().await.unwrap().unwrap();
        let mut context = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut body).poll_frame(&mut context).is_pending());
        drop(one);
        assert!(Pin::new(&mut body).poll_frame(&mut context).is_ready());
        drop(other);
        drop(body);
        assert_eq!(used(), 0);
    }

    #[tokio::test]
    async fn a_part_that_is_longer_than_the_window_is_counted() {
        let _alone = ALONE.lock().await;
        let before = ResponseMemory::used();
        let used = || ResponseMemory::used() - before;
        let parts = vec![Bytes::from_static(b"end"), Bytes::from(vec![0; 3 * WINDOW as usize])];
        let mut body = admit(Response::new(Parts(parts))).await.unwrap().into_body();
        let part = body.frame().await.unwrap().unwrap();
        assert_eq!(used(), 3 * WINDOW);
        assert!(!body.is_end_stream());
        drop(part);
        assert_eq!(used(), WINDOW);
        assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "end");
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn failures_and_lengths_are_those_of_the_body() {
        let _alone = ALONE.lock().await;
        let parts = [Ok(Frame::data(Bytes::from_static(b"a"))), Err(std::io::Error::other("gone"))];
        let body = StreamBody::new(futures_util::stream::iter(parts));
        let mut body = admit(Response::new(body)).await.unwrap().into_body();
        assert_eq!(body.size_hint().exact(), None);
        assert!(body.frame().await.unwrap().is_ok());
        assert_eq!(body.frame().await.unwrap().unwrap_err().to_string(), "gone");
        let full = admit(Response::new(Full::new(Bytes::from_static(b"abc")))).await.unwrap();
        assert_eq!(full.body().size_hint().exact(), Some(3));
    }

    #[tokio::test]
    async fn what_does_not_fit_is_refused_after_a_while() {
        let _alone = ALONE.lock().await;
        let quarter = ResponseMemory::limit() / 4;
        let mut held: Vec<_> = (0..3)
            .map(|_| {
                let mut memory = ResponseMemory::nothing();
                memory.grow(quarter).unwrap();
                memory
            })
            .collect();
        let large = || Response::new(Full::new(Bytes::from(vec![0; (quarter / 2 + 1) as usize])));
        let why = admit(large()).await.unwrap_err();
        assert!(why.busy && refusal(&why).contains("leave room for"), "{}", refusal(&why));
        held.pop();
        assert!(admit(large()).await.is_ok());
        let why = admit(Response::new(Full::new(Bytes::from(vec![0; quarter as usize + 1])))).await.unwrap_err();
        assert!(!why.busy && refusal(&why).ends_with("are allowed for one"), "{}", refusal(&why));
    }
}
