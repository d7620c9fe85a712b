//! The queue of runs, for when more programs are called than may run.
//!
//! Clients take turns: many calls of one client do not delay another client until all of them have run.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

/// Identifies a client for scheduling. It grants no rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// The client of standard input and output.
    Stdio,
    /// A client over HTTP, by its session or its address.
    Http(String),
}

/// Limits the number of running and of waiting programs.
#[derive(Debug)]
pub(crate) struct Queue {
    running_limit: usize,
    waiting_limit: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    waiting: usize,
    /// One line for each client that waits; the front line is next.
    lines: VecDeque<(Client, VecDeque<oneshot::Sender<Place>>)>,
}

/// The right to run, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Option<Arc<Queue>>);

/// The error if no further program may wait.
#[derive(Debug)]
pub(crate) struct Full {
    pub(crate) running: usize,
    pub(crate) waiting: usize,
}

impl Queue {
    pub(crate) fn new(running_limit: usize, waiting_limit: usize) -> Arc<Self> {
        Arc::new(Self { running_limit: running_limit.max(1), waiting_limit, state: Mutex::default() })
    }

    /// Waits for a turn. Dropping the future leaves the queue.
    pub(crate) async fn enter(self: &Arc<Self>, client: Client) -> Result<Place, Full> {
        let turn = {
            let mut state = self.state();
            if state.running < self.running_limit {
                state.running += 1;
                return Ok(Place(Some(Arc::clone(self))));
            }
            state.remove_closed();
            if state.waiting >= self.waiting_limit {
                return Err(Full { running: state.running, waiting: state.waiting });
            }
            let (sender, turn) = oneshot::channel();
            state.waiting += 1;
            match state.lines.iter_mut().find(|(other, _)| *other == client) {
                Some((_, line)) => line.push_back(sender),
                None => state.lines.push_back((client, VecDeque::from([sender]))),
            }
            turn
        };
        // A place that is sent to a caller that has left is dropped and passed on, so no place is lost.
        turn.await.map_err(|_| Full { running: self.running_limit, waiting: self.waiting_limit })
    }

    /// Number of running and waiting programs.
    pub(crate) fn busy(&self) -> usize {
        let state = self.state();
        state.running + state.waiting
    }

    /// Number of waiting programs.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        while let Some((client, mut line)) = self.lines.pop_front() {
            let next = line.pop_front();
            if !line.is_empty() {
                self.lines.push_back((client, line));
            }
            if let Some(next) = next {
                self.waiting -= 1;
                if !next.is_closed() {
                    return Some(next);
                }
            }
        }
        None
    }

    fn remove_closed(&mut self) {
        for (_, line) in &mut self.lines {
            line.retain(|waiting| !waiting.is_closed());
        }
        self.lines.retain(|(_, line)| !line.is_empty());
        self.waiting = self.lines.iter().map(|(_, line)| line.len()).sum();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        loop {
            let next = {
                let mut state = queue.state();
                let next = state.next();
                if next.is_none() {
                    state.running -= 1;
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(Place(Some(Arc::clone(&queue)))) {
                Ok(()) => return,
                // The receiver was dropped in the meantime. The place is passed on here, and must not be passed on by
                // its own drop.
                Err(mut refused) => drop(refused.0.take()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str) -> Client {
        Client::Http(name.into())
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let queue = Queue::new(1, 10);
        let first = queue.enter(client("greedy")).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for name in ["greedy", "greedy", "greedy", "modest", "modest"] {
            let (queue, order) = (Arc::clone(&queue), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let _place = queue.enter(client(name)).await.unwrap();
                order.lock().unwrap().push(name);
            }));
            // The task has entered the queue before the next one starts.
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.busy(), 6);
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["greedy", "modest", "greedy", "modest", "greedy"]);
        assert_eq!(queue.busy(), 0);
    }

    #[tokio::test]
    async fn there_is_an_end_to_waiting_lines() {
        let queue = Queue::new(1, 1);
        let running = queue.enter(Client::Stdio).await.unwrap();
        let mut waiting = Box::pin(queue.enter(Client::Stdio));
        assert!(futures_poll(&mut waiting).await.is_none());
        assert!(queue.enter(Client::Stdio).await.is_err());
        // A caller that has left makes room.
        drop(waiting);
        let mut waiting = Box::pin(queue.enter(Client::Stdio));
        assert!(futures_poll(&mut waiting).await.is_none());
        drop(running);
        assert!(waiting.await.is_ok());
        assert_eq!(queue.busy(), 0);
    }

    #[tokio::test]
    async fn an_abandoned_turn_goes_to_the_next() {
        let queue = Queue::new(1, 10);
        let running = queue.enter(Client::Stdio).await.unwrap();
        let mut leaves = Box::pin(queue.enter(client("leaves")));
        assert!(futures_poll(&mut leaves).await.is_none());
        let mut stays = Box::pin(queue.enter(client("stays")));
        assert!(futures_poll(&mut stays).await.is_none());
        drop(running);
        // The turn was already sent when the caller leaves.
        drop(leaves);
        assert!(stays.await.is_ok());
        assert_eq!(queue.busy(), 0);
    }

    /// Polls a future once.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
