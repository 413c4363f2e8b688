//! The cached balances of a shard, and how a batch of posts is decided and committed.
//!
//! A batch is decided from memory and checked by the commit: an account is only written if its version is unchanged. If
//! another node changed the account, its posts move to the locking lane and the rest of the batch goes on. If the
//! database refuses a row, the batch is split until the row is alone, so that other posts do not fail. If the outcome
//! of a commit is unknown, the commit's own row is looked up before posts are answered.

mod decide;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use tokio::sync::oneshot;
use uuid::Uuid;

use self::decide::{BatchDecision, FixedOutcomes, decide, denied};
use super::state::{Account, Hold, HoldState};
use super::store::{self, ApplyOutcome, LedgerChanges};
use super::{AttachedOutcome, AttachedWriter, LedgerPost, Movement, PostError, PostReceipt, metrics};
use crate::ids::{JobId, UserId};
use crate::{Clock, Error, database};

/// Maximum number of cached accounts; beyond it the cache is cleared.
const REMEMBERED_ACCOUNTS: usize = 50_000;
/// Maximum number of cached open holds; beyond it the cache is cleared.
const REMEMBERED_HOLDS: usize = 200_000;
/// How often a batch is tried before its posts fail.
const ATTEMPTS: u32 = 8;

/// A post and the channel for its result.
pub(super) struct PendingPost {
    pub post: LedgerPost,
    pub answer: oneshot::Sender<Result<PostReceipt, PostError>>,
}

impl PendingPost {
    /// Whether the caller no longer waits for the result.
    fn is_abandoned(&self) -> bool {
        self.answer.is_closed()
    }

    pub fn answer(self, outcome: Result<PostReceipt, PostError>) {
        // The receiver may be gone; a commit stays valid without it.
        drop(self.answer.send(outcome));
    }
}

/// How a book prevents two nodes from changing one account at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LockMode {
    /// Decides from cached balances and detects conflicts when it writes: for accounts used through one node.
    Optimistic,
    /// Locks each account before reading it and caches nothing: for accounts used through several nodes.
    Pessimistic,
}

pub(super) struct Book {
    lock_mode: LockMode,
    accounts: HashMap<UserId, Account>,
    /// Open holds of jobs. The commit detects changes by other nodes, as for accounts.
    holds: HashMap<JobId, Hold>,
}

/// Why a batch was not committed.
enum CommitError {
    /// Another node changed these accounts after the batch read them; empty if the accounts are not known.
    Conflict(Vec<UserId>),
    /// The database refused a row.
    Data(sqlx::Error),
    /// The connection broke before the commit was sent, so nothing was written.
    Broken(sqlx::Error),
    /// The connection broke during the commit.
    Unknown(Uuid, Box<BatchDecision>),
}

impl Book {
    pub fn new(lock_mode: LockMode) -> Self {
        Self { lock_mode, accounts: HashMap::new(), holds: HashMap::new() }
    }

