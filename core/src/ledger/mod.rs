//! Credits: grants with an expiry, holds, captures, releases, and the entries that prove them.
//!
//! ```text
//!   grant ──▶ available ──hold──▶ held ──capture──▶ spent
//!                 │  ◀──release──┘
//!                 ├──expire──▶ expired
//!                 └──debit──▶ debited
//! ```
//!
//! Every change of a balance is a [`LedgerPost`] to the [`Ledger`] actor of the account's shard. The actor collects
//! posts while a commit runs and commits them in one transaction, together with rows of other rooms ([`AttachedRow`]).
//! A picture and its charge are therefore committed together or not at all.
//!
//! Invariants: no balance is negative; granted = available + held + spent + expired + debited for each grant; each job
//! has one hold that ends once; each movement has one entry per grant it touches. [`audit()`] checks them.

mod actor;
mod attached;
mod balance;
mod book;
mod entry;
mod grant;
mod metrics;
mod months;
mod movement;
mod operator;
mod proof;
mod state;
mod statement;
mod store;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::HashMap;

use chrono::{Datelike as _, TimeZone as _, Utc};
use futures_util::future::join_all;
use uuid::Uuid;

pub use actor::{Ledger, LedgerHandle};
pub use attached::{
    AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, RareRow, RareRowWriter, outcomes, typed_rows,
};
pub use balance::{Balance, DaySpending, MAX_BALANCE};
pub use entry::{LedgerEntry, LedgerEntryKind};
pub use grant::{Grant, GrantKind, NewGrant};
pub use months::maintain_months;
pub use movement::Movement;
pub use operator::{OperatorDebit, account_of_anyone, debit_by_operator, grant_by_operator};
pub use proof::{Audit, IncrementalAudit, Reconciliation, audit, audit_task, full_audit, reconcile};
pub use state::Denial;
pub use statement::{EntryFilter, entries};

use crate::ids::{JobId, UserId};
use crate::settings::Plan;
use crate::{Caller, Code, Core, Error, Result};

/// The most credits of one grant.
pub const MAX_GRANT: i64 = 1_000_000_000_000;
/// A change of an account, and the row that is committed with it.
pub struct LedgerPost {
    pub account: UserId,
    pub movement: Movement,
    pub attached: Option<AttachedRow>,
}

/// The result of a committed post.
#[derive(Debug)]
pub struct PostReceipt {
    /// The account after it.
    pub balance: Balance,
    /// Credits that a grant gave, a hold took, an extension added, a settlement captured or a debit took. 0 for
    /// everything else, and for a grant whose source granted before.
    pub amount: i64,
}

/// Why a post was not committed.
#[derive(Debug)]
pub enum PostError {
    /// The balance does not allow it.
    Denied(Denial),
    /// The writer of the attached row refused it, for this reason.
    Refused(Box<dyn Any + Send>),
    /// Any other error of this post.
    Failed(Error),
}

impl From<PostError> for Error {
    fn from(error: PostError) -> Self {
        match error {
            PostError::Denied(Denial::OutOfCredits { needed, available }) => Self::OutOfCredits { needed, available },
            PostError::Denied(Denial::DayCeiling { ceiling, spent, held }) => Self::Refused {
                code: Code::CreditCeiling,
                message: format!("this account spends at most {ceiling} credits on a day, by its own choice"),
                details: serde_json::json!({ "dayCeiling": ceiling, "spent": spent, "held": held }),
            },
            PostError::Denied(Denial::AccountFull) => Self::Refused {
                code: Code::CreditLimit,
                message: format!("an account has at most {MAX_BALANCE} credits"),
                details: serde_json::json!({ "limit": MAX_BALANCE }),
            },
            PostError::Denied(Denial::LotTooSmall { available }) => Self::Refused {
                code: Code::CreditsUsed,
                message: format!("only {available} of these credits are left; nothing was taken"),
                details: serde_json::json!({ "available": available }),
            },
            PostError::Denied(Denial::HoldUnknown) => Self::NotFound { what: "hold" },
            PostError::Denied(Denial::HoldEnded) => {
                Self::conflict(Code::HoldEnded, "the job's credits were settled already")
            }
            PostError::Refused(_) => Self::Internal("the refusal of an attached row was not handled".into()),
            PostError::Failed(error) => error,
        }
    }
}

