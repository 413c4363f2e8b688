//! Tasks that are dropped within their runtime.
//!
//! A thread drops its tasks after it has left its runtime. Some values need the runtime in their drop: a database
//! connection is returned by a task of its own, and a second panic during a panic aborts the process.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::LocalBoxFuture;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// Runs a task on the current arbiter. The task is dropped within the runtime in which it was started.
///
/// # Panics
/// Outside of a runtime, as `actix_rt::spawn`.
pub fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future<Output: 'static> + 'static,
{
    actix_rt::spawn(RuntimeTask { runtime: Handle::current(), task: Some(Box::pin(task)) })
}

struct RuntimeTask<T> {
    runtime: Handle,
    /// `None` during the drop.
    task: Option<LocalBoxFuture<'static, T>>,
}

impl<T> Future for RuntimeTask<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        match &mut self.task {
            Some(task) => task.as_mut().poll(context),
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for RuntimeTask<T> {
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        drop(self.task.take());
    }
}
