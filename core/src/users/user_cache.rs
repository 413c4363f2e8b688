//! Short-lived cache of users and their tokens on each node.
//!
//! Each change of a user also writes a revocation ([`record_revocation`]). Every node polls them every
//! [`POLL_INTERVAL`]: within that time a revoked key stops working everywhere. Nodes with Redis are notified at once.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use tokio::sync::broadcast;
use tokio::time::MissedTickBehavior;

use super::providers::Providers;
use super::secrets::password::Hasher;
use super::secrets::tokens::TokenHash;
use super::store::revocations;
use super::user::User;
use crate::cache::Cache;
use crate::ids::{ApiKeyId, UserId};
use crate::settings::Settings;
use crate::shared::{ChannelSubscription, Shared};
use crate::supervision::{Part, Supervisor, Watch};
use crate::{Caller, Core};

/// The channel for invalidations between nodes.
const CHANNEL: &str = "users";
/// How often each node polls the revocations of other nodes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of cached tokens and users.
const TOKENS: usize = 200_000;
const PEOPLE: usize = 100_000;
/// Invalidations that a stream may lag behind; beyond that it checks its credentials itself.
const STREAM_BUFFER: usize = 1_024;

/// A user and the caller that their credentials give.
#[derive(Debug)]
pub struct AuthenticatedUser {
    pub user: Arc<User>,
    pub caller: Caller,
    /// When the session ends unless it is used; `None` for API keys.
    pub expires_at: Option<DateTime<Utc>>,
    /// When the last use of an API key was recorded, in Unix seconds.
    use_recorded_at: AtomicI64,
}

/// Cached users and tokens, and the clients for signing in. Cheap to clone.
#[derive(Debug, Clone)]
pub struct UserCache {
    by_token: Cache<TokenHash, Arc<AuthenticatedUser>>,
    by_id: Cache<UserId, Arc<User>>,
    /// Incremented by each invalidation. A row that was read before one must not be cached after it.
    generation: Arc<AtomicU64>,
    /// Notifies streams of invalidated users.
    invalidations: broadcast::Sender<UserId>,
    pub(super) hasher: Hasher,
    pub(super) providers: Providers,
}

impl AuthenticatedUser {
    pub(super) fn new(user: Arc<User>, caller: Caller, expires_at: Option<DateTime<Utc>>) -> Self {
        Self { user, caller, expires_at, use_recorded_at: AtomicI64::new(0) }
    }

