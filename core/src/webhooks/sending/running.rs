//! The futures of one actor that run at the same time.
//!
//! actix polls all futures of an actor, several times, whenever one of them wakes it. With many of them this costs more
//! than their work. These are one future of their actor, which polls only those that were woken.

use std::task::{Context, Poll, Waker};

use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};

pub(super) struct RunningFutures<T> {
    futures: FuturesUnordered<LocalBoxFuture<'static, T>>,
    /// Of the actor, while it is not polling them: it must poll a new one for the first time.
    waker: Option<Waker>,
}

impl<T> Default for RunningFutures<T> {
    fn default() -> Self {
        Self { futures: FuturesUnordered::new(), waker: None }
    }
}

impl<T> RunningFutures<T> {
    pub fn count(&self) -> usize {
        self.futures.len()
    }

    pub fn push(&mut self, future: impl Future<Output = T> + 'static) {
        self.futures.push(future.boxed_local());
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// The result of one that has finished. Poll until it is pending: only then the actor is woken for the others.
    pub fn poll_finished(&mut self, task: &mut Context<'_>) -> Poll<T> {
        self.waker = None;
        if let Poll::Ready(Some(finished)) = self.futures.poll_next_unpin(task) {
            return Poll::Ready(finished);
        }
        self.waker = Some(task.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::future::poll_fn;
    use std::rc::Rc;

    use tokio::sync::oneshot;

    use super::*;

    /// A future that counts its polls, and what ends it.
    fn counted(polls: Rc<Cell<usize>>) -> (oneshot::Sender<usize>, impl Future<Output = usize>) {
        let (end, mut ended) = oneshot::channel::<usize>();
        let future = poll_fn(move |task| {
            polls.set(polls.get() + 1);
            ended.poll_unpin(task).map(|number| number.expect("a number"))
        });
        (end, future)
    }

    #[actix::test]
    async fn only_woken_futures_are_polled_again() {
        const ALL: usize = 32;
        let (mut running, polls) = (RunningFutures::default(), Rc::<Cell<usize>>::default());
        let ends: Vec<_> = (0..ALL)
            .map(|_| {
                let (end, future) = counted(Rc::clone(&polls));
                running.push(future);
                end
            })
            .collect();
        let is_pending = poll_fn(|task| Poll::Ready(running.poll_finished(task).is_pending())).await;
        assert!(is_pending && polls.get() == ALL, "each is polled once");
        let mut finished = Vec::new();
        for (number, end) in ends.into_iter().enumerate() {
            end.send(number).expect("it runs");
            finished.push(poll_fn(|task| running.poll_finished(task)).await);
        }
        assert_eq!(finished, (0..ALL).collect::<Vec<_>>());
        assert_eq!(running.count(), 0);
        assert_eq!(polls.get(), 2 * ALL, "a future was polled that was not woken");
    }

    #[actix::test]
    async fn future_that_is_added_later_wakes_the_actor() {
        let running = Rc::new(RefCell::new(RunningFutures::default()));
        let actor = Rc::clone(&running);
        let waiting = actix_rt::spawn(poll_fn(move |task| actor.borrow_mut().poll_finished(task)));
        // The actor has polled when there was nothing.
        tokio::task::yield_now().await;
        running.borrow_mut().push(std::future::ready(7));
        assert_eq!(waiting.await.expect("a result"), 7);
    }
}
