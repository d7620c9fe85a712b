//! Order, limits and ends of the queue. Each future is polled by hand, so that no test depends on time.

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use super::*;

fn queue(running: usize, waiting: usize, memory: Option<u64>) -> Arc<Queue<&'static str>> {
    Queue::new(QueueLimits { running, waiting, memory })
}

/// Polls a future once.
fn poll<F: Future>(future: &mut Pin<Box<F>>) -> Option<F::Output> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[tokio::test]
async fn clients_take_turns() {
    let queue = queue(1, 10, None);
    let first = queue.enter("greedy", 0).await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for name in ["greedy", "greedy", "greedy", "modest", "modest"] {
        let (queue, order) = (Arc::clone(&queue), Arc::clone(&order));
        tasks.push(tokio::spawn(async move {
            let _place = queue.enter(name, 0).await.unwrap();
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

#[test]
fn there_is_an_end_to_waiting_lines() {
    let queue = queue(1, 1, None);
    let running = poll(&mut Box::pin(queue.enter("a", 0))).unwrap().unwrap();
    let mut waiting = Box::pin(queue.enter("a", 0));
    assert!(poll(&mut waiting).is_none());
    let refused = poll(&mut Box::pin(queue.enter("a", 0))).unwrap().unwrap_err();
    assert_eq!(refused, Refused { reason: Reason::Full, running: 1, waiting: 1 });
    // A caller that has left makes room.
    drop(waiting);
    let mut waiting = Box::pin(queue.enter("a", 0));
    assert!(poll(&mut waiting).is_none());
    drop(running);
    assert!(poll(&mut waiting).unwrap().is_ok());
    assert_eq!(queue.busy(), 0);
}

#[test]
fn an_abandoned_turn_goes_to_the_next() {
    let queue = queue(1, 10, None);
    let running = poll(&mut Box::pin(queue.enter("runs", 0))).unwrap().unwrap();
    let mut leaves = Box::pin(queue.enter("leaves", 0));
    assert!(poll(&mut leaves).is_none());
    let mut stays = Box::pin(queue.enter("stays", 0));
    assert!(poll(&mut stays).is_none());
    drop(running);
    // The turn was already sent when the caller leaves.
    drop(leaves);
    assert!(poll(&mut stays).unwrap().is_ok());
    assert_eq!(queue.busy(), 0);
}

#[test]
fn places_share_the_memory() {
    let queue = queue(10, 10, Some(100));
    let small = poll(&mut Box::pin(queue.enter("small", 60))).unwrap().unwrap();
    let mut large = Box::pin(queue.enter("large", 50));
    assert!(poll(&mut large).is_none());
    // There would be room for this one, but the larger one comes first.
    let mut next = Box::pin(queue.enter("small", 40));
    assert!(poll(&mut next).is_none());
    assert_eq!(queue.running(), (1, 60));
    drop(small);
    let (large, next) = (poll(&mut large).unwrap().unwrap(), poll(&mut next).unwrap().unwrap());
    assert_eq!(queue.running(), (2, 90));
    let refused = poll(&mut Box::pin(queue.enter("small", 101))).unwrap().unwrap_err();
    assert_eq!(refused.reason, Reason::TooLarge);
    drop((large, next));
    assert_eq!(queue.running(), (0, 0));
}

#[test]
fn one_that_leaves_lets_those_behind_it_pass() {
    let queue = queue(10, 10, Some(100));
    let _small = poll(&mut Box::pin(queue.enter("small", 60))).unwrap().unwrap();
    let mut large = Box::pin(queue.enter("large", 50));
    assert!(poll(&mut large).is_none());
    let mut next = Box::pin(queue.enter("small", 40));
    assert!(poll(&mut next).is_none());
    drop(large);
    assert!(poll(&mut next).unwrap().is_ok());
}

#[test]
fn memory_without_a_limit_is_summed_up_without_overflow() {
    let queue = queue(2, 0, None);
    let places = [u64::MAX; 2].map(|memory| poll(&mut Box::pin(queue.enter("a", memory))).unwrap().unwrap());
    assert_eq!(queue.running(), (2, u64::MAX));
    drop(places);
    assert_eq!(queue.running(), (0, 0));
}

#[test]
fn a_closed_queue_serves_those_that_wait_until_they_are_refused() {
    let queue = queue(1, 10, None);
    let running = poll(&mut Box::pin(queue.enter("a", 0))).unwrap().unwrap();
    let mut waiting = [(); 2].map(|()| Box::pin(queue.enter("a", 0)));
    assert!(waiting.iter_mut().all(|waiting| poll(waiting).is_none()));
    queue.close();
    assert_eq!(poll(&mut Box::pin(queue.enter("b", 0))).unwrap().unwrap_err().reason, Reason::Closed);
    let mut idle = Box::pin(queue.idle());
    assert!(poll(&mut idle).is_none());
    drop(running);
    let served = poll(&mut waiting[0]).unwrap().unwrap();
    assert!(poll(&mut waiting[1]).is_none());
    queue.refuse_all();
    assert_eq!(poll(&mut waiting[1]).unwrap().unwrap_err().reason, Reason::Closed);
    assert!(poll(&mut idle).is_none());
    drop(served);
    assert!(poll(&mut idle).is_some());
}
