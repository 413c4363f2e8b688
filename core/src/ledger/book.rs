//! The balances that a shard remembers, and how a batch of posts is decided and committed.
//!
//! Decided from memory, proved by the commit: every account is written only where it still is as the batch found it.
//! Where another node was first, its posts leave the batch for the lane in which accounts are locked before they are
//! read, so that they wait for their turn, and their neighbours for nobody. A row that the database refuses never fails
//! its neighbours either: the batch is split until the row stands alone. Where a commit's outcome is unknown, its own
//! row is looked for before anybody is answered.

use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::decide::{Decided, Fixed, decide, denied};
use super::state::{Account, Hold, HoldState};
use super::store::{self, Applied, Changes};
use super::{AttachedOutcome, AttachedWriter, Movement, Post, PostError, Posted, metrics};
use crate::ids::{JobId, UserId};
use crate::{Clock, Error, database};

/// Accounts kept in memory; beyond it all are forgotten, and loaded again when they are touched.
const REMEMBERED_ACCOUNTS: usize = 50_000;
/// Open holds kept in memory; beyond it all are forgotten, and loaded again when they are touched.
const REMEMBERED_HOLDS: usize = 200_000;
/// How often a batch is decided again before its posts are given up.
const ATTEMPTS: u32 = 8;

/// A post and who waits for it.
pub(super) struct Waiting {
    pub post: Post,
    pub answer: oneshot::Sender<Result<Posted, PostError>>,
}

impl Waiting {
    /// Whether nobody waits for the outcome any more.
    fn is_abandoned(&self) -> bool {
        self.answer.is_closed()
    }

    pub fn answer(self, outcome: Result<Posted, PostError>) {
        // The client may be gone; what was committed stays committed.
        drop(self.answer.send(outcome));
    }
}

/// How a book keeps two nodes from changing one account at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// It decides from memory, and finds out when it writes: for accounts that are used through one node.
    Notice,
    /// It locks each account before it reads it, and remembers none: for those that are used through several.
    Lock,
}

/// What a shard remembers of its accounts.
pub(super) struct Book {
    care: Care,
    accounts: HashMap<UserId, Account>,
    /// Open holds of jobs. Where another node has changed one since, the commit finds out as it does for accounts.
    holds: HashMap<JobId, Hold>,
}

/// Why a batch was not committed as a whole.
enum Trouble {
    /// Somebody else changed what the batch had read: these accounts; none are named where it is not known which.
    Conflict(Vec<UserId>),
    /// The database refused some row.
    Data(sqlx::Error),
    /// The connection broke before the commit was sent: nothing happened.
    Broken(sqlx::Error),
    /// The connection broke while the commit was under way.
    Unknown(Uuid, Box<Decided>),
}

impl Book {
    /// One that remembers nothing yet.
    pub fn new(care: Care) -> Self {
        Self { care, accounts: HashMap::new(), holds: HashMap::new() }
    }

