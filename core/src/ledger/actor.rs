//! The ledger's actors: one [`Ledger`] for each shard of accounts, and one for posts that move no credits.
//!
//! An actor caches the balances of its accounts and lives as long as the process. After a panic the posts of the
//! running commit fail with an error that does not say whether they were committed. Posts that waited for the next
//! commit are kept, and balances are loaded from the database again (`supervision`).
//!
//! Posts that arrive during a commit form the next batch. A single post therefore does not wait, and under load one
//! transaction carries hundreds of posts.
//!
//! If another node changes the same account, the account's posts go to a separate locking lane for a while. There each
//! commit locks its accounts first, so that nodes take turns instead of refusing posts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix::fut::{self, ActorFutureExt, WrapFuture};
use actix::prelude::SendError;
use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Supervised};
use actix_rt::Arbiter;
use sqlx::PgPool;
use tokio::sync::{Notify, oneshot};

use super::book::{Book, LockMode, PendingPost};
use super::{LedgerPost, Movement, PostError, PostReceipt, metrics};
use crate::cache::Cache;
use crate::ids::UserId;
use crate::supervision::{Part, Supervisor, Watch};
use crate::{Clock, Error, database};

/// Maximum number of posts in one transaction.
const BATCH_LIMIT: usize = 500;
/// Posts that may wait in a shard; further posts are refused.
const WAITING_LIMIT: usize = 20_000;
/// Unanswered posts of a node at which its ledger is crowded: more than come together at a moderate load.
pub(super) const CROWDED: usize = 16;
/// How long the ledger counts as crowded after it was. A commit answers many posts at once, and others come at once.
const CROWDED_FOR: Duration = Duration::from_millis(50);
/// How long an account stays in the locking lane after the last conflict with another node.
const CONTENDED_FOR: Duration = Duration::from_secs(10);
/// At this many contended accounts, expired entries are removed.
const MOST_CONTENDED: usize = 10_000;

/// One shard of the ledger.
pub struct Ledger {
    db: PgPool,
    clock: Clock,
    gathered: Vec<PendingPost>,
    /// `None` while a commit runs.
    book: Option<Book>,
    /// The lane for contended accounts; `None` in that lane itself.
    locking: Option<Addr<Self>>,
    /// Contended accounts, and until when they use the locking lane.
    contended: HashMap<UserId, Instant>,
    flush_scheduled: bool,
    watch: Watch,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Deliver(PendingPost);

impl Actor for Ledger {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(WAITING_LIMIT);
        self.flush(context);
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        tracing::info!(posts = self.gathered.len(), "a ledger shard stopped");
    }
}

impl Supervised for Ledger {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.book = Some(self.empty_book());
        self.flush_scheduled = false;
    }
}

impl Handler<Deliver> for Ledger {
    type Result = ();

    fn handle(&mut self, Deliver(waiting): Deliver, context: &mut Self::Context) {
        self.watch.at("Deliver");
        if self.is_contended(waiting.post.account) {
            return self.send_to_locking_lane(waiting);
        }
        if self.gathered.len() >= WAITING_LIMIT {
            waiting.answer(Err(PostError::Failed(busy())));
            return;
        }
        self.gathered.push(waiting);
        if self.book.is_some() && !self.flush_scheduled {
            self.flush_scheduled = true;
            // Deferred, so that all posts in the mailbox join the same transaction.
            context.spawn(fut::ready(()).map(|(), shard: &mut Self, context| shard.flush(context)));
        }
    }
}

impl Ledger {
    /// `locking` is the lane for accounts that several nodes change; the locking lane itself has none.
    fn new(db: PgPool, clock: Clock, locking: Option<Addr<Self>>, watch: Watch) -> Self {
        let (gathered, contended) = (Vec::new(), HashMap::new());
        let mut shard = Self { db, clock, gathered, book: None, locking, contended, flush_scheduled: false, watch };
        shard.book = Some(shard.empty_book());
        shard
    }

    fn empty_book(&self) -> Book {
        Book::new(if self.locking.is_some() { LockMode::Optimistic } else { LockMode::Pessimistic })
    }

    fn is_contended(&mut self, account: UserId) -> bool {
        let Some(until) = self.contended.get(&account) else { return false };
        let still = *until > Instant::now();
        if !still {
            self.contended.remove(&account);
        }
        still
    }

    /// Moves an account to the locking lane.
    fn mark_contended(&mut self, account: UserId) {
        let now = Instant::now();
        if self.contended.len() >= MOST_CONTENDED {
            self.contended.retain(|_, until| *until > now);
        }
        if self.contended.insert(account, now + CONTENDED_FOR).is_none() {
            metrics::contended();
        }
    }

    /// Sends a post to the locking lane.
    fn send_to_locking_lane(&self, waiting: PendingPost) {
        let sent = self.locking.as_ref().map(|locking| locking.try_send(Deliver(waiting)));
        if let Some(Err(SendError::Full(Deliver(waiting)) | SendError::Closed(Deliver(waiting)))) = sent {
            waiting.answer(Err(PostError::Failed(busy())));
        }
    }

