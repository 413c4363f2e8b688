//! How many live streams there are: events, which hold a connection for as long as a job runs, and batches on their
//! way in.
//!
//! Those of an account are counted over all nodes ([`Shared::place`]), and all of a node's on the node. A page that was
//! left is noticed by the first frames that nobody takes any more, and on a silent stream there may be none for a while.
//! So who finds no room has the streams of their account say something, wherever they are: those that nobody reads end
//! by it, and make room at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use verdigraph_core::Error;
use verdigraph_core::ids::UserId;
use verdigraph_core::shared::{self, Place, Shared};
use verdigraph_core::users::Presence;

/// How long is waited for room, after each time that the streams of an account said something. The first frame to
/// somebody who left brings their refusal, and the second finds it: they stand a way there and back apart.
const ROOM_AFTER: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(600)];
/// How often is looked for room meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The streams of a node.
#[derive(Debug)]
pub struct Streams {
    per_account: usize,
    per_node: usize,
    open: AtomicUsize,
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

/// One open stream; dropping it makes room for another. It is told when its place among the account's is free.
#[derive(Debug)]
pub struct Stream {
    place: Place,
    _room: Room,
}

/// Room for one stream on the node.
#[derive(Debug)]
struct Room(Arc<Streams>);

impl Stream {
    /// Resolves when the stream shall say something, whatever it has to tell: that finds out whether it is read.
    pub async fn asked(&mut self) {
        self.place.wanted().await;
    }
}

impl Streams {
    /// None are open yet.
    #[must_use]
    pub fn new(per_account: usize, per_node: usize) -> Self {
        Self { per_account, per_node, open: AtomicUsize::new(0) }
    }

    /// Room for one more, where need be after those of the account that nobody reads have ended.
    ///
    /// # Errors
    /// [`Error::RateLimited`] where the account has too many, [`Error::Unavailable`] where the node has.
    pub async fn open(self: &Arc<Self>, shared: &dyn Shared, user: UserId) -> Result<Stream, Error> {
        let key = format!("streams:{user}");
        for patience in ROOM_AFTER {
            match self.take(shared, &key).await {
                Err(Error::RateLimited { .. }) => shared::want(shared, &key).await,
                answer => return answer,
            }
            let until = Instant::now() + patience;
            while Instant::now() < until {
                tokio::time::sleep(LOOK_EVERY).await;
                match self.take(shared, &key).await {
                    Err(Error::RateLimited { .. }) => {}
                    answer => return answer,
                }
            }
        }
        Err(Error::RateLimited { retry_after_seconds: 10 })
    }

    async fn take(self: &Arc<Self>, shared: &dyn Shared, key: &str) -> Result<Stream, Error> {
        let room = self.room()?;
        let place = shared.place(key, self.per_account).await;
        let place = place.ok_or(Error::RateLimited { retry_after_seconds: 10 })?;
        Ok(Stream { place, _room: room })
    }

    fn room(self: &Arc<Self>) -> Result<Room, Error> {
        let one_more = |open: usize| (open < self.per_node).then_some(open + 1);
        match self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more) {
            Ok(_) => Ok(Room(Arc::clone(self))),
            Err(_) => Err(Error::Unavailable { message: "too many live streams".to_owned(), retry_after_seconds: 10 }),
        }
    }

    /// How many are open.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use verdigraph_core::Clock;
    use verdigraph_core::shared::Local;

    use super::*;

    #[actix_web::test]
    async fn a_closed_stream_makes_room() {
        let (streams, shared) = (Arc::new(Streams::new(2, 3)), Local::new(Clock::System));
        let (ann, bob) = (UserId::new(), UserId::new());
        let first = streams.open(&shared, ann).await.expect("room");
        let _second = streams.open(&shared, ann).await.expect("room");
        assert!(matches!(streams.open(&shared, ann).await, Err(Error::RateLimited { .. })));
        let _bobs = streams.open(&shared, bob).await.expect("one account never takes the room of another");
        assert!(matches!(streams.open(&shared, bob).await, Err(Error::Unavailable { .. })));
        assert_eq!(streams.count(), 3, "refused ones take no room");
        drop(first);
        assert!(streams.open(&shared, ann).await.is_ok());
    }

    #[actix_web::test]
    async fn streams_that_nobody_reads_make_room_for_whoever_asks_on_any_node() {
        let shared = Local::new(Clock::System);
        let (streams, other) = (Arc::new(Streams::new(1, 9)), Arc::new(Streams::new(1, 9)));
        let ann = UserId::new();
        let mut left = streams.open(&shared, ann).await.expect("room");
        // What the server does with a stream whose second frame nobody takes.
        actix_web::rt::spawn(async move {
            left.asked().await;
            left.asked().await;
            drop(left);
        });
        let _next = other.open(&shared, ann).await.expect("the room of a page that was left");
        assert_eq!((streams.count(), other.count()), (0, 1));
    }
}