    /// Commits a batch and answers everybody in it, but for the posts that it returns: those are about accounts that
    /// another node changes as well, and are for a book that locks.
    #[must_use]
    pub async fn commit(&mut self, db: &PgPool, clock: &Clock, batch: Vec<Waiting>) -> Vec<Waiting> {
        let mut contended = Vec::new();
        let mut waiting = vec![(batch, 0)];
        while let Some((mut batch, attempts)) = waiting.pop() {
            // Whoever was told that it takes too long comes again; what was not begun for them is left.
            batch.retain(|waiting| !waiting.is_abandoned());
            if batch.is_empty() {
                continue;
            }
            match self.try_commit(db, clock.now(), &batch).await {
                Ok(decided) => self.settle(batch, decided),
                Err(Trouble::Unknown(commit, decided)) => match look_up(db, commit).await {
                    Some(true) => self.settle(batch, *decided),
                    Some(false) if attempts < ATTEMPTS => {
                        self.forget(&batch);
                        waiting.push((batch, attempts + 1));
                    }
                    _ => self.give_up(batch, "the database cannot be reached"),
                },
                Err(Trouble::Conflict(accounts)) if self.care == Care::Notice && !accounts.is_empty() => {
                    self.forget(&batch);
                    let accounts: HashSet<UserId> = accounts.into_iter().collect();
                    let is_theirs = |waiting: &Waiting| accounts.contains(&waiting.post.account);
                    let (theirs, rest) = batch.into_iter().partition(is_theirs);
                    contended.extend::<Vec<_>>(theirs);
                    waiting.push((rest, attempts));
                }
                Err(Trouble::Conflict(_)) if attempts < ATTEMPTS => {
                    self.forget(&batch);
                    waiting.push((batch, attempts + 1));
                }
                Err(Trouble::Broken(error)) if attempts < ATTEMPTS => {
                    tracing::warn!(%error, attempts, "a ledger batch is tried again");
                    self.forget(&batch);
                    tokio::time::sleep(Duration::from_millis(50 << attempts.min(5))).await;
                    waiting.push((batch, attempts + 1));
                }
                Err(Trouble::Conflict(_) | Trouble::Broken(_)) => self.give_up(batch, "the ledger is busy"),
                Err(Trouble::Data(error)) if batch.len() == 1 => {
                    self.forget(&batch);
                    if let Some(alone) = batch.pop() {
                        alone.answer(Err(PostError::Failed(Error::Database(error))));
                    }
                }
                Err(Trouble::Data(_)) => {
                    self.forget(&batch);
                    let second = batch.split_off(batch.len() / 2);
                    waiting.push((second, attempts));
                    waiting.push((batch, attempts));
                }
            }
        }
        if self.accounts.len() > REMEMBERED_ACCOUNTS {
            self.accounts.clear();
        }
        if self.holds.len() > REMEMBERED_HOLDS {
            self.holds.clear();
        }
        contended
    }

    fn settle(&mut self, batch: Vec<Waiting>, decided: Decided) {
        metrics::committed(&decided.changes);
        self.accounts.extend(decided.accounts);
        let Changes { holds, new_holds, .. } = decided.changes;
        for hold in holds.into_iter().map(|(_, hold)| hold).chain(new_holds.into_iter().map(|(_, hold)| hold)) {
            match hold.state {
                HoldState::Held => self.holds.insert(hold.job, hold),
                HoldState::Settled => self.holds.remove(&hold.job),
            };
        }
        for (waiting, outcome) in batch.into_iter().zip(decided.outcomes) {
            waiting.answer(outcome.unwrap_or_else(|| {
                Err(PostError::Failed(Error::Internal("a post was left without an outcome".into())))
            }));
        }
    }

    fn give_up(&mut self, batch: Vec<Waiting>, why: &str) {
        self.forget(&batch);
        for waiting in batch {
            waiting.answer(Err(PostError::Failed(Error::Unavailable {
                message: format!("{why}; nothing was accepted"),
                retry_after_seconds: 2,
            })));
        }
    }

    fn forget(&mut self, batch: &[Waiting]) {
        for waiting in batch {
            self.accounts.remove(&waiting.post.account);
            if let Some(job) = waiting.post.movement.job() {
                self.holds.remove(&job);
            }
        }
    }