    /// Commits a batch and answers its posts, except those it returns: their accounts are contended, and a locking book
    /// must commit them.
    #[must_use]
    pub async fn commit(&mut self, db: &PgPool, clock: &Clock, batch: Vec<PendingPost>) -> Vec<PendingPost> {
        let mut contended = Vec::new();
        let mut waiting = vec![(batch, 0)];
        while let Some((mut batch, attempts)) = waiting.pop() {
            // A caller that gave up may retry; its post is dropped before it starts.
            batch.retain(|waiting| !waiting.is_abandoned());
            if batch.is_empty() {
                continue;
            }
            match self.try_commit(db, clock.now(), &batch).await {
                Ok(decided) => self.settle(batch, decided),
                Err(CommitError::Unknown(commit, decided)) => match look_up(db, commit).await {
                    Some(true) => self.settle(batch, *decided),
                    Some(false) if attempts < ATTEMPTS => {
                        self.forget(&batch);
                        waiting.push((batch, attempts + 1));
                    }
                    _ => self.give_up(batch, "the database cannot be reached"),
                },
                Err(CommitError::Conflict(accounts))
                    if self.lock_mode == LockMode::Optimistic && !accounts.is_empty() =>
                {
                    self.forget(&batch);
                    let accounts: HashSet<UserId> = accounts.into_iter().collect();
                    let is_theirs = |waiting: &PendingPost| accounts.contains(&waiting.post.account);
                    let (theirs, rest) = batch.into_iter().partition(is_theirs);
                    contended.extend::<Vec<_>>(theirs);
                    waiting.push((rest, attempts));
                }
                Err(CommitError::Conflict(_)) if attempts < ATTEMPTS => {
                    self.forget(&batch);
                    waiting.push((batch, attempts + 1));
                }
                Err(CommitError::Broken(error)) if attempts < ATTEMPTS => {
                    tracing::warn!(%error, attempts, "retrying a ledger batch");
                    self.forget(&batch);
                    tokio::time::sleep(Duration::from_millis(50 << attempts.min(5))).await;
                    waiting.push((batch, attempts + 1));
                }
                Err(CommitError::Conflict(_) | CommitError::Broken(_)) => self.give_up(batch, "the ledger is busy"),
                Err(CommitError::Data(error)) if batch.len() == 1 => {
                    self.forget(&batch);
                    if let Some(alone) = batch.pop() {
                        alone.answer(Err(PostError::Failed(Error::Database(error))));
                    }
                }
                Err(CommitError::Data(_)) => {
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

    fn settle(&mut self, batch: Vec<PendingPost>, decided: BatchDecision) {
        metrics::committed(&decided.changes);
        self.accounts.extend(decided.accounts);
        let LedgerChanges { holds, new_holds, .. } = decided.changes;
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

    fn give_up(&mut self, batch: Vec<PendingPost>, why: &str) {
        self.forget(&batch);
        for waiting in batch {
            waiting.answer(Err(PostError::Failed(Error::Unavailable {
                message: format!("{why}; nothing was accepted"),
                retry_after_seconds: 2,
            })));
        }
    }

    fn forget(&mut self, batch: &[PendingPost]) {
        for waiting in batch {
            self.accounts.remove(&waiting.post.account);
            if let Some(job) = waiting.post.movement.job() {
                self.holds.remove(&job);
            }
        }
    }

    async fn try_commit(
        &mut self,
        db: &PgPool,
        now: DateTime<Utc>,
        batch: &[PendingPost],
    ) -> Result<BatchDecision, CommitError> {
        let mut transaction = database::begin(db).await.map_err(broken)?;
        let read = self.load(&mut transaction, batch).await.map_err(commit_error)?;
        let holds = self.open_holds(&mut transaction, batch).await.map_err(commit_error)?;
        let known_sources = granted_sources(&mut transaction, batch).await.map_err(commit_error)?;
        let posts: Vec<&LedgerPost> = batch.iter().map(|waiting| &waiting.post).collect();
        let is_new_source = |index: usize| {
            posts.get(index).is_some_and(|post| {
                let mut sources = post.movement.granted().into_iter();
                !sources.any(|source| known_sources.contains(&(post.account, source.to_owned())))
            })
        };

        let mut decided = decide(&self.accounts, &posts, &holds, now, &is_new_source, &mut FixedOutcomes::default());
        let stale = self
            .stale(&mut transaction, &posts, &decided.outcomes, &is_new_source, &read)
            .await
            .map_err(commit_error)?;
        if !stale.is_empty() {
            return Err(CommitError::Conflict(stale));
        }
        let found = write_attached(&mut transaction, &posts, &decided.outcomes).await.map_err(commit_error)?;
        if !found.is_empty() {
            // A denied post stays denied even if a refused post leaves credits over, because its attached row was not
            // written.
            let mut fixed = FixedOutcomes { refused: found, denied: denied(&decided.outcomes) };
            decided = decide(&self.accounts, &posts, &holds, now, &is_new_source, &mut fixed);
        }
        let commit = Uuid::now_v7();
        if decided.changes.is_empty() {
            store::note_commit(&mut transaction, commit, now).await.map_err(commit_error)?;
        } else if let ApplyOutcome::Conflict(accounts) =
            store::apply(&mut transaction, commit, now, &decided.changes).await.map_err(commit_error)?
        {
            return Err(CommitError::Conflict(accounts));
        }
        match transaction.commit().await {
            Ok(()) => Ok(decided),
            // A server that shuts down may answer like this although it committed.
            Err(error) if database::is_unavailable(&error) => Err(CommitError::Unknown(commit, Box::new(decided))),
            Err(error) => Err(commit_error(error)),
        }
    }

    /// Reads the accounts that are not cached and returns them.
    async fn load(&mut self, connection: &mut PgConnection, batch: &[PendingPost]) -> sqlx::Result<HashSet<UserId>> {
        if self.lock_mode == LockMode::Pessimistic {
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
        if self.lock_mode == LockMode::Pessimistic {
            store::lock(connection, &ids).await?;
        }
        // The version first: a change between the two queries is then detected.
        let versions = store::versions(&mut *connection, &ids).await?;
        let mut grants: HashMap<UserId, Vec<_>> = missing.iter().map(|account| (*account, Vec::new())).collect();
        for (account, grant) in store::load_accounts(connection, &ids).await? {
            grants.entry(account).or_default().push(grant);
        }
        self.accounts.extend(grants.into_iter().map(|(id, grants)| {
            let (version, spending) = versions.get(&id).copied().unwrap_or_default();
            (id, Account { version, spending, ..Account::new(grants) })
        }));
        Ok(missing)
    }

    /// Accounts with a decision that writes nothing, taken from a cached balance that another node has changed since.
    /// Writes detect this by themselves. This way a post is not denied when credits were added through another node.
    async fn stale(
        &self,
        connection: &mut PgConnection,
        posts: &[&LedgerPost],
        outcomes: &[Option<Result<PostReceipt, PostError>>],
        is_new_source: &dyn Fn(usize) -> bool,
        read: &HashSet<UserId>,
    ) -> sqlx::Result<Vec<UserId>> {
        let unwritten = posts.iter().zip(outcomes).enumerate().filter(|(index, (_, outcome))| {
            matches!(outcome, Some(Err(PostError::Denied(_)))) || !is_new_source(*index)
        });
        let remembered: HashSet<UserId> =
            unwritten.map(|(_, (post, _))| post.account).filter(|account| !read.contains(account)).collect();
        if remembered.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = remembered.iter().map(|account| account.0).collect();
        let versions = store::versions(connection, &ids).await?;
        let is_stale = |account: &UserId| {
            let known = self.accounts.get(account).map_or(0, |account| account.version);
            versions.get(account).map_or(0, |(version, _)| *version) != known
        };
        Ok(remembered.into_iter().filter(is_stale).collect())
    }

    /// The holds of a batch, from the cache or the database.
    async fn open_holds(
        &self,
        connection: &mut PgConnection,
        batch: &[PendingPost],
    ) -> sqlx::Result<HashMap<JobId, Hold>> {
        let mut holds = HashMap::new();
        let mut missing: Vec<Uuid> = Vec::new();
        // A new hold belongs to a job without one.
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

/// Writes the attached rows of all accepted posts, one statement per kind, and returns the refused ones.
async fn write_attached(
    transaction: &mut Transaction<'_, Postgres>,
    posts: &[&LedgerPost],
    outcomes: &[Option<Result<PostReceipt, PostError>>],
) -> sqlx::Result<BTreeMap<usize, Box<dyn Any + Send>>> {
    type Kind<'a> = (&'a dyn AttachedWriter, Vec<usize>, Vec<Arc<dyn Any + Send + Sync>>);
    let mut kinds: BTreeMap<u8, Kind<'_>> = BTreeMap::new();
    for (index, (post, outcome)) in posts.iter().zip(outcomes).enumerate() {
        // A repeated grant changes nothing, so its attached row is not written either.
        let repeats = |posted: &PostReceipt| posted.amount == 0 && !post.movement.granted().is_empty();
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

async fn granted_sources(
    connection: &mut PgConnection,
    batch: &[PendingPost],
) -> sqlx::Result<HashSet<(UserId, String)>> {
    let (accounts, sources): (Vec<Uuid>, Vec<String>) = batch
        .iter()
        .flat_map(|waiting| {
            let account = waiting.post.account.0;
            waiting.post.movement.granted().into_iter().map(move |source| (account, source.to_owned()))
        })
        .unzip();
    if accounts.is_empty() {
        return Ok(HashSet::new());
    }
    store::granted_sources(connection, &accounts, &sources).await
}

/// Looks up a commit's own row until the database answers; `None` after about half a minute.
async fn look_up(db: &PgPool, commit: Uuid) -> Option<bool> {
    for attempt in 0..30_u32 {
        match store::was_committed(db, commit).await {
            Ok(found) => return Some(found),
            Err(error) => {
                tracing::warn!(%error, attempt, %commit, "cannot look up a ledger commit, trying again");
                tokio::time::sleep(Duration::from_millis(u64::from(100 * attempt.min(10) + 50))).await;
            }
        }
    }
    None
}

fn commit_error(error: sqlx::Error) -> CommitError {
    if database::is_unavailable(&error) {
        return CommitError::Broken(error);
    }
    match error.as_database_error().and_then(|error| error.code()) {
        // Serialization failure, deadlock, or a lot that another node lowered first.
        Some(code) if code == "40001" || code == "40P01" => CommitError::Conflict(Vec::new()),
        Some(code) if code == "23514" && error.to_string().contains("credit_grants") => {
            CommitError::Conflict(Vec::new())
        }
        _ => CommitError::Data(error),
    }
}

fn broken(error: sqlx::Error) -> CommitError {
    CommitError::Broken(error)
}