/// Gives credits to an account. A repeated source changes nothing. Without an end they expire after `credits.days`.
///
/// # Errors
/// [`Error::Invalid`] for an amount outside of 1 to [`MAX_GRANT`] or a past expiry; [`Error::Refused`] with
/// `CREDIT_LIMIT` beyond [`MAX_BALANCE`]; [`Error::Unavailable`] if the ledger is busy.
pub async fn grant(core: &Core, account: UserId, grant: NewGrant) -> Result<Balance> {
    Ok(core.ledger.post(LedgerPost { account, movement: movement(core, grant)?, attached: None }).await?.balance)
}

fn movement(core: &Core, grant: NewGrant) -> Result<Movement> {
    let NewGrant { kind, source, amount, expires_at } = grant;
    if !(1..=MAX_GRANT).contains(&amount) {
        return Err(Error::invalid("amount", format!("must be between 1 and {MAX_GRANT}")));
    }
    if expires_at.is_some_and(|at| at <= core.clock.now()) {
        return Err(Error::invalid("expiresAt", "must be in the future"));
    }
    let days = chrono::Duration::days(i64::from(core.settings.credits.days));
    let expires_at = Some(expires_at.unwrap_or_else(|| core.clock.now() + days));
    Ok(Movement::Grant { kind, source, amount, expires_at })
}

/// Grants a plan's allowance of this month, once. It expires at the end of the month, so it is spent before credits
/// that were bought.
pub async fn grant_allowance(core: &Core, account: UserId, plan: &Plan) -> Result<()> {
    let now = core.clock.now();
    let month = now.year() * 12 + i32::try_from(now.month0()).unwrap_or(0);
    if plan.monthly_credits <= 0 || core.ledger.has_allowance(account, &plan.name, month) {
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
    core.ledger.remember_allowance(account, &plan.name, month);
    Ok(())
}

/// The credits of a job's open hold; `None` without one.
pub async fn held(core: &Core, job: JobId) -> Result<Option<i64>> {
    Ok(held_by(core, &[job]).await?.remove(&job))
}

/// Like [`held`] for several jobs; jobs without an open hold are left out.
pub async fn held_by(core: &Core, jobs: &[JobId]) -> Result<HashMap<JobId, i64>> {
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
    Ok(store::open_holds(&core.db, &ids).await?.into_iter().map(|hold| (hold.job, hold.held)).collect())
}

pub async fn available(core: &Core, account: UserId) -> Result<i64> {
    Ok(store::balance(&core.db, account, core.clock.now()).await?.available)
}

pub async fn balance(core: &Core, caller: &Caller) -> Result<Balance> {
    let account = caller.signed_in()?;
    Ok(store::balance(&core.db, account, core.clock.now()).await?)
}

/// What the caller has spent today, in UTC.
pub async fn spent_today(core: &Core, caller: &Caller) -> Result<i64> {
    let account = caller.signed_in()?;
    let read = store::versions(&core.db, &[account.0]).await?;
    Ok(read.get(&account).map_or(0, |(_, spending)| spending.on(core.clock.now())))
}

/// The caller's grants with credits left, in the order of spending.
pub async fn grants(core: &Core, caller: &Caller) -> Result<Vec<Grant>> {
    let account = caller.signed_in()?;
    Ok(store::grants(&core.db, account).await?)
}

/// The account's grant of this source, also one without credits left; `None` if the source granted nothing.
pub async fn lot(core: &Core, account: UserId, source: &str) -> Result<Option<Grant>> {
    Ok(lots(core, &[(account, source)]).await?.pop().map(|(_, grant)| grant))
}

/// Like [`lot`] for several accounts and sources, in no order; sources that granted nothing are left out.
pub async fn lots(core: &Core, sources: &[(UserId, &str)]) -> Result<Vec<(UserId, Grant)>> {
    if sources.is_empty() {
        return Ok(Vec::new());
    }
    Ok(store::lots(&core.db, sources).await?)
}

/// Accounts whose expired lots are written off in one round: a few commits, which delay other posts very little.
pub const EXPIRED_AT_ONCE: i64 = 500;

/// Writes off the expired lots of some accounts and returns the number of accounts. Expired lots never count as
/// available, so the write-off may lag behind, for example at the end of a month.
pub async fn expire_due(core: &Core) -> Result<u64> {
    let due = store::accounts_with_due_lots(&core.db, core.clock.now(), EXPIRED_AT_ONCE).await?;
    let post = |account| core.ledger.post(LedgerPost { account, movement: Movement::Expire, attached: None });
    // Together, so that they are committed together.
    for posted in join_all(due.iter().copied().map(post)).await {
        posted?;
    }
    Ok(due.len() as u64)
}

/// Deletes old commit receipts and returns their number.
pub async fn forget_old_commits(core: &Core) -> Result<u64> {
    Ok(store::forget_old_commits(&core.db, core.clock.now()).await?)
}
