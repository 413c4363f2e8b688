//! How many live streams there are: events, which hold a connection for as long as a job runs, and batches on their
//! way in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verdigraph_core::Error;
use verdigraph_core::ids::UserId;
use verdigraph_core::users::Presence;

/// The streams of a node.
#[derive(Debug)]
pub struct Streams {
    per_account: usize,
    per_node: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    by_account: HashMap<UserId, usize>,
    total: usize,
}

/// An open stream of somebody who is let in.
pub struct Place {
    presence: Presence,
    _stream: Stream,
}

impl Stream {
    /// The stream of this person.
    #[must_use]
    pub fn of(self, presence: Presence) -> Place {
        Place { presence, _stream: self }
    }
}

impl Place {
    /// Waits until whoever opened the stream is let in no more: a key that was revoked, a session or an account that
    /// has ended. It may be dropped and called again.
    pub async fn lost(&mut self) {
        self.presence.ended().await;
    }
}

/// One open stream; dropping it makes room for another.
#[derive(Debug)]
pub struct Stream {
    streams: Arc<Streams>,
    user: UserId,
}

impl Streams {
    /// None are open yet.
    #[must_use]
    pub fn new(per_account: usize, per_node: usize) -> Self {
        Self { per_account, per_node, open: Mutex::default() }
    }

    /// Room for one more.
    ///
    /// # Errors
    /// [`Error::RateLimited`] where the account has too many, [`Error::Unavailable`] where the node has.
    pub fn open(self: &Arc<Self>, user: UserId) -> Result<Stream, Error> {
        let mut open = self.lock();
        if open.total >= self.per_node {
            return Err(Error::Unavailable { message: "too many live streams".to_owned(), retry_after_seconds: 10 });
        }
        let own = open.by_account.get(&user).copied().unwrap_or(0);
        if own >= self.per_account {
            return Err(Error::RateLimited { retry_after_seconds: 10 });
        }
        open.by_account.insert(user, own + 1);
        open.total += 1;
        Ok(Stream { streams: Arc::clone(self), user })
    }

    /// How many are open.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().total
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        open.total = open.total.saturating_sub(1);
        if let Some(own) = open.by_account.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                open.by_account.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_stream_makes_room() {
        let streams = Arc::new(Streams::new(2, 3));
        let (ann, bob) = (UserId::new(), UserId::new());
        let first = streams.open(ann).expect("room");
        let _second = streams.open(ann).expect("room");
        assert!(matches!(streams.open(ann), Err(Error::RateLimited { .. })));
        let _bobs = streams.open(bob).expect("one account never takes the room of another");
        assert!(matches!(streams.open(bob), Err(Error::Unavailable { .. })));
        assert_eq!(streams.count(), 3, "refused ones take no room");
        drop(first);
        assert!(streams.open(ann).is_ok());
    }
}
