//! Limits of live streams: events, which hold a connection for as long as a job runs, and uploads of batches.
//!
//! An account's streams are counted over all nodes ([`Shared::acquire_permit`]), a node's on the node. A closed page is noticed
//! only when a frame cannot be sent, and a silent stream sends none for a while. So when an account has no room, all of
//! its streams send a frame, on every node: those without a reader end, and their places are free at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use verdigraph_core::Error;
use verdigraph_core::ids::UserId;
use verdigraph_core::shared::{self, Permit, Shared};
use verdigraph_core::users::AuthWatch;

/// How long to wait for room after each time the streams were asked to send. The first frame to a closed page makes its
/// host refuse, the second one notices that: they are one round trip apart.
const WAITS_FOR_ROOM: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(600)];
/// Interval between attempts to take a place.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// The streams of a node.
#[derive(Debug)]
pub struct Streams {
    per_account: usize,
    per_node: usize,
    open: AtomicUsize,
}

/// What an open stream should do by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamSignal {
    /// Send a frame, which finds out whether it is still read.
    Heartbeat,
    /// End: the key was revoked, or the session or the account has ended.
    End,
}

/// An open stream of an authenticated caller.
pub struct StreamPermit {
    auth: AuthWatch,
    stream: Stream,
}

impl Stream {
    /// Ties the stream to the caller's session or key.
    #[must_use]
    pub fn of(self, auth: AuthWatch) -> StreamPermit {
        StreamPermit { auth, stream: self }
    }
}

impl StreamPermit {
    /// Waits until the stream should do something by itself. Cancel-safe.
    pub async fn signal(&mut self) -> StreamSignal {
        tokio::select! {
            () = self.auth.ended() => StreamSignal::End,
            () = self.stream.heartbeat_requested() => StreamSignal::Heartbeat,
        }
    }

    /// Waits until the caller's session or key ends. For streams that are never silent. Cancel-safe.
    pub async fn revoked(&mut self) {
        self.auth.ended().await;
    }
}

/// One open stream; dropping it frees its place.
#[derive(Debug)]
pub struct Stream {
    permit: Permit,
    _room: Room,
}

/// A place among the node's streams.
#[derive(Debug)]
struct Room(Arc<Streams>);

impl Stream {
    /// Resolves when the stream should send a frame, which finds out whether it is still read.
    pub async fn heartbeat_requested(&mut self) {
        self.permit.requested().await;
    }
}

impl Streams {
    /// Starts with none open.
    #[must_use]
    pub fn new(per_account: usize, per_node: usize) -> Self {
        Self { per_account, per_node, open: AtomicUsize::new(0) }
    }

    /// Opens a stream, if need be after unread streams of the account have ended.
    ///
    /// # Errors
    /// [`Error::RateLimited`] where the account has too many, [`Error::Unavailable`] where the node has.
    pub async fn open(self: &Arc<Self>, shared: &dyn Shared, user: UserId) -> Result<Stream, Error> {
        let key = format!("streams:{user}");
        for patience in WAITS_FOR_ROOM {
            match self.take(shared, &key).await {
                Err(Error::RateLimited { .. }) => shared::request_permit(shared, &key).await,
                answer => return answer,
            }
            let until = Instant::now() + patience;
            while Instant::now() < until {
                tokio::time::sleep(RETRY_INTERVAL).await;
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
        let permit = shared.acquire_permit(key, self.per_account).await;
        let permit = permit.ok_or(Error::RateLimited { retry_after_seconds: 10 })?;
        Ok(Stream { permit, _room: room })
    }

    fn room(self: &Arc<Self>) -> Result<Room, Error> {
        let one_more = |open: usize| (open < self.per_node).then_some(open + 1);
        match self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more) {
            Ok(_) => Ok(Room(Arc::clone(self))),
            Err(_) => Err(Error::Unavailable { message: "too many live streams".to_owned(), retry_after_seconds: 10 }),
        }
    }

    /// Open streams.
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
    async fn closed_stream_frees_its_place() {
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
    async fn unread_streams_make_room_for_a_new_one_on_any_node() {
        let shared = Local::new(Clock::System);
        let (streams, other) = (Arc::new(Streams::new(1, 9)), Arc::new(Streams::new(1, 9)));
        let ann = UserId::new();
        let mut left = streams.open(&shared, ann).await.expect("room");
        // As the server treats a stream whose second frame cannot be sent.
        actix_web::rt::spawn(async move {
            left.heartbeat_requested().await;
            left.heartbeat_requested().await;
            drop(left);
        });
        let _next = other.open(&shared, ann).await.expect("the room of a page that was left");
        assert_eq!((streams.count(), other.count()), (0, 1));
    }
}
