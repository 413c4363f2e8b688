//! The moment of a purchase: the credits are a post to the ledger, and the payment and its order are attached to it. All
//! are committed, or nothing is. The buyer's receipt is queued with them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

use super::order::{Order, Payment};
use super::receipts;
use super::store::{orders, payments};
use crate::billing::subscriptions::settle;
use crate::ids::PaymentId;
use crate::ledger::{
    AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, GrantKind, LedgerPost, Movement, PostError, typed_rows,
};
use crate::mail::{self, Email};
use crate::{Core, Result, users};

/// When the provider is asked about a charge without an answer.
pub(super) const CHARGE_QUESTION: TimeDelta = TimeDelta::seconds(10);

/// Gives the credits of a payment whose money is taken. A repetition changes nothing.
///
/// # Errors
/// As [`crate::ledger::grant`]; the payment is then followed again.
pub(super) async fn take(core: &Core, payment: &Payment, charge: String) -> Result<()> {
    let now = core.clock.now();
    let Some(order) = orders::find(&core.db, payment.order).await? else { return Ok(()) };
    let (kind, expires_at) = match &order.period {
        Some(period) => (GrantKind::Plan, period.until),
        None => (GrantKind::Purchase, now + TimeDelta::days(i64::from(core.settings.credits.days))),
    };
    let movement = match order.credits {
        0 => Movement::None,
        amount => Movement::Grant { kind, source: order.source(), amount, expires_at: Some(expires_at) },
    };
    let (user, has_plan) = (order.user, order.period.is_some());
    let receipt = receipts::of_payment(core, &order, payment.method, now).await?;
    let row = TakenPayment { id: payment.id, order, charge, paid_at: now, expires_at, receipt };
    let attached = Some(AttachedRow { writer: &TakenWriter, row: Arc::new(row) });
    match core.ledger.post(LedgerPost { account: user, movement, attached }).await {
        Ok(_) => {
            mail::wake_sending(core);
            if has_plan {
                users::invalidate(core, user).await;
            }
            Ok(())
        }
        // Another one has taken it.
        Err(PostError::Refused(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

struct TakenPayment {
    id: PaymentId,
    order: Order,
    charge: String,
    paid_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// The mail; `None`: the buyer cannot be mailed.
    receipt: Option<Email>,
}

/// Writes the payments of a batch. Purchases are rare, so each has statements of its own.
struct TakenWriter;

impl AttachedWriter for TakenWriter {
    fn order(&self) -> u8 {
        6
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            let mut outcomes = Vec::with_capacity(rows.len());
            for row in typed_rows::<TakenPayment>(rows)? {
                if payments::take(connection, row.id, &row.charge).await? {
                    orders::pay(connection, row.order.id, row.paid_at, row.expires_at).await?;
                    settle::paid(connection, &row.order).await?;
                    if let Some(receipt) = &row.receipt {
                        mail::queue_receipt(connection, receipt, row.paid_at).await?;
                    }
                    outcomes.push(AttachedOutcome::Done);
                } else {
                    outcomes.push(AttachedOutcome::Refused(Box::new(())));
                }
            }
            Ok(outcomes)
        }
        .boxed()
    }
}
