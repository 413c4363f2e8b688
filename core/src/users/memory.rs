//! Who is signed in, as this node remembers it for a short time.
//!
//! Whatever changes somebody is written down with the change ([`note`]), and every node reads what was written every
//! [`READ_EVERY`]: within that time a revoked key works nowhere. Where nodes have a Redis they hear of it at once.

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
use crate::shared::{Shared, Subscription};
use crate::supervision::{Part, Supervisor, Watch};
use crate::{Caller, Core};

/// The channel on which nodes tell each other whom to forget.
const CHANNEL: &str = "users";
/// How often is read of whom other nodes have written that they are to be forgotten.
const READ_EVERY: Duration = Duration::from_secs(2);
/// Tokens and people remembered at most.
const TOKENS: usize = 200_000;
const PEOPLE: usize = 100_000;
/// People whom a stream may be behind with hearing of; past them it looks for itself.
const UNHEARD: usize = 1_024;

/// A person with the proof that they are here.
#[derive(Debug)]
pub struct SignedIn {
    pub user: Arc<User>,
    pub caller: Caller,
    /// When the session ends unless it is used; `None` for API keys.
    pub expires_at: Option<DateTime<Utc>>,
    /// When the last use of an API key was written down, in seconds since 1970.
    noted_at: AtomicI64,
}

/// What a node keeps in its memory of people. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Memory {
    by_token: Cache<TokenHash, Arc<SignedIn>>,
    by_id: Cache<UserId, Arc<User>>,
    /// Counts what was forgotten: an answer that was read before is not remembered after.
    generation: Arc<AtomicU64>,
    /// Tells streams of whom something was forgotten.
    forgotten: broadcast::Sender<UserId>,
    pub(super) hasher: Hasher,
    pub(super) providers: Providers,
}

impl SignedIn {
    pub(super) fn new(user: Arc<User>, caller: Caller, expires_at: Option<DateTime<Utc>>) -> Self {
        Self { user, caller, expires_at, noted_at: AtomicI64::new(0) }
    }

