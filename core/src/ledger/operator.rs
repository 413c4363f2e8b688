//! Credits that an operator gives. The line of the audit log is attached to the grant: both are committed, or neither, and a
//! repeated reason is neither granted nor written down again.

use std::any::Any;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::PgConnection;

use super::{AttachedOutcome, AttachedRow, AttachedWriter, Balance, NewGrant, Post, movement};
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::ids::UserId;
use crate::users::{self, DELETED_NAME};
use crate::{Caller, Core, Error, Result};

/// As [`super::grant()`], by an operator, to somebody who is there.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`] where there is no such
/// person, or they have left; as [`super::grant()`].
pub async fn grant_by_operator(core: &Core, caller: &Caller, account: UserId, new: NewGrant) -> Result<Balance> {
    let by = caller.must_be_admin()?;
    let after = json!({ "amount": new.amount, "source": new.source, "expiresAt": new.expires_at });
    let movement = movement(core, new)?;
    if users::find(core, account).await?.name == DELETED_NAME {
        return Err(Error::NotFound { what: "user" });
    }
    let act = Act::new(Action::CreditGrant, account).of(account).after(after);
    let row = Line { by, act, at: core.clock.now() };
    let attached = Some(AttachedRow { writer: &Lines, row: Arc::new(row) });
    Ok(core.ledger.post(Post { account, movement, attached }).await?.balance)
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