    fn flush(&mut self, context: &mut Context<Self>) {
        self.flush_scheduled = false;
        if self.gathered.is_empty() {
            return;
        }
        let Some(mut book) = self.book.take() else { return };
        let rest = self.gathered.split_off(self.gathered.len().min(BATCH_LIMIT));
        let batch = std::mem::replace(&mut self.gathered, rest);
        let (db, clock, watch) = (self.db.clone(), self.clock.clone(), self.watch.clone());
        let commit = async move {
            let _commit = metrics::commit(batch.len());
            watch.at("commit");
            let contended = book.commit(&db, &clock, batch).await;
            watch.at("committed");
            (book, contended)
        };
        context.spawn(commit.into_actor(self).map(|(book, contended), shard, context| {
            shard.book = Some(book);
            for waiting in contended {
                shard.mark_contended(waiting.post.account);
                shard.send_to_locking_lane(waiting);
            }
            shard.flush(context);
        }));
    }
}

/// Addresses of the shards, shared by all threads so that the mailbox limits hold.
#[derive(Clone)]
pub struct LedgerHandle {
    shards: Arc<[Addr<Ledger>]>,
    /// For posts without a movement. They wait neither for balances nor for the disk: if a database crash undoes one,
    /// the job's row has its previous state, and the job's node or a sweep continues from there.
    rows_only: Addr<Ledger>,
    /// Notified after commits that wrote attached rows.
    written: Arc<Notify>,
    load: Arc<Load>,
    /// Plan and month of each account's last allowance; saves a query per submit.
    allowed: Cache<UserId, (String, i32)>,
}

impl LedgerHandle {
    /// Starts `shards` shards on a thread of their own, with connection pools like `pool`.
    pub fn start(shards: usize, clock: &Clock, pool: &PgPool, supervisor: &Supervisor) -> Self {
        metrics::begin();
        let thread = Arbiter::new();
        let open = |pool: PgPool, locking: Option<Addr<Ledger>>| {
            let clock = clock.clone();
            supervisor.start_in(Part::Ledger, &thread.handle(), move |watch| Ledger::new(pool, clock, locking, watch))
        };
        let locking = open(database::keyed_shard(pool), None);
        let shards = (0..shards.max(1)).map(|_| open(database::keyed_shard(pool), Some(locking.clone()))).collect();
        let rows_only = open(database::relaxed_shard(pool), Some(locking));
        let (written, load) = (Arc::default(), Arc::default());
        Self { shards, rows_only, written, load, allowed: Cache::with_capacity(200_000) }
    }

    /// Commits a post and returns when it is durable.
    ///
    /// # Errors
    /// See [`PostError`]. Dropping the future withdraws the post only if its commit has not begun.
    pub async fn post(&self, post: LedgerPost) -> Result<PostReceipt, PostError> {
        let (answer, outcome) = oneshot::channel();
        let _counted = self.load.count();
        let brings_rows = post.attached.is_some();
        let shard = match post.movement {
            Movement::None => &self.rows_only,
            _ => self.shard(post.account).ok_or_else(|| PostError::Failed(busy()))?,
        };
        shard.try_send(Deliver(PendingPost { post, answer })).map_err(|_| PostError::Failed(busy()))?;
        let posted = outcome.await.unwrap_or_else(|_| Err(PostError::Failed(unanswered())));
        if brings_rows && posted.is_ok() {
            self.written.notify_one();
        }
        posted
    }

    /// Whether so many posts wait for their commits that work which can wait should give way to them.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        let crowded_at = *self.load.crowded_at.lock().unwrap_or_else(PoisonError::into_inner);
        self.load.unanswered.load(Ordering::Relaxed) >= CROWDED
            || crowded_at.is_some_and(|at| at.elapsed() < CROWDED_FOR)
    }

    /// Notified after commits that wrote attached rows.
    #[must_use]
    pub fn rows_written(&self) -> &Notify {
        &self.written
    }

    pub(super) fn has_allowance(&self, account: UserId, plan: &str, month: i32) -> bool {
        self.allowed.get(&account).is_some_and(|(known, of)| known == plan && of == month)
    }

    pub(super) fn remember_allowance(&self, account: UserId, plan: &str, month: i32) {
        self.allowed.insert(account, (plan.to_owned(), month));
    }

    /// Selects the shard by account id, so that one account always has the same shard.
    fn shard(&self, account: UserId) -> Option<&Addr<Ledger>> {
        let count = u128::try_from(self.shards.len()).unwrap_or(1);
        let index = usize::try_from(account.0.as_u128() % count).unwrap_or(0);
        self.shards.get(index)
    }
}

/// The posts of this node that are not answered yet.
#[derive(Default)]
struct Load {
    unanswered: AtomicUsize,
    /// When there were last so many that the ledger was crowded.
    crowded_at: Mutex<Option<Instant>>,
}

impl Load {
    /// Counts a post until it is answered or withdrawn.
    fn count(&self) -> CountedPost<'_> {
        if self.unanswered.fetch_add(1, Ordering::Relaxed) + 1 >= CROWDED {
            *self.crowded_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        CountedPost(self)
    }
}

struct CountedPost<'a>(&'a Load);

impl Drop for CountedPost<'_> {
    fn drop(&mut self) {
        self.0.unanswered.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The error after a panic of the shard that held the post.
fn unanswered() -> Error {
    let message = "the ledger was interrupted; look whether this was accepted, or send it again with the same \
                   Idempotency-Key";
    Error::Unavailable { message: message.into(), retry_after_seconds: 1 }
}

fn busy() -> Error {
    metrics::refused();
    Error::Unavailable { message: "the ledger is busy; nothing was accepted".into(), retry_after_seconds: 1 }
}
