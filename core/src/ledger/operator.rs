//! Credits given and taken back by operators. The audit entry is attached to the movement: both are committed, or
//! neither. A repeated reason grants nothing and writes no entry.

use std::convert::Infallible;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    AttachedRow, Balance, Grant, LedgerPost, MAX_GRANT, Movement, NewGrant, RareRow, RareRowWriter, lot, movement,
    store,
};
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::ids::UserId;
use crate::users::{self, DELETED_NAME};
use crate::{Caller, Code, Core, Error, Result};

/// Grants credits to an existing user, as [`super::grant()`] does, and records the operator.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::NotFound`] for a missing or deleted user;
/// a conflict `GRANT_REASON_USED` if the same source granted another amount, kind or expiry before; as
/// [`super::grant()`].
pub async fn grant_by_operator(core: &Core, caller: &Caller, account: UserId, new: NewGrant) -> Result<Balance> {
    let by = caller.must_be_admin()?;
    let after = json!({ "amount": new.amount, "source": new.source, "expiresAt": new.expires_at });
    let (kind, source, amount, expires_at) = (new.kind, new.source.clone(), new.amount, new.expires_at);
    let movement = movement(core, new)?;
    if users::find(core, account).await?.name == DELETED_NAME {
        return Err(Error::NotFound { what: "user" });
    }
    let act = Act::new(Action::CreditGrant, account).of(account).after(after);
    let row = Line { by, act, at: core.clock.now() };
    let attached = Some(AttachedRow { writer: &LINES, row: Arc::new(row) });
    let posted = core.ledger.post(LedgerPost { account, movement, attached }).await?;
    if posted.amount == 0
        && let Some(before) = lot(core, account, &source).await?
    {
        // Without an end it keeps the one of the first time. The database keeps microseconds.
        let micros = |at: DateTime<Utc>| at.timestamp_micros();
        let same_end = expires_at.is_none_or(|at| before.expires_at.map(micros) == Some(micros(at)));
        if (before.kind, before.amount) != (kind, amount) || !same_end {
            let message = "this reason gave this person other credits before: nothing was given; choose another reason";
            return Err(Error::conflict(Code::GrantReasonUsed, message));
        }
    }
    Ok(posted.balance)
}

/// Credits of one grant that an operator takes back.
#[derive(Debug, Clone)]
pub struct OperatorDebit {
    /// The source of the grant.
    pub source: String,
    pub amount: i64,
    /// For the audit log.
    pub reason: String,
}

/// Takes available credits of a grant back, all or nothing, and records the operator.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::Invalid`] for an amount outside of 1 to
/// [`MAX_GRANT`]; [`Error::NotFound`] if the source granted nothing to the account; [`Error::Refused`] with
/// `CREDITS_USED` if fewer credits are left; [`Error::Unavailable`] if the ledger is busy.
pub async fn debit_by_operator(
    core: &Core,
    caller: &Caller,
    account: UserId,
    OperatorDebit { source, amount, reason }: OperatorDebit,
) -> Result<Balance> {
    let by = caller.must_be_admin()?;
    if !(1..=MAX_GRANT).contains(&amount) {
        return Err(Error::invalid("amount", format!("must be between 1 and {MAX_GRANT}")));
    }
    // PostgreSQL refuses texts with this character, so no grant has such a source.
    if source.contains('\0') || lot(core, account, &source).await?.is_none() {
        return Err(Error::NotFound { what: "grant" });
    }
    let after = json!({ "amount": amount, "source": source, "reason": reason });
    let act = Act::new(Action::CreditDebit, account).of(account).after(after);
    let row = Line { by, act, at: core.clock.now() };
    let attached = Some(AttachedRow { writer: &LINES, row: Arc::new(row) });
    let movement = Movement::Debit { source, amount };
    Ok(core.ledger.post(LedgerPost { account, movement, attached }).await?.balance)
}

/// The balance of any account, and its grants with credits left or held in the order of spending.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins.
pub async fn account_of_anyone(core: &Core, caller: &Caller, account: UserId) -> Result<(Balance, Vec<Grant>)> {
    caller.must_be_admin()?.read_only();
    let grants = store::grants(&core.db, account).await?;
    let now = core.clock.now();
    let balance = Balance {
        available: grants.iter().fold(0, |sum: i64, grant| sum.saturating_add(grant.available_at(now))),
        held: grants.iter().fold(0, |sum: i64, grant| sum.saturating_add(grant.held)),
    };
    Ok((balance, grants))
}

struct Line {
    by: AdminAct,
    act: Act,
    at: DateTime<Utc>,
}

/// Writes the audit entries of a batch.
static LINES: RareRowWriter<Line> = RareRowWriter::new(u8::MAX);

impl RareRow for Line {
    /// No entry is refused.
    type Refusal = Infallible;

    fn write<'a>(&'a self, connection: &'a mut PgConnection) -> BoxFuture<'a, sqlx::Result<Option<Infallible>>> {
        async move {
            audit::record(connection, self.by.clone(), self.act.clone(), self.at).await?;
            Ok(None)
        }
        .boxed()
    }
}
