//! The submitted calls of a run: which tickets are open, and what has finished.
//!
//! Each call is a [`Job`], a task of the runtime, which waits for its approval and its turn and is then performed.

mod board;
mod turn;

use std::{
    collections::{BTreeMap, VecDeque},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use isolette_deadline::{Deadline, Stop, runtime};
use tokio::task::AbortHandle;

pub(super) use self::board::{Board, Deferral};
use self::turn::Places;
pub(super) use self::turn::Turn;
use super::{Broker, open_call::CallNumber};

/// A call that was submitted, up to its result; `None` if its approval is deferred.
pub(super) type Job = Pin<Box<dyn Future<Output = Option<Finish>> + Send>>;

/// Hands the result of a call over and records its end, on the guest's thread. Returns the reply.
pub(super) type Finish = Box<dyn FnOnce(&mut Broker) -> Vec<u8> + Send>;

/// The submitted calls of a run.
pub(super) struct InFlight {
    places: Places,
    board: Arc<Board>,
    /// The ticket that was submitted last.
    last: u32,
    open: BTreeMap<u32, Open>,
    /// Bytes of the arguments of these.
    held: u64,
    /// Replies that did not fit a message.
    replies: VecDeque<(u32, Vec<u8>)>,
}

/// A ticket whose reply the guest has not got.
struct Open {
    call: CallNumber,
    length: u64,
    job: Option<Job>,
    task: Option<AbortHandle>,
}

impl InFlight {
    /// `limit` is the number of calls that are performed at the same time.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            places: Places::new(limit),
            board: Arc::default(),
            last: 0,
            open: BTreeMap::new(),
            held: 0,
            replies: VecDeque::new(),
        }
    }

    pub(super) fn turn(&self) -> Turn {
        self.places.turn()
    }

    pub(super) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Whether the guest has got the replies to all tickets.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.replies.is_empty()
    }

    pub(super) fn is_open(&self, ticket: u32) -> bool {
        self.open.contains_key(&ticket)
    }

    /// Whether the reply to this ticket can be returned.
    pub(super) fn has_reply(&self, ticket: u32) -> bool {
        self.replies.iter().any(|(other, _)| *other == ticket) || self.board.has_finished(ticket)
    }

    /// Whether any reply can be returned.
    pub(super) fn has_replies(&self) -> bool {
        !self.replies.is_empty() || self.board.has_any()
    }

    /// Whether there are replies that did not fit an earlier message.
    pub(super) fn has_kept_replies(&self) -> bool {
        !self.replies.is_empty()
    }

    /// Whether the result of any ticket was not taken.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Bytes of the arguments of the calls whose replies the guest has not got.
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Whether calls may wait for places that results keep which the guest has not got.
    pub(super) fn is_congested(&self) -> bool {
        self.places.are_taken() && self.has_replies()
    }

    /// Whether a call has not finished.
    pub(super) fn is_working(&self) -> bool {
        self.open.len() > self.board.len()
    }

    /// The tickets whose reply the guest has not got.
    pub(super) fn tickets(&self) -> impl Iterator<Item = u32> {
        self.open.keys().copied()
    }

    /// Checks a ticket: it has to be greater than all before.
    pub(super) fn accept(&mut self, ticket: u32) -> Result<(), Stop> {
        if ticket <= self.last || self.open.len() >= isolette_abi::tickets::OPEN_LIMIT {
            return Err(Stop::Malformed);
        }
        self.last = ticket;
        Ok(())
    }

    /// Begins a job. It is polled once at once, so that all decisions that need no waiting are made in the order of
    /// submission. Must be called inside the runtime.
    pub(super) fn begin(&mut self, ticket: u32, call: CallNumber, length: u64, job: Job) {
        let job = self.poll_once(ticket, job);
        self.held = self.held.saturating_add(length);
        self.open.insert(ticket, Open { call, length, job, task: None });
    }

    /// Begins the job of a ticket that is open, since its approval was deferred.
    pub(super) fn begin_again(&mut self, ticket: u32, job: Job) -> Result<(), Stop> {
        let _inside = runtime().map_err(|_| Stop::Deadline)?.enter();
        let job = self.poll_once(ticket, job);
        if let Some(open) = self.open.get_mut(&ticket) {
            (open.job, open.task) = (job, None);
        }
        Ok(())
    }

    fn poll_once(&self, ticket: u32, mut job: Job) -> Option<Job> {
        match job.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some(finish)) => {
                self.board.finish(ticket, finish);
                None
            }
            Poll::Ready(None) => None,
            Poll::Pending => Some(job),
        }
    }

    /// Opens a ticket whose result comes from outside.
    pub(super) fn begin_deferred(&mut self, ticket: u32, call: CallNumber, length: u64) {
        self.held = self.held.saturating_add(length);
        self.open.insert(ticket, Open { call, length, job: None, task: None });
    }

    /// The number of calls that have not finished.
    pub(super) fn unfinished(&self) -> usize {
        self.open.keys().filter(|ticket| !self.board.has_finished(**ticket)).count()
    }

    /// Bytes of the arguments of an open ticket.
    pub(super) fn length(&self, ticket: u32) -> u64 {
        self.open.get(&ticket).map_or(0, |open| open.length)
    }

    pub(super) fn last_ticket(&self) -> u32 {
        self.last
    }

    /// The replies that the guest has not got, in the order of completion.
    pub(super) fn kept_replies(&self) -> impl Iterator<Item = &(u32, Vec<u8>)> {
        self.replies.iter()
    }

    /// Keeps a reply as the last one.
    pub(super) fn keep_last_reply(&mut self, ticket: u32, reply: Vec<u8>) {
        self.replies.push_back((ticket, reply));
    }

    /// Takes the state of another process over.
    pub(super) fn restore(&mut self, last: u32, replies: impl Iterator<Item = (u32, Vec<u8>)>) {
        self.last = last;
        self.replies.extend(replies);
    }

    /// Continues all jobs on other threads.
    pub(super) fn spawn(&mut self, deadline: &Deadline) -> Result<(), Stop> {
        let runtime = runtime().map_err(|_| Stop::Deadline)?;
        for (ticket, open) in &mut self.open {
            let Some(job) = open.job.take() else { continue };
            let (ticket, board, deadline) = (*ticket, Arc::clone(&self.board), deadline.clone());
            let task = runtime.spawn(async move {
                if let Ok(Some(finish)) = deadline.bound(job).await {
                    board.finish(ticket, finish);
                }
            });
            open.task = Some(task.abort_handle());
        }
        Ok(())
    }

    /// Closes a ticket that the guest no longer wants. Returns the number of its call, if it was open.
    pub(super) fn close(&mut self, ticket: u32) -> Option<CallNumber> {
        let open = self.remove(ticket)?;
        if let Some(task) = open.task {
            task.abort();
        }
        self.board.discard(ticket);
        self.replies.retain(|(other, _)| *other != ticket);
        Some(open.call)
    }

    fn remove(&mut self, ticket: u32) -> Option<Open> {
        let open = self.open.remove(&ticket)?;
        self.held = self.held.saturating_sub(open.length);
        Some(open)
    }

    /// Closes all tickets.
    pub(super) fn end(&mut self) {
        let tickets: Vec<u32> = self.open.keys().copied().collect();
        for ticket in tickets {
            self.close(ticket);
        }
    }

    /// Takes the next result, in the order of completion.
    pub(super) fn next_finished(&mut self) -> Option<(u32, Finish)> {
        loop {
            let (ticket, finish) = self.board.next()?;
            // A job may finish while its ticket is closed.
            if self.remove(ticket).is_some() {
                return Some((ticket, finish));
            }
        }
    }

    /// Takes the result of this ticket, if there is one.
    pub(super) fn take_finished(&mut self, ticket: u32) -> Option<(u32, Finish)> {
        let finish = self.board.take(ticket)?;
        self.remove(ticket).map(|_| (ticket, finish))
    }

    /// Takes the next reply that did not fit an earlier message.
    pub(super) fn next_reply(&mut self) -> Option<(u32, Vec<u8>)> {
        self.replies.pop_front()
    }

    /// Keeps a reply that does not fit the message.
    pub(super) fn keep_reply(&mut self, ticket: u32, reply: Vec<u8>) {
        self.replies.push_front((ticket, reply));
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.end();
    }
}
