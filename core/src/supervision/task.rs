//! Tasks that end well also with the thread they run on.
//!
//! A thread's tasks are dropped after its runtime was left. What a task holds may need that to be dropped: a connection to the
//! database is given back by a task of its own, and a panic about it while another one is under way ends the process.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::LocalBoxFuture;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// Runs a task on the current arbiter. Whenever it is dropped, that is done within the runtime it was begun in.
///
/// # Panics
/// Outside of a runtime, as `actix_rt::spawn`.
pub fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future<Output: 'static> + 'static,
{
    actix_rt::spawn(Within { runtime: Handle::current(), task: Some(Box::pin(task)) })
}

struct Within<T> {
    runtime: Handle,
    /// Empty once it is being dropped.
    task: Option<LocalBoxFuture<'static, T>>,
}

impl<T> Future for Within<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        match &mut self.task {
            Some(task) => task.as_mut().poll(context),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Within<T> {
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        drop(self.task.take());
    }
}
