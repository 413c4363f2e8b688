//! A limited number of permits per key, shared by all nodes.
//!
//! Each node knows its own permits. Redis knows all permits, with leases that their nodes renew, so that permits of a
//! dead node expire. One task releases permits and renews leases, so that a renewal cannot undo a release.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool_redis::redis::{self, Script};
use tokio::sync::{mpsc, watch};
use uuid::Uuid;

use super::connections::RedisConnections;

/// Permits renewed or released in one call.
const AT_ONCE: usize = 500;

#[derive(Debug, Default)]
pub(super) struct LocalPermits {
    by_key: Mutex<HashMap<String, PermitHolders>>,
    /// Receives permits to release in Redis.
    released: Option<mpsc::UnboundedSender<HeldPermit>>,
}

#[derive(Debug, Default)]
struct PermitHolders {
    held: HashSet<Uuid>,
    /// Incremented when a permit is requested in vain.
    wanted: watch::Sender<u32>,
}

/// Key and id of a permit.
type HeldPermit = (String, Uuid);

/// A permit; `Drop` releases it.
#[derive(Debug)]
pub struct Permit {
    permits: Arc<LocalPermits>,
    key: String,
    id: Uuid,
    wanted: watch::Receiver<u32>,
}

impl Permit {
    /// Resolves when a caller on any node found no permit and asks holders to check theirs.
    pub async fn requested(&mut self) {
        if self.wanted.changed().await.is_err() {
            // There are no senders left.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut by_key = self.permits.by_key();
        if let Some(holders) = by_key.get_mut(&self.key) {
            holders.held.remove(&self.id);
            if holders.held.is_empty() {
                by_key.remove(&self.key);
            }
        }
        drop(by_key);
        if let Some(released) = &self.permits.released {
            // Without a receiver the node is about to stop, and the lease expires.
            drop(released.send((std::mem::take(&mut self.key), self.id)));
        }
    }
}

impl LocalPermits {
    /// Acquires a permit unless this node already holds `most`.
    pub fn take(self: &Arc<Self>, key: &str, most: usize) -> Option<Permit> {
        let mut by_key = self.by_key();
        if by_key.get(key).map_or(0, |holders| holders.held.len()) >= most {
            return None;
        }
        let (id, holders) = (Uuid::now_v7(), by_key.entry(key.to_owned()).or_default());
        holders.held.insert(id);
        Some(Permit { permits: Arc::clone(self), key: key.to_owned(), id, wanted: holders.wanted.subscribe() })
    }

    /// Notifies this node's holders of the key's permits.
    pub fn request(&self, key: &str) {
        if let Some(holders) = self.by_key().get(key) {
            holders.wanted.send_modify(|times| *times = times.wrapping_add(1));
        }
    }

    fn held(&self) -> Vec<HeldPermit> {
        let by_key = self.by_key();
        by_key.iter().flat_map(|(key, holders)| holders.held.iter().map(|id| (key.clone(), *id))).collect()
    }

    fn by_key(&self) -> MutexGuard<'_, HashMap<String, PermitHolders>> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The permits of all nodes: a sorted set per key, scored by the end of the lease.
#[derive(Debug)]
pub(super) struct PermitLeases {
    take: Script,
    prefix: String,
    lease: Duration,
}

impl PermitLeases {
    /// Also returns this node's permits and the receiver of released ones, for [`PermitLeases::keep`].
    pub fn new(prefix: &str, lease: Duration) -> (Self, Arc<LocalPermits>, mpsc::UnboundedReceiver<HeldPermit>) {
        let take = Script::new(
            "local time = redis.call('TIME')
             local now = time[1] * 1000 + math.floor(time[2] / 1000)
             redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
             if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
             redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
             redis.call('PEXPIRE', KEYS[1], ARGV[3])
             return 1",
        );
        let (tell, released) = mpsc::unbounded_channel();
        let permits = Arc::new(LocalPermits { by_key: Mutex::default(), released: Some(tell) });
        (Self { take, prefix: format!("{prefix}places:"), lease }, permits, released)
    }

    /// Whether fewer than `most` permits are held on all nodes, so that this one is valid; `None` without Redis.
    pub async fn take(&self, pipe: &RedisConnections, permit: &Permit, most: usize) -> Option<bool> {
        let (key, id, lease) = (self.name(&permit.key), permit.id.to_string(), self.lease_ms());
        pipe.call(|mut connection| async move {
            self.take.key(key).arg(id).arg(most).arg(lease).invoke_async::<bool>(&mut connection).await
        })
        .await
    }

    /// Renews the leases of this node's permits, and releases dropped ones.
    pub async fn keep(
        &self,
        pipe: &RedisConnections,
        permits: &LocalPermits,
        released: &mut mpsc::UnboundedReceiver<HeldPermit>,
    ) {
        let mut renewal = tokio::time::interval(self.lease / 3);
        loop {
            let mut gone = Vec::new();
            tokio::select! {
                count = released.recv_many(&mut gone, AT_ONCE) => {
                    if count == 0 {
                        return;
                    }
                    self.release(pipe, &gone).await;
                }
                _ = renewal.tick() => {
                    for held in permits.held().chunks(AT_ONCE) {
                        self.renew(pipe, held).await;
                    }
                }
            }
        }
    }

    async fn release(&self, pipe: &RedisConnections, gone: &[HeldPermit]) {
        let mut calls = redis::pipe();
        for (key, id) in gone {
            calls.zrem(self.name(key), id.to_string()).ignore();
        }
        // A lost release expires with its lease.
        let _heard: Option<()> =
            pipe.call(|mut connection| async move { calls.query_async(&mut connection).await }).await;
    }

    async fn renew(&self, pipe: &RedisConnections, held: &[HeldPermit]) {
        let lease = self.lease_ms();
        let _heard: Option<()> = pipe
            .call(|mut connection| async move {
                let (seconds, micros): (i64, i64) = redis::cmd("TIME").query_async(&mut connection).await?;
                let until = seconds * 1000 + micros / 1000 + lease;
                let mut calls = redis::pipe();
                for (key, id) in held {
                    // Also if it is missing: Redis may have restarted without data.
                    let name = self.name(key);
                    calls.zadd(&name, id.to_string(), until).ignore().pexpire(&name, lease).ignore();
                }
                calls.query_async(&mut connection).await
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