    /// Whether this use of an API key should be written down: one in a minute is enough.
    pub(super) fn is_to_be_noted(&self, now: DateTime<Utc>) -> bool {
        let (now, noted) = (now.timestamp(), self.noted_at.load(Ordering::Relaxed));
        now - noted >= 60 && self.noted_at.compare_exchange(noted, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(super) fn api_key(&self) -> Option<ApiKeyId> {
        match self.caller.via {
            crate::caller::Via::ApiKey(id) => Some(id),
            _ => None,
        }
    }
}

impl Memory {
    /// An empty memory.
    ///
    /// # Errors
    /// Where the TLS set-up of the machine cannot be read.
    pub fn new(settings: &Settings) -> crate::Result<Self> {
        let lives = Duration::from_secs(settings.sessions.cache_seconds);
        Ok(Self {
            by_token: Cache::of(TOKENS).living(lives),
            by_id: Cache::of(PEOPLE).living(lives),
            generation: Arc::default(),
            forgotten: broadcast::Sender::new(UNHEARD),
            hasher: Hasher::new(settings.sign_in.hashes_at_once),
            providers: Providers::new(settings)?,
        })
    }

    /// Forgets, on the current arbiter, whom other nodes say to forget, until nobody can say any more.
    pub fn keep_listening(&self, shared: &Arc<dyn Shared>, supervisor: &Supervisor) {
        // What is told before the loop runs for the first time is heard too.
        let mut first = Some(shared.subscribe(CHANNEL));
        let (memory, shared) = (self.clone(), Arc::clone(shared));
        supervisor.keep(Part::Memory, move |watch| {
            let changes = first.take().unwrap_or_else(|| {
                // What was told while it was down is not known.
                memory.forget_all();
                shared.subscribe(CHANNEL)
            });
            memory.clone().listen(changes, watch)
        });
    }

    async fn listen(self, mut changes: Subscription, watch: Watch) {
        while let Some(message) = changes.next().await {
            watch.at("message");
            if let Some(user) = std::str::from_utf8(&message).ok().and_then(|text| text.parse().ok()) {
                self.forget(user);
            }
        }
    }

    /// Forgets, on the current arbiter, of whom it was written that all nodes are to forget them.
    pub fn keep_reading(&self, db: &PgPool, supervisor: &Supervisor) {
        let (memory, db) = (self.clone(), db.clone());
        supervisor.keep(Part::Memory, move |watch| {
            let (memory, db) = (memory.clone(), db.clone());
            async move {
                let mut reading = tokio::time::interval(READ_EVERY);
                reading.set_missed_tick_behavior(MissedTickBehavior::Delay);
                let mut read = Read::default();
                loop {
                    reading.tick().await;
                    watch.at("revocations");
                    memory.read(&db, &mut read).await;
                }
            }
        });
    }

    /// Forgets of whom it was written since the last time.
    async fn read(&self, db: &PgPool, read: &mut Read) {
        let news = match revocations::since(db, read.next).await {
            Ok(news) => news,
            Err(error) if read.fails => return tracing::debug!(%error, "revocations cannot be read"),
            Err(error) => {
                tracing::warn!(%error, "revocations cannot be read: this node may let in whom others do not any more");
                read.fails = true;
                return;
            }
        };
        if news.next < read.next {
            tracing::warn!("the database is an earlier one: this node forgets everybody");
            self.forget_all();
        }
        for (_, user) in news.rows.iter().filter(|(row, _)| !read.rows.contains(row)) {
            self.forget(*user);
        }
        *read = Read { rows: news.rows.into_iter().map(|(row, _)| row).collect(), next: news.next, fails: false };
    }

    /// Of whom something is forgotten from now on.
    pub(super) fn forgotten(&self) -> broadcast::Receiver<UserId> {
        self.forgotten.subscribe()
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(super) fn signed_in(&self, token: &TokenHash, now: DateTime<Utc>) -> Option<Arc<SignedIn>> {
        self.by_token.get(token).filter(|known| known.expires_at.is_none_or(|ends_at| ends_at > now))
    }

    /// Remembers what was read when the memory had this generation, unless something was forgotten since.
    pub(super) fn remember(&self, token: TokenHash, signed_in: &Arc<SignedIn>, generation: u64) {
        self.by_token.insert(token, Arc::clone(signed_in));
        if self.generation() != generation {
            self.by_token.remove(&token);
        }
    }

    pub(super) fn user(&self, id: UserId) -> Option<Arc<User>> {
        self.by_id.get(&id)
    }

    /// As [`Memory::remember`].
    pub(super) fn remember_user(&self, user: &Arc<User>, generation: u64) {
        self.by_id.insert(user.id, Arc::clone(user));
        if self.generation() != generation {
            self.by_id.remove(&user.id);
        }
    }

    /// Forgets everybody.
    pub(super) fn forget_all(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.by_token.clear();
        self.by_id.clear();
    }

    fn forget(&self, user: UserId) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.by_id.remove(&user);
        self.by_token.retain(|known| known.user.id != user);
        // Nobody listens where no stream is open.
        drop(self.forgotten.send(user));
    }
}

/// What was read of revocations so far.
#[derive(Debug, Default)]
struct Read {
    /// The rows of the last time, which may come again.
    rows: HashSet<i64>,
    /// The oldest transaction whose rows may be new.
    next: i64,
    fails: bool,
}

/// Writes down, within the transaction that changes somebody, that every node is to forget what it remembers of them.
pub(super) async fn note(tx: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    revocations::insert(tx, user).await
}

/// Deletes what was written of revocations that every node has read; tells how many.
///
/// # Errors
/// Database errors.
pub async fn forget_revocations(core: &Core) -> crate::Result<u64> {
    Ok(revocations::delete_old(&core.db).await?)
}

/// Makes every node that hears it forget at once what it remembers of this person; the others read it ([`note`]).
pub(super) async fn forget(core: &Core, user: UserId) {
    core.users.forget(user);
    core.shared.publish(CHANNEL, Bytes::from(user.to_string())).await;
}
