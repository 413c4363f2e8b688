//! Credits: grants with an expiry, holds, captures, releases, and the entries that prove them.
//!
//! ```text
//!   grant ──▶ available ──hold──▶ held ──capture──▶ spent
//!                 │  ◀──release──┘
//!                 └──expire──▶ expired
//! ```
//!
//! Every change of a balance is a [`Post`] to the [`Ledger`] actor of the account's shard. The actor gathers what
//! arrives while a commit is under way and commits it in one transaction, together with the rows that other rooms
//! sent along ([`AttachedRow`]): no picture without its charge, no charge without its picture.
//!
//! Always: no balance is negative; granted = available + held + spent + expired for each grant; each job has one
//! hold that ends once; each movement has one entry per grant it touched. [`audit()`] derives all of it again.

mod actor;
mod balance;
mod book;
mod decide;
mod entry;
mod grant;
mod metrics;
mod movement;
mod operator;
mod proof;
mod state;
mod store;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use chrono::{Datelike as _, TimeZone as _, Utc};
use futures_util::future::{BoxFuture, join_all};
use sqlx::PgConnection;
use uuid::Uuid;

pub use actor::{Ledger, LedgerHandle};
pub use balance::{Balance, MAX_BALANCE};
pub use entry::{Entry, EntryKind};
pub use grant::{Grant, GrantKind, NewGrant};
pub use movement::Movement;
pub use operator::grant_by_operator;
pub use proof::{Audit, Progress, Reconciliation, audit, audit_from_the_beginning, audit_regularly, reconcile};
pub use state::Denied;

use crate::ids::{EntryId, JobId, UserId};
use crate::settings::Plan;
use crate::{Caller, Code, Core, Error, Result};

/// The most credits of one grant.
pub const MAX_GRANT: i64 = 1_000_000_000_000;
/// One change of an account, and what is committed together with it.
pub struct Post {
    pub account: UserId,
    pub movement: Movement,
    pub attached: Option<AttachedRow>,
}

/// How a post ended, where it was committed.
#[derive(Debug)]
pub struct Posted {
    /// The account after it.
    pub balance: Balance,
    /// What a grant gave, a hold took, an extension added, or a settlement captured; 0 for anything else, and for a
    /// grant whose source had granted before.
    pub amount: i64,
}

/// Why a post was not committed.
#[derive(Debug)]
pub enum PostError {
    /// The credits do not allow it.
    Denied(Denied),
    /// The attached row does not allow it; its writer says why.
    Refused(Box<dyn Any + Send>),
    /// Anything else, for the one post alone.
    Failed(Error),
}

impl From<PostError> for Error {
    fn from(error: PostError) -> Self {
        match error {
            PostError::Denied(Denied::OutOfCredits { needed, available }) => Self::OutOfCredits { needed, available },
            PostError::Denied(Denied::AccountFull) => Self::Refused {
                code: Code::CreditLimit,
                message: format!("an account has at most {MAX_BALANCE} credits"),
                details: serde_json::json!({ "limit": MAX_BALANCE }),
            },
            PostError::Denied(Denied::HoldUnknown) => Self::NotFound { what: "hold" },
            PostError::Denied(Denied::HoldEnded) => {
                Self::conflict(Code::HoldEnded, "the job's credits were settled already")
            }
            PostError::Refused(_) => Self::Internal("an attached row was refused and nobody asked why".into()),
            PostError::Failed(error) => error,
        }
    }
}

/// Rows of another room that are committed in the same transaction as a movement, or not at all.
pub struct AttachedRow {
    /// Writes all rows of its kind in a batch with one statement.
    pub writer: &'static dyn AttachedWriter,
    pub row: Arc<dyn Any + Send + Sync>,
}

/// What became of one attached row. A refused row leaves no trace, and its movement does not happen.
pub enum AttachedOutcome {
    Done,
    /// Why, in the writer's own type.
    Refused(Box<dyn Any + Send>),
}

/// Writes the rows of one kind of attached row.
pub trait AttachedWriter: Send + Sync {
    /// Tells kinds apart; rows of one kind in a batch are written together, kinds in ascending order.
    fn order(&self) -> u8;

    /// Writes `rows` and tells for each, in order, what became of it.
    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: &'a [Arc<dyn Any + Send + Sync>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>>;
}

/// Gives credits to an account. A source that was granted before changes nothing.
///
/// # Errors
/// [`Error::Invalid`] for an amount outside of 1 to [`MAX_GRANT`] or an expiry that is over; [`Error::Refused`] with
/// `CREDIT_LIMIT` beyond [`MAX_BALANCE`]; [`Error::Unavailable`] where the ledger is busy.
pub async fn grant(core: &Core, account: UserId, grant: NewGrant) -> Result<Balance> {
    Ok(core.ledger.post(Post { account, movement: movement(core, grant)?, attached: None }).await?.balance)
}

