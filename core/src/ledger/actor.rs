//! The ledger's live side: one [`Ledger`] for each shard of accounts, and one beside them for rows that move no credits.
//!
//! It stands for the balances of its accounts. It ends with the system. A panic fails the posts of the commit that was
//! under way, with an answer that leaves open whether they were committed; those that had gathered behind it go on, and
//! the balances are read from their rows again (`supervision`).
//!
//! While one commit is under way, posts gather; when it is done, all that have gathered go out as the next one. So a
//! lone post waits for nobody, and under load one transaction carries hundreds.

use std::sync::Arc;

use actix::fut::{self, ActorFutureExt, WrapFuture};
use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Supervised};
use actix_rt::Arbiter;
use sqlx::PgPool;
use tokio::sync::oneshot;

use super::book::{Book, Waiting};
use super::{Movement, Post, PostError, Posted, metrics};
use crate::cache::Cache;
use crate::ids::UserId;
use crate::supervision::{Part, Supervisor, Watch};
use crate::{Clock, Error, database};

/// Posts in one transaction at most.
const BATCH_LIMIT: usize = 500;
/// Posts that may wait in a shard; beyond it new ones are refused at once.
const WAITING_LIMIT: usize = 20_000;

/// One shard of the ledger.
pub struct Ledger {
    db: PgPool,
    clock: Clock,
    gathered: Vec<Waiting>,
    /// The balances; away while a commit is under way.
    book: Option<Book>,
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
        self.book = Some(Book::default());
        self.flush_scheduled = false;
    }
}

impl Handler<Deliver> for Ledger {
    type Result = ();

    fn handle(&mut self, Deliver(waiting): Deliver, context: &mut Self::Context) {
        self.watch.at("Deliver");
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
    fn new(db: PgPool, clock: Clock, watch: Watch) -> Self {
        Self { db, clock, gathered: Vec::new(), book: Some(Book::default()), flush_scheduled: false, watch }
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
            book.commit(&db, &clock, batch).await;
            watch.at("committed");
            book
        };
        context.spawn(commit.into_actor(self).map(|book, shard, context| {
            shard.book = Some(book);
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
    /// Plan and month of the last allowance, so that a submit asks nobody.
    allowed: Cache<UserId, (String, i32)>,
}

impl LedgerHandle {
    /// Starts `shards` shards, on a thread of their own so that they wait for nobody's other work. They commit through
    /// pools like `pool`.
    pub fn start(shards: usize, clock: &Clock, pool: &PgPool, supervisor: &Supervisor) -> Self {
        metrics::begin();
        let thread = Arbiter::new();
        let open = |pool: PgPool| {
            let clock = clock.clone();
            supervisor.start_in(Part::Ledger, &thread.handle(), move |watch| Ledger::new(pool, clock, watch))
        };
        let shards = (0..shards.max(1)).map(|_| open(database::keyed_shard(pool))).collect();
        Self { shards, aside: open(database::relaxed_shard(pool)), allowed: Cache::of(200_000) }
    }

    /// Commits a post, and answers when it is durable.
    ///
    /// # Errors
    /// See [`PostError`]. A future that is dropped takes the post back only where its commit has not begun.
    pub async fn post(&self, post: Post) -> Result<Posted, PostError> {
        let (answer, outcome) = oneshot::channel();
        let shard = match post.movement {
            Movement::None => &self.aside,
            _ => self.shard(post.account).ok_or_else(|| PostError::Failed(busy()))?,
        };
        shard.try_send(Deliver(Waiting { post, answer })).map_err(|_| PostError::Failed(busy()))?;
        outcome.await.unwrap_or_else(|_| Err(PostError::Failed(unanswered())))
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
