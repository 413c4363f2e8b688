//! The ledger's live side: one [`Ledger`] for each shard of accounts, and one beside them for rows that move no credits.
//!
//! It stands for the balances of its accounts. It ends with the system. A panic fails the posts of the commit that was
//! under way, with an answer that leaves open whether they were committed; those that had gathered behind it go on, and
//! the balances are read from their rows again (`supervision`).
//!
//! While one commit is under way, posts gather; when it is done, all that have gathered go out as the next one. So a
//! lone post waits for nobody, and under load one transaction carries hundreds.
//!
//! An account that another node was found to change at the same time leaves its shard for a while, for a lane of its
//! own: there each commit locks its accounts first, so that nodes take turns and nobody is refused for it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::{self, ActorFutureExt, WrapFuture};
use actix::prelude::SendError;
use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Supervised};
use actix_rt::Arbiter;
use sqlx::PgPool;
use tokio::sync::{Notify, oneshot};

use super::book::{Book, Care, Waiting};
use super::{Movement, Post, PostError, Posted, metrics};
use crate::cache::Cache;
use crate::ids::UserId;
use crate::supervision::{Part, Supervisor, Watch};
use crate::{Clock, Error, database};

/// Posts in one transaction at most.
const BATCH_LIMIT: usize = 500;
/// Posts that may wait in a shard; beyond it new ones are refused at once.
const WAITING_LIMIT: usize = 20_000;
/// How long an account is locked before it is read, after another node was last found to change it too.
const CONTENDED_FOR: Duration = Duration::from_secs(10);
/// Contended accounts at which those are forgotten that are not any more.
const MOST_CONTENDED: usize = 10_000;

/// One shard of the ledger.
pub struct Ledger {
    db: PgPool,
    clock: Clock,
    gathered: Vec<Waiting>,
    /// The balances; away while a commit is under way.
    book: Option<Book>,
    /// Where posts go whose accounts another node changes too; none for that lane itself.
    locking: Option<Addr<Self>>,
    /// The accounts that go there, until when.
    contended: HashMap<UserId, Instant>,
    flush_scheduled: bool,
    watch: Watch,
}

/// A post with somebody who waits for its outcome.
#[derive(Message)]
#[rtype(result = "()")]
struct Deliver(Waiting);

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
            return self.pass_on(waiting);
        }
        if self.gathered.len() >= WAITING_LIMIT {
            waiting.answer(Err(PostError::Failed(busy())));
            return;
        }
        self.gathered.push(waiting);
        if self.book.is_some() && !self.flush_scheduled {
            self.flush_scheduled = true;
            // Deferred, so that everything that is in the mailbox now goes into the same transaction.
            context.spawn(fut::ready(()).map(|(), shard: &mut Self, context| shard.flush(context)));
        }
    }
}

impl Ledger {
    /// `locking` is the lane for accounts that several nodes change at once; one without it is such a lane.
    fn new(db: PgPool, clock: Clock, locking: Option<Addr<Self>>, watch: Watch) -> Self {
        let (gathered, contended) = (Vec::new(), HashMap::new());
        let mut shard = Self { db, clock, gathered, book: None, locking, contended, flush_scheduled: false, watch };
        shard.book = Some(shard.empty_book());
        shard
    }

    fn empty_book(&self) -> Book {
        Book::new(if self.locking.is_some() { Care::Notice } else { Care::Lock })
    }

    fn is_contended(&mut self, account: UserId) -> bool {
        let Some(until) = self.contended.get(&account) else { return false };
        let still = *until > Instant::now();
        if !still {
            self.contended.remove(&account);
        }
        still
    }

    /// Has an account go to the lane that locks from now on.
    fn contend(&mut self, account: UserId) {
        let now = Instant::now();
        if self.contended.len() >= MOST_CONTENDED {
            self.contended.retain(|_, until| *until > now);
        }
        if self.contended.insert(account, now + CONTENDED_FOR).is_none() {
            metrics::contended();
        }
    }