    async fn try_commit(&mut self, db: &PgPool, now: DateTime<Utc>, batch: &[Waiting]) -> Result<Decided, Trouble> {
        let mut transaction = db.begin().await.map_err(broken)?;
        let read = self.load(&mut transaction, batch).await.map_err(trouble)?;
        let holds = self.open_holds(&mut transaction, batch).await.map_err(trouble)?;
        let known_sources = granted_sources(&mut transaction, batch).await.map_err(trouble)?;
        let posts: Vec<&Post> = batch.iter().map(|waiting| &waiting.post).collect();
        let stands = |index: usize| {
            posts.get(index).is_some_and(|post| match &post.movement {
                Movement::Grant { source, .. } => !known_sources.contains(&(post.account, source.clone())),
                _ => true,
            })
        };

        let mut decided = decide(&self.accounts, &posts, &holds, now, &stands, &mut Fixed::default());
        let stale = self.stale(&mut transaction, &posts, &decided.outcomes, &stands, &read).await.map_err(trouble)?;
        if !stale.is_empty() {
            return Err(Trouble::Conflict(stale));
        }
        let found = write_attached(&mut transaction, &posts, &decided.outcomes).await.map_err(trouble)?;
        if !found.is_empty() {
            // What was denied stays denied, even if a refused neighbour leaves credits over: its attached row was not written.
            let mut fixed = Fixed { refused: found, denied: denied(&decided.outcomes) };
            decided = decide(&self.accounts, &posts, &holds, now, &stands, &mut fixed);
        }
        let commit = Uuid::now_v7();
        if decided.changes.is_empty() {
            store::note_commit(&mut transaction, commit, now).await.map_err(trouble)?;
        } else if let Applied::Overtaken(accounts) =
            store::apply(&mut transaction, commit, now, &decided.changes).await.map_err(trouble)?
        {
            return Err(Trouble::Conflict(accounts));
        }
        match transaction.commit().await {
            Ok(()) => Ok(decided),
            // A server that goes down may say so in place of "committed".
            Err(error) if database::is_away(&error) => Err(Trouble::Unknown(commit, Box::new(decided))),
            Err(error) => Err(trouble(error)),
        }
    }

    /// Reads the accounts that the book does not remember, and tells which it read.
    async fn load(&mut self, connection: &mut PgConnection, batch: &[Waiting]) -> sqlx::Result<HashSet<UserId>> {
        if self.care == Care::Lock {
            self.accounts.clear();
            self.holds.clear();
        }
        let posts = batch.iter().map(|waiting| &waiting.post).filter(|post| post.movement != Movement::None);
        let missing = posts.map(|post| post.account).filter(|account| !self.accounts.contains_key(account));
        let missing: HashSet<UserId> = missing.collect();
        if missing.is_empty() {
            return Ok(missing);
        }
        let ids: Vec<Uuid> = missing.iter().map(|account| account.0).collect();
        if self.care == Care::Lock {
            store::lock(connection, &ids).await?;
        }
        // The version first: what changes in between is noticed then.
        let versions = store::versions(&mut *connection, &ids).await?;
        let mut grants: HashMap<UserId, Vec<_>> = missing.iter().map(|account| (*account, Vec::new())).collect();
        for (account, grant) in store::load_accounts(connection, &ids).await? {
            grants.entry(account).or_default().push(grant);
        }
        self.accounts.extend(grants.into_iter().map(|(id, grants)| {
            let version = versions.get(&id).copied().unwrap_or_default();
            (id, Account { version, ..Account::new(grants) })
        }));
        Ok(missing)
    }

    /// The accounts for which something was decided from memory that writes nothing, and that another node has changed
    /// since: what writes finds out by itself. Credits that were bought through another node are there for everybody.
    async fn stale(
        &self,
        connection: &mut PgConnection,
        posts: &[&Post],
        outcomes: &[Option<Result<Posted, PostError>>],
        stands: &dyn Fn(usize) -> bool,
        read: &HashSet<UserId>,
    ) -> sqlx::Result<Vec<UserId>> {
        let unwritten = posts
            .iter()
            .zip(outcomes)
            .enumerate()
            .filter(|(index, (_, outcome))| matches!(outcome, Some(Err(PostError::Denied(_)))) || !stands(*index));
        let remembered: HashSet<UserId> =
            unwritten.map(|(_, (post, _))| post.account).filter(|account| !read.contains(account)).collect();
        if remembered.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = remembered.iter().map(|account| account.0).collect();
        let versions = store::versions(connection, &ids).await?;
        let is_stale = |account: &UserId| {
            let known = self.accounts.get(account).map_or(0, |account| account.version);
            versions.get(account).copied().unwrap_or_default() != known
        };
        Ok(remembered.into_iter().filter(is_stale).collect())
    }

