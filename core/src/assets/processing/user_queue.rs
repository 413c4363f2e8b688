//! A queue of uploads per user: they are processed one at a time. A user who sends many large pictures waits for them,
//! and delays other users by one picture at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ids::UserId;
use crate::{Error, Result};

/// Uploads of one user that may wait.
const MAX_WAITING: usize = 24;

/// The queues of users with uploads. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(in crate::assets) struct UserQueues(Arc<Mutex<HashMap<UserId, UserQueue>>>);

#[derive(Debug)]
struct UserQueue {
    semaphore: Arc<Semaphore>,
    /// The running upload and the waiting ones.
    entries: usize,
}

/// Held while an upload of the user is processed.
#[derive(Debug)]
pub(in crate::assets) struct UserPermit {
    _permit: OwnedSemaphorePermit,
    _entry: QueueEntry,
}

/// One entry of a user's queue. The queue is removed with its last entry, also when a waiting upload is dropped.
#[derive(Debug)]
struct QueueEntry {
    queues: UserQueues,
    account: UserId,
}

impl UserQueues {
    /// Waits for the user's permit.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if too many uploads of this user wait.
    pub async fn wait(&self, account: UserId) -> Result<UserPermit> {
        let (semaphore, entry) = self.enqueue(account)?;
        let permit = semaphore.acquire_owned().await.map_err(|error| Error::Internal(format!("pictures: {error}")))?;
        Ok(UserPermit { _permit: permit, _entry: entry })
    }

    fn enqueue(&self, account: UserId) -> Result<(Arc<Semaphore>, QueueEntry)> {
        let mut queues = self.queues();
        let queue =
            queues.entry(account).or_insert_with(|| UserQueue { semaphore: Arc::new(Semaphore::new(1)), entries: 0 });
        if queue.entries > MAX_WAITING {
            return Err(Error::Unavailable {
                message: "too many of your pictures are being processed".to_owned(),
                retry_after_seconds: 5,
            });
        }
        queue.entries += 1;
        Ok((Arc::clone(&queue.semaphore), QueueEntry { queues: self.clone(), account }))
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<UserId, UserQueue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for QueueEntry {
    fn drop(&mut self) {
        let mut queues = self.queues.queues();
        if let Some(queue) = queues.get_mut(&self.account) {
            queue.entries -= 1;
            if queue.entries == 0 {
                queues.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn uploads_of_one_user_are_serialized_and_block_no_other_user() {
        let queues = UserQueues::default();
        let (ann, bo) = (UserId::new(), UserId::new());
        let first = queues.wait(ann).await.expect("the first permit");
        let mut second = Box::pin(queues.wait(ann));
        assert!((&mut second).now_or_never().is_none(), "two uploads of one user are processed at once");
        let other = queues.wait(bo).now_or_never().expect("another user waits").expect("a permit");
        drop(first);
        let second = second.now_or_never().expect("the next permit").expect("a permit");
        drop((second, other));
        assert!(queues.queues().is_empty(), "the queue of a user without uploads is kept");
    }

    #[tokio::test]
    async fn user_with_too_many_waiting_uploads_is_refused() {
        let queues = UserQueues::default();
        let (ann, bo) = (UserId::new(), UserId::new());
        let mut waiting: Vec<_> = (0..=MAX_WAITING).map(|_| Box::pin(queues.wait(ann))).collect();
        let states: Vec<_> = waiting.iter_mut().map(|one| one.now_or_never()).collect();
        assert!(states[0].is_some() && states[1..].iter().all(Option::is_none));
        let refused = queues.wait(ann).now_or_never().expect("an answer at once");
        assert!(matches!(refused, Err(Error::Unavailable { .. })), "{refused:?}");
        assert!(queues.wait(bo).now_or_never().is_some_and(|permit| permit.is_ok()));
        // A dropped upload leaves the queue.
        drop((waiting, states));
        assert!(queues.queues().is_empty());
    }
}
