//! How many live streams there are: events, which hold a connection for as long as a job runs, and batches on their
//! way in.
//!
//! A page that was left is noticed by the first frames that nobody takes any more, and on a silent stream there may be
//! none for a while. So who finds no room has the streams of their account say something: those that nobody reads end
//! by it, and make room at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout_at};
use verdigraph_core::Error;
use verdigraph_core::ids::UserId;
use verdigraph_core::users::Presence;

/// How long is waited for room, after each time that the streams of an account said something. The first frame to
/// somebody who left brings their refusal, and the second finds it: they stand a way there and back apart.
const ROOM_AFTER: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(600)];

/// The streams of a node.
#[derive(Debug)]
pub struct Streams {
    per_account: usize,
    per_node: usize,
    open: Mutex<Open>,
    /// Told whenever one has ended.
    ended: Notify,
}

#[derive(Debug, Default)]
struct Open {
    by_account: HashMap<UserId, Account>,
    total: usize,
}

/// What an open stream is to do, whatever it has to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Say something: that finds out whether it is read.
    Speak,
    /// End: a key was revoked, a session or an account has ended.
    Leave,
}

/// An open stream of somebody who is let in.
pub struct Permit {
    presence: Presence,
    stream: Stream,
}

impl Stream {
    /// The stream of this person.
    #[must_use]
    pub fn of(self, presence: Presence) -> Permit {
        Permit { presence, stream: self }
    }
}

impl Permit {
    /// Waits until the stream is to do something by itself. It may be dropped and called again.
    pub async fn called(&mut self) -> Call {
        tokio::select! {
            () = self.presence.ended() => Call::Leave,
            () = self.stream.asked() => Call::Speak,
        }
    }

    /// Waits until whoever opened the stream is let in no more. For streams that are never silent. It may be dropped
    /// and called again.
    pub async fn lost(&mut self) {
        self.presence.ended().await;
    }
}

/// The streams of somebody, and how often they were to say something.
#[derive(Debug, Default)]
struct Account {
    count: usize,
    asked: watch::Sender<u32>,
}

/// One open stream; dropping it makes room for another.
#[derive(Debug)]
pub struct Stream {
    streams: Arc<Streams>,
    user: UserId,
    asked: watch::Receiver<u32>,
}

impl Stream {
    /// Resolves when the stream shall say something, whatever it has to tell: that finds out whether it is read.
    pub async fn asked(&mut self) {
        if self.asked.changed().await.is_err() {
            // Nobody is left who could ask.
            std::future::pending::<()>().await;
        }
    }
}

impl Streams {
    /// None are open yet.
    #[must_use]
    pub fn new(per_account: usize, per_node: usize) -> Self {
        Self { per_account, per_node, open: Mutex::default(), ended: Notify::new() }
    }

    /// Room for one more, where need be after those of the account that nobody reads have ended.
    ///
    /// # Errors
    /// [`Error::RateLimited`] where the account has too many, [`Error::Unavailable`] where the node has.
    pub async fn open(self: &Arc<Self>, user: UserId) -> Result<Stream, Error> {
        for patience in ROOM_AFTER {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            match self.take(user) {
                Err(Error::RateLimited { .. }) => self.ask(user),
                answer => return answer,
            }
            let until = Instant::now() + patience;
            while timeout_at(until, ended.as_mut()).await.is_ok() {
                ended.set(self.ended.notified());
                ended.as_mut().enable();
                match self.take(user) {
                    Err(Error::RateLimited { .. }) => {}
                    answer => return answer,
                }
            }
        }
        self.take(user)
    }

    /// Has the streams of an account say something.
    fn ask(&self, user: UserId) {
        if let Some(account) = self.lock().by_account.get(&user) {
            account.asked.send_modify(|times| *times = times.wrapping_add(1));
        }
    }

    fn take(self: &Arc<Self>, user: UserId) -> Result<Stream, Error> {
        let mut open = self.lock();
        if open.total >= self.per_node {
            return Err(Error::Unavailable { message: "too many live streams".to_owned(), retry_after_seconds: 10 });
        }
        if open.by_account.get(&user).is_some_and(|own| own.count >= self.per_account) {
            return Err(Error::RateLimited { retry_after_seconds: 10 });
        }
        let own = open.by_account.entry(user).or_default();
        own.count += 1;
        let asked = own.asked.subscribe();
        open.total += 1;
        Ok(Stream { streams: Arc::clone(self), user, asked })
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
            own.count -= 1;
            if own.count == 0 {
                open.by_account.remove(&self.user);
            }
        }
        drop(open);
        self.streams.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_closed_stream_makes_room() {
        let streams = Arc::new(Streams::new(2, 3));
        let (ann, bob) = (UserId::new(), UserId::new());
        let first = streams.open(ann).await.expect("room");
        let _second = streams.open(ann).await.expect("room");
        assert!(matches!(streams.open(ann).await, Err(Error::RateLimited { .. })));
        let _bobs = streams.open(bob).await.expect("one account never takes the room of another");
        assert!(matches!(streams.open(bob).await, Err(Error::Unavailable { .. })));
        assert_eq!(streams.count(), 3, "refused ones take no room");
        drop(first);
        assert!(streams.open(ann).await.is_ok());
    }

    #[actix_web::test]
    async fn streams_that_nobody_reads_make_room_for_whoever_asks() {
        let streams = Arc::new(Streams::new(1, 9));
        let ann = UserId::new();
        let mut left = streams.open(ann).await.expect("room");
        // What the server does with a stream whose second frame nobody takes.
        actix_web::rt::spawn(async move {
            left.asked().await;
            left.asked().await;
            drop(left);
        });
        let _next = streams.open(ann).await.expect("the room of a page that was left");
        assert_eq!(streams.count(), 1);
    }
}