    /// Leaves a post to the lane that locks.
    fn pass_on(&self, waiting: Waiting) {
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
                shard.contend(waiting.post.account);
                shard.pass_on(waiting);
            }
            shard.flush(context);
        }));
    }
}

/// The way to the ledger: one address per shard, shared by everybody, so that the mailbox limits hold.
#[derive(Clone)]
pub struct LedgerHandle {
    shards: Arc<[Addr<Ledger>]>,
    /// For posts without a movement: nobody's balance waits for them, nor they for the disk. Where a crash of the
    /// database takes one back, the job's row says what it said before, and its node or a sweep goes on from there.
    aside: Addr<Ledger>,
    /// Rings when rows were committed beside movements.
    written: Arc<Notify>,
    /// Plan and month of the last allowance, so that a submit asks nobody.
    allowed: Cache<UserId, (String, i32)>,
}

impl LedgerHandle {
    /// Starts `shards` shards, on a thread of their own so that they wait for nobody's other work. They commit through
    /// pools like `pool`.
    pub fn start(shards: usize, clock: &Clock, pool: &PgPool, supervisor: &Supervisor) -> Self {
        metrics::begin();
        let thread = Arbiter::new();
        let open = |pool: PgPool, locking: Option<Addr<Ledger>>| {
            let clock = clock.clone();
            supervisor.start_in(Part::Ledger, &thread.handle(), move |watch| Ledger::new(pool, clock, locking, watch))
        };
        let locking = open(database::keyed_shard(pool), None);
        let shards = (0..shards.max(1)).map(|_| open(database::keyed_shard(pool), Some(locking.clone()))).collect();
        let aside = open(database::relaxed_shard(pool), Some(locking));
        Self { shards, aside, written: Arc::default(), allowed: Cache::of(200_000) }
    }

    /// Commits a post, and answers when it is durable.
    ///
    /// # Errors
    /// See [`PostError`]. A future that is dropped takes the post back only where its commit has not begun.
    pub async fn post(&self, post: Post) -> Result<Posted, PostError> {
        let (answer, outcome) = oneshot::channel();
        let brings_rows = post.attached.is_some();
        let shard = match post.movement {
            Movement::None => &self.aside,
            _ => self.shard(post.account).ok_or_else(|| PostError::Failed(busy()))?,
        };
        shard.try_send(Deliver(Waiting { post, answer })).map_err(|_| PostError::Failed(busy()))?;
        let posted = outcome.await.unwrap_or_else(|_| Err(PostError::Failed(unanswered())));
        if brings_rows && posted.is_ok() {
            self.written.notify_one();
        }
        posted
    }

    /// Rings after commits that wrote attached rows.
    #[must_use]
    pub fn written(&self) -> &Notify {
        &self.written
    }

    pub(super) fn was_allowed(&self, account: UserId, plan: &str, month: i32) -> bool {
        self.allowed.get(&account).is_some_and(|(known, of)| known == plan && of == month)
    }

    pub(super) fn note_allowed(&self, account: UserId, plan: &str, month: i32) {
        self.allowed.insert(account, (plan.to_owned(), month));
    }

    /// Accounts are spread over shards by id, so that no two shards ever touch one account.
    fn shard(&self, account: UserId) -> Option<&Addr<Ledger>> {
        let count = u128::try_from(self.shards.len()).unwrap_or(1);
        let index = usize::try_from(account.0.as_u128() % count).unwrap_or(0);
        self.shards.get(index)
    }
}

/// The shard panicked with the post in its hands.
fn unanswered() -> Error {
    let message = "the ledger was interrupted; look whether this was accepted, or send it again with the same \
                   Idempotency-Key";
    Error::Unavailable { message: message.into(), retry_after_seconds: 1 }
}

fn busy() -> Error {
    metrics::refused();
    Error::Unavailable { message: "the ledger is busy; nothing was accepted".into(), retry_after_seconds: 1 }
}
