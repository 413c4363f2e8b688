//! Few places for many comers: how much somebody may have open at once, on all nodes together.
//!
//! Each node knows who holds places here, and Redis who holds them anywhere, for a lease that the node renews: what a
//! node held that is gone is free when the lease ends. Places are given back, and leases renewed, by one task, so that
//! neither overtakes the other.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool_redis::redis::{self, Script};
use tokio::sync::{mpsc, watch};
use uuid::Uuid;

use super::pipe::Pipe;

/// Places that are renewed or given back in one go.
const AT_ONCE: usize = 500;

/// The places that are held on this node.
#[derive(Debug, Default)]
pub(super) struct Places {
    by_key: Mutex<HashMap<String, Holders>>,
    /// Who else is to hear that one was given back.
    given_back: Option<mpsc::UnboundedSender<Held>>,
}

/// Who holds the places of a key.
#[derive(Debug, Default)]
struct Holders {
    held: HashSet<Uuid>,
    /// How often somebody found none.
    wanted: watch::Sender<u32>,
}

/// A place by name.
type Held = (String, Uuid);

/// One place; dropping it makes room for another.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    key: String,
    id: Uuid,
    wanted: watch::Receiver<u32>,
}

impl Place {
    /// Resolves when somebody on any node has found no place and asked those who hold one whether they need it.
    pub async fn wanted(&mut self) {
        if self.wanted.changed().await.is_err() {
            // Nobody is left who could ask.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut by_key = self.places.by_key();
        if let Some(holders) = by_key.get_mut(&self.key) {
            holders.held.remove(&self.id);
            if holders.held.is_empty() {
                by_key.remove(&self.key);
            }
        }
        drop(by_key);
        if let Some(given_back) = &self.places.given_back {
            // Nobody listens where the node is about to end; the lease ends as well.
            drop(given_back.send((std::mem::take(&mut self.key), self.id)));
        }
    }
}

impl Places {
    /// Takes one, unless as many are held on this node.
    pub fn take(self: &Arc<Self>, key: &str, most: usize) -> Option<Place> {
        let mut by_key = self.by_key();
        if by_key.get(key).map_or(0, |holders| holders.held.len()) >= most {
            return None;
        }
        let (id, holders) = (Uuid::now_v7(), by_key.entry(key.to_owned()).or_default());
        holders.held.insert(id);
        Some(Place { places: Arc::clone(self), key: key.to_owned(), id, wanted: holders.wanted.subscribe() })
    }

    /// Tells those who hold places of this key on this node that somebody wants one.
    pub fn want(&self, key: &str) {
        if let Some(holders) = self.by_key().get(key) {
            holders.wanted.send_modify(|times| *times = times.wrapping_add(1));
        }
    }

    fn held(&self) -> Vec<Held> {
        let by_key = self.by_key();
        by_key.iter().flat_map(|(key, holders)| holders.held.iter().map(|id| (key.clone(), *id))).collect()
    }

    fn by_key(&self) -> MutexGuard<'_, HashMap<String, Holders>> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The places of all nodes: for each key a sorted set, of each place when its lease ends.
#[derive(Debug)]
pub(super) struct Leases {
    take: Script,
    prefix: String,
    lease: Duration,
}

impl Leases {
    /// With the places of this node, and what is given back of them, for [`Leases::keep`].
    pub fn new(prefix: &str, lease: Duration) -> (Self, Arc<Places>, mpsc::UnboundedReceiver<Held>) {
        let take = Script::new(
            "local time = redis.call('TIME')
             local now = time[1] * 1000 + math.floor(time[2] / 1000)
             redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
             if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
             redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
             redis.call('PEXPIRE', KEYS[1], ARGV[3])
             return 1",
        );
        let (tell, given_back) = mpsc::unbounded_channel();
        let places = Arc::new(Places { by_key: Mutex::default(), given_back: Some(tell) });
        (Self { take, prefix: format!("{prefix}places:"), lease }, places, given_back)
    }

    /// Whether the place may be kept, as there are fewer than so many on all nodes; `None` where Redis is away.
    pub async fn take(&self, pipe: &Pipe, place: &Place, most: usize) -> Option<bool> {
        let (key, id, lease) = (self.name(&place.key), place.id.to_string(), self.lease_ms());
        pipe.call(|mut line| async move {
            self.take.key(key).arg(id).arg(most).arg(lease).invoke_async::<bool>(&mut line).await
        })
        .await
    }

    /// Renews the leases of this node's places, and gives back those that are held no more.
    pub async fn keep(&self, pipe: &Pipe, places: &Places, given_back: &mut mpsc::UnboundedReceiver<Held>) {
        let mut renewal = tokio::time::interval(self.lease / 3);
        loop {
            let mut gone = Vec::new();
            tokio::select! {
                count = given_back.recv_many(&mut gone, AT_ONCE) => {
                    if count == 0 {
                        return;
                    }
                    self.give_back(pipe, &gone).await;
                }
                _ = renewal.tick() => {
                    for held in places.held().chunks(AT_ONCE) {
                        self.renew(pipe, held).await;
                    }
                }
            }
        }
    }

    async fn give_back(&self, pipe: &Pipe, gone: &[Held]) {
        let mut calls = redis::pipe();
        for (key, id) in gone {
            calls.zrem(self.name(key), id.to_string()).ignore();
        }
        // What Redis does not hear of is free when its lease ends.
        let _heard: Option<()> = pipe.call(|mut line| async move { calls.query_async(&mut line).await }).await;
    }

    async fn renew(&self, pipe: &Pipe, held: &[Held]) {
        let lease = self.lease_ms();
        let _heard: Option<()> = pipe
            .call(|mut line| async move {
                let (seconds, micros): (i64, i64) = redis::cmd("TIME").query_async(&mut line).await?;
                let until = seconds * 1000 + micros / 1000 + lease;
                let mut calls = redis::pipe();
                for (key, id) in held {
                    // Also where it is missing: Redis may have been started anew.
                    let name = self.name(key);
                    calls.zadd(&name, id.to_string(), until).ignore().pexpire(&name, lease).ignore();
                }
                calls.query_async(&mut line).await
            })
            .await;
    }

    fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    fn lease_ms(&self) -> i64 {
        i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX)
    }
}