    /// The holds that a batch is about, those that are not remembered from their rows.
    async fn open_holds(&self, connection: &mut PgConnection, batch: &[Waiting]) -> sqlx::Result<HashMap<JobId, Hold>> {
        let mut holds = HashMap::new();
        let mut missing: Vec<Uuid> = Vec::new();
        // A new hold is for a job that has none.
        let old = batch.iter().filter(|waiting| !matches!(waiting.post.movement, Movement::Hold { .. }));
        for job in old.filter_map(|waiting| waiting.post.movement.job()) {
            match self.holds.get(&job) {
                Some(hold) => drop(holds.insert(job, hold.clone())),
                None => missing.push(job.0),
            }
        }
        if !missing.is_empty() {
            holds.extend(store::load_holds(connection, &missing).await?.into_iter().map(|hold| (hold.job, hold)));
        }
        Ok(holds)
    }
}

/// Writes the attached rows of all posts that stand so far, kind by kind; returns those that were refused.
async fn write_attached(
    transaction: &mut Transaction<'_, Postgres>,
    posts: &[&Post],
    outcomes: &[Option<Result<Posted, PostError>>],
) -> sqlx::Result<BTreeMap<usize, Box<dyn Any + Send>>> {
    type Kind<'a> = (&'a dyn AttachedWriter, Vec<usize>, Vec<Arc<dyn Any + Send + Sync>>);
    let mut kinds: BTreeMap<u8, Kind<'_>> = BTreeMap::new();
    for (index, (post, outcome)) in posts.iter().zip(outcomes).enumerate() {
        // A source that had granted before grants nothing, and nothing is attached to it.
        let repeats = |posted: &Posted| matches!(post.movement, Movement::Grant { .. }) && posted.amount == 0;
        if let (Some(attached), Some(Ok(posted))) = (&post.attached, outcome)
            && !repeats(posted)
        {
            let (_, indexes, rows) =
                kinds.entry(attached.writer.order()).or_insert_with(|| (attached.writer, Vec::new(), Vec::new()));
            indexes.push(index);
            rows.push(Arc::clone(&attached.row));
        }
    }
    let mut refused = BTreeMap::new();
    for (writer, indexes, rows) in kinds.into_values() {
        let outcomes = writer.write(transaction, &rows).await?;
        for (index, outcome) in indexes.into_iter().zip(outcomes) {
            if let AttachedOutcome::Refused(why) = outcome {
                refused.insert(index, why);
            }
        }
    }
    Ok(refused)
}

async fn granted_sources(connection: &mut PgConnection, batch: &[Waiting]) -> sqlx::Result<HashSet<(UserId, String)>> {
    let (accounts, sources): (Vec<Uuid>, Vec<String>) = batch
        .iter()
        .filter_map(|waiting| match &waiting.post.movement {
            Movement::Grant { source, .. } => Some((waiting.post.account.0, source.clone())),
            _ => None,
        })
        .unzip();
    if accounts.is_empty() {
        return Ok(HashSet::new());
    }
    store::granted_sources(connection, &accounts, &sources).await
}

/// Asks for a commit's own row until the database answers; `None` where it does not within half a minute.
async fn look_up(db: &PgPool, commit: Uuid) -> Option<bool> {
    for attempt in 0..30_u32 {
        match store::was_committed(db, commit).await {
            Ok(found) => return Some(found),
            Err(error) => {
                tracing::warn!(%error, attempt, "asking whether a commit happened");
                tokio::time::sleep(Duration::from_millis(u64::from(100 * attempt.min(10) + 50))).await;
            }
        }
    }
    None
}

fn trouble(error: sqlx::Error) -> Trouble {
    if database::is_away(&error) {
        return Trouble::Broken(error);
    }
    match error.as_database_error().and_then(|error| error.code()) {
        // serialization failure, deadlock, lot that another node lowered first
        Some(code) if code == "40001" || code == "40P01" => Trouble::Conflict(Vec::new()),
        Some(code) if code == "23514" && error.to_string().contains("credit_grants") => Trouble::Conflict(Vec::new()),
        _ => Trouble::Data(error),
    }
}

fn broken(error: sqlx::Error) -> Trouble {
    Trouble::Broken(error)
}