    /// Whether to record this use of an API key: at most once a minute.
    pub(super) fn should_record_use(&self, now: DateTime<Utc>) -> bool {
        let (now, recorded) = (now.timestamp(), self.use_recorded_at.load(Ordering::Relaxed));
        now - recorded >= 60
            && self.use_recorded_at.compare_exchange(recorded, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(super) fn api_key(&self) -> Option<ApiKeyId> {
        match self.caller.auth_method {
            crate::caller::AuthMethod::ApiKey(id) => Some(id),
            _ => None,
        }
    }
}

impl UserCache {
    /// # Errors
    /// If the TLS configuration of the machine cannot be read.
    pub fn new(settings: &Settings) -> crate::Result<Self> {
        let lives = Duration::from_secs(settings.sessions.cache_seconds);
        Ok(Self {
            by_token: Cache::with_capacity(TOKENS).with_lifetime(lives),
            by_id: Cache::with_capacity(PEOPLE).with_lifetime(lives),
            generation: Arc::default(),
            invalidations: broadcast::Sender::new(STREAM_BUFFER),
            hasher: Hasher::new(settings.sign_in.hashes_at_once),
            providers: Providers::new(settings)?,
        })
    }

    /// Applies invalidations from other nodes, on the current arbiter, until the channel is closed.
    pub fn start_listening(&self, shared: &Arc<dyn Shared>, supervisor: &Supervisor) {
        // Subscribed before the loop starts, so that no message is missed.
        let mut first = Some(shared.subscribe(CHANNEL));
        let (cache, shared) = (self.clone(), Arc::clone(shared));
        supervisor.keep(Part::Memory, move |watch| {
            let changes = first.take().unwrap_or_else(|| {
                // Messages during the downtime are lost.
                cache.clear();
                shared.subscribe(CHANNEL)
            });
            cache.clone().listen(changes, watch)
        });
    }

    async fn listen(self, mut changes: ChannelSubscription, watch: Watch) {
        while let Some(message) = changes.next().await {
            watch.at("message");
            if let Some(user) = std::str::from_utf8(&message).ok().and_then(|text| text.parse().ok()) {
                self.remove(user);
            }
        }
    }

    /// Polls the revocations of other nodes, on the current arbiter.
    pub fn start_polling(&self, db: &PgPool, supervisor: &Supervisor) {
        let (cache, db) = (self.clone(), db.clone());
        supervisor.keep(Part::Memory, move |watch| {
            let (cache, db) = (cache.clone(), db.clone());
            async move {
                let mut interval = tokio::time::interval(POLL_INTERVAL);
                interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
                let mut state = PollState::default();
                loop {
                    interval.tick().await;
                    watch.at("revocations");
                    cache.poll(&db, &mut state).await;
                }
            }
        });
    }

    /// Applies revocations since the last poll.
    async fn poll(&self, db: &PgPool, state: &mut PollState) {
        let polled = match revocations::since(db, state.next).await {
            Ok(polled) => polled,
            Err(error) if state.fails => return tracing::debug!(%error, "cannot read revocations"),
            Err(error) => {
                tracing::warn!(%error, "cannot read revocations; this node may still accept revoked credentials");
                state.fails = true;
                return;
            }
        };
        if polled.next < state.next {
            tracing::warn!("the database was restored to an earlier state; clearing the user cache");
            self.clear();
        }
        for (_, user) in polled.rows.iter().filter(|(row, _)| !state.rows.contains(row)) {
            self.remove(*user);
        }
        *state =
            PollState { rows: polled.rows.into_iter().map(|(row, _)| row).collect(), next: polled.next, fails: false };
    }

    /// Users that are invalidated from now on.
    pub(super) fn invalidations(&self) -> broadcast::Receiver<UserId> {
        self.invalidations.subscribe()
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn by_token(&self, token: &TokenHash, now: DateTime<Utc>) -> Option<Arc<AuthenticatedUser>> {
        self.by_token.get(token).filter(|known| known.expires_at.is_none_or(|ends_at| ends_at > now))
    }

    /// Caches what was read at this generation, unless there was an invalidation since.
    pub(super) fn insert_token(&self, token: TokenHash, signed_in: &Arc<AuthenticatedUser>, generation: u64) {
        self.by_token.insert(token, Arc::clone(signed_in));
        if self.generation() != generation {
            self.by_token.remove(&token);
        }
    }

    pub(super) fn by_id(&self, id: UserId) -> Option<Arc<User>> {
        self.by_id.get(&id)
    }

    /// As [`UserCache::insert_token`].
    pub(super) fn insert_user(&self, user: &Arc<User>, generation: u64) {
        self.by_id.insert(user.id, Arc::clone(user));
        if self.generation() != generation {
            self.by_id.remove(&user.id);
        }
    }

    pub(super) fn clear(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.by_token.clear();
        self.by_id.clear();
    }

    fn remove(&self, user: UserId) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.by_id.remove(&user);
        self.by_token.retain(|known| known.user.id != user);
        // Fails if no stream is open.
        drop(self.invalidations.send(user));
    }
}

/// The progress of the polls.
#[derive(Debug, Default)]
struct PollState {
    /// Rows of the last poll, which may be returned again.
    rows: HashSet<i64>,
    /// The oldest transaction with possibly new rows.
    next: i64,
    fails: bool,
}

/// Records that every node must invalidate this user, in the transaction that changes the user.
pub(super) async fn record_revocation(tx: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    revocations::insert(tx, user).await
}

/// Deletes revocations that every node has read, and returns their number.
pub async fn delete_old_revocations(core: &Core) -> crate::Result<u64> {
    Ok(revocations::delete_old(&core.db).await?)
}

/// Invalidates this user here and on all nodes that receive the message. Other nodes poll the revocation
/// ([`record_revocation`]).
pub(super) async fn invalidate(core: &Core, user: UserId) {
    core.users.remove(user);
    core.shared.publish(CHANNEL, Bytes::from(user.to_string())).await;
}