/// The movement of a grant that can be given.
fn movement(core: &Core, grant: NewGrant) -> Result<Movement> {
    let NewGrant { kind, source, amount, expires_at } = grant;
    if !(1..=MAX_GRANT).contains(&amount) {
        return Err(Error::invalid("amount", format!("must be between 1 and {MAX_GRANT}")));
    }
    if expires_at.is_some_and(|at| at <= core.clock.now()) {
        return Err(Error::invalid("expiresAt", "must be in the future"));
    }
    Ok(Movement::Grant { kind, source, amount, expires_at })
}

/// Grants a plan's allowance of this month, once. It ends with the month: an allowance is hours per month, and what
/// was bought lasts longer and is spent after it.
///
/// # Errors
/// [`Error::Unavailable`] where the ledger is busy.
pub async fn allow(core: &Core, account: UserId, plan: &Plan) -> Result<()> {
    let now = core.clock.now();
    let month = now.year() * 12 + i32::try_from(now.month0()).unwrap_or(0);
    if plan.monthly_credits <= 0 || core.ledger.was_allowed(account, &plan.name, month) {
        return Ok(());
    }
    let expires_at =
        Utc.with_ymd_and_hms((month + 1) / 12, u32::try_from((month + 1) % 12).unwrap_or(0) + 1, 1, 0, 0, 0);
    let allowance = NewGrant {
        kind: GrantKind::Plan,
        source: format!("plan:{}:{}-{:02}", plan.name, now.year(), now.month()),
        amount: plan.monthly_credits,
        expires_at: expires_at.single(),
    };
    grant(core, account, allowance).await?;
    core.ledger.note_allowed(account, &plan.name, month);
    Ok(())
}

/// What a job's open hold amounts to, in credits; `None` where it has none.
///
/// # Errors
/// Database errors.
pub async fn held(core: &Core, job: JobId) -> Result<Option<i64>> {
    Ok(held_by(core, &[job]).await?.remove(&job))
}

/// As [`held`] for several jobs; those without an open hold are left out.
///
/// # Errors
/// Database errors.
pub async fn held_by(core: &Core, jobs: &[JobId]) -> Result<HashMap<JobId, i64>> {
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
    let holds = store::load_holds(&core.db, &ids).await?.into_iter();
    Ok(holds.filter(|hold| hold.state == state::HoldState::Held).map(|hold| (hold.job, hold.held)).collect())
}

/// What an account has free to be held, in credits.
///
/// # Errors
/// Database errors.
pub async fn available(core: &Core, account: UserId) -> Result<i64> {
    Ok(store::balance(&core.db, account, core.clock.now()).await?.available)
}

/// What the caller has.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn balance(core: &Core, caller: &Caller) -> Result<Balance> {
    let account = caller.signed_in()?;
    Ok(store::balance(&core.db, account, core.clock.now()).await?)
}

/// The caller's grants that still matter, in the order in which they will be spent.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn grants(core: &Core, caller: &Caller) -> Result<Vec<Grant>> {
    let account = caller.signed_in()?;
    Ok(store::grants(&core.db, account).await?)
}

/// The caller's statement, newest first: at most `limit` entries older than `before`.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn entries(core: &Core, caller: &Caller, before: Option<EntryId>, limit: i64) -> Result<Vec<Entry>> {
    let account = caller.signed_in()?;
    Ok(store::entries(&core.db, account, before, limit).await?)
}

/// Accounts whose lots expire in one go: few commits of the ledger, which others' posts hardly feel.
pub const EXPIRED_AT_ONCE: i64 = 500;

/// Lets lots expire whose time has come, on some accounts; tells on how many. The lots count for nothing from the moment
/// they end, so that a month's end, at which all end, may be spread over the time after it.
///
/// # Errors
/// Database errors; what was done by then stays done.
pub async fn expire_due(core: &Core) -> Result<u64> {
    let due = store::accounts_with_due_lots(&core.db, core.clock.now(), EXPIRED_AT_ONCE).await?;
    let post = |account| core.ledger.post(Post { account, movement: Movement::Expire, attached: None });
    // Together, so that they are committed together.
    for posted in join_all(due.iter().copied().map(post)).await {
        posted?;
    }
    Ok(due.len() as u64)
}

/// Forgets the receipts of commits that nobody asks about any more; tells how many.
///
/// # Errors
/// Database errors.
pub async fn forget_old_commits(core: &Core) -> Result<u64> {
    Ok(store::forget_old_commits(&core.db, core.clock.now()).await?)
}
