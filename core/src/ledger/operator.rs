//! Credits that an operator gives. The line of the audit log is attached to the grant: both are committed, or neither, and a
//! repeated reason is neither granted nor written down again.

use std::any::Any;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::PgConnection;

use super::{AttachedOutcome, AttachedRow, AttachedWriter, Balance, NewGrant, Post, movement, store};
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::ids::UserId;
use crate::users::{self, DELETED_NAME};
use crate::{Caller, Code, Core, Error, Result};

/// As [`super::grant()`], by an operator, to somebody who is there.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`] where there is no such
/// person, or they have left; a conflict `GRANT_REASON_USED` where the same source gave them another amount, another kind or
/// another end before; as [`super::grant()`].
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
    let attached = Some(AttachedRow { writer: &Lines, row: Arc::new(row) });
    let posted = core.ledger.post(Post { account, movement, attached }).await?;
    if posted.amount == 0
        && let Some(before) = store::grant_of(&core.db, account, &source).await?
    {
        // The database keeps microseconds.
        let same_end = before.expires_at.map(|at| at.timestamp_micros()) == expires_at.map(|at| at.timestamp_micros());
        if (before.kind, before.amount) != (kind, amount) || !same_end {
            let message = "this reason gave this person other credits before: nothing was given; choose another reason";
            return Err(Error::conflict(Code::GrantReasonUsed, message));
        }
    }
    Ok(posted.balance)
}

/// What is written down.
struct Line {
    by: AdminAct,
    act: Act,
    at: DateTime<Utc>,
}

/// Writes the lines of a batch. Operators are few: one statement each.
struct Lines;

impl AttachedWriter for Lines {
    fn order(&self) -> u8 {
        u8::MAX
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: &'a [Arc<dyn Any + Send + Sync>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            for line in rows.iter().filter_map(|row| row.downcast_ref::<Line>()) {
                audit::record(connection, line.by.clone(), line.act.clone(), line.at).await?;
            }
            Ok(rows.iter().map(|_| AttachedOutcome::Done).collect())
        }
        .boxed()
    }
}
