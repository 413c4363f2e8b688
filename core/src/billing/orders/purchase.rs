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
use crate::billing::{coupons, promotions};
use crate::ids::PaymentId;
use crate::ledger::{
    AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, GrantKind, LedgerPost, Movement, NewGrant, PostError,
    PostReceipt, typed_rows,
};
use crate::mail::{self, Email};
use crate::{Core, Result, users};

/// When the provider is asked about a charge without an answer.
pub(super) const CHARGE_QUESTION: TimeDelta = TimeDelta::seconds(10);

/// Gives the credits of a payment whose money is taken, and the bonus that was promised with its order. A repetition
/// changes nothing.
///
/// # Errors
/// As [`crate::ledger::grant`]; the payment is then followed again.
pub(super) async fn take(core: &Core, payment: &Payment, charge: String) -> Result<()> {
    let Some(order) = orders::find(&core.db, payment.order).await? else { return Ok(()) };
    let (user, has_plan) = (order.user, order.period.is_some());
    let taken = match post(core, taken_payment(core, payment, order.clone(), &charge).await?).await {
        // Another order of the account was paid first.
        Err(PostError::Refused(why)) if why.downcast_ref::<TakeRefusal>() == Some(&TakeRefusal::NoBonus) => {
            post(core, taken_payment(core, payment, Order { bonus: None, ..order }, &charge).await?).await
        }
        taken => taken,
    };
    match taken {
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

/// The payment with the credits' end and the receipt.
async fn taken_payment(core: &Core, payment: &Payment, order: Order, charge: &str) -> Result<TakenPayment> {
    let now = core.clock.now();
    let expires_at = match &order.period {
        Some(period) => period.until,
        None => now + TimeDelta::days(i64::from(core.settings.credits.days)),
    };
    let receipt = receipts::of_payment(core, &order, payment.method, now).await?;
    Ok(TakenPayment { id: payment.id, order, charge: charge.to_owned(), paid_at: now, expires_at, receipt })
}

async fn post(core: &Core, taken: TakenPayment) -> std::result::Result<PostReceipt, PostError> {
    let order = &taken.order;
    let kind = if order.period.is_some() { GrantKind::Plan } else { GrantKind::Purchase };
    let lots: Vec<NewGrant> = [(order.source(), order.credits), (order.bonus_source(), order.bonus_credits())]
        .into_iter()
        .filter(|(_, amount)| *amount > 0)
        .map(|(source, amount)| NewGrant { kind, source, amount, expires_at: Some(taken.expires_at) })
        .collect();
    let movement = if lots.is_empty() { Movement::None } else { Movement::Grants(lots) };
    let account = order.user;
    let attached = Some(AttachedRow { writer: &TakenWriter, row: Arc::new(taken) });
    core.ledger.post(LedgerPost { account, movement, attached }).await
}

/// Why a payment is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TakeRefusal {
    /// It is known that its money is taken.
    Taken,
    /// The account had a bonus or has paid another pack, so this order gives none.
    NoBonus,
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

impl TakenPayment {
    /// Writes it, or nothing if it is refused.
    async fn write(&self, connection: &mut PgConnection) -> sqlx::Result<Option<TakeRefusal>> {
        let order = &self.order;
        let account = (order.user, order.id);
        if !payments::lock_open(connection, self.id).await? {
            return Ok(Some(TakeRefusal::Taken));
        }
        if let Some(bonus) = order.bonus
            && !promotions::claim_bonus(connection, account, bonus, self.paid_at).await?
        {
            return Ok(Some(TakeRefusal::NoBonus));
        }
        payments::take(connection, self.id, &self.charge).await?;
        orders::pay(connection, order, self.paid_at, self.expires_at).await?;
        if let Some(discount) = &order.discount {
            coupons::keep_use(connection, account, discount, self.paid_at).await?;
        }
        settle::paid(connection, order).await?;
        if let Some(receipt) = &self.receipt {
            mail::queue_receipt(connection, receipt, self.paid_at).await?;
        }
        Ok(None)
    }
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
                let refused = row.write(connection).await?;
                outcomes.push(refused.map_or(AttachedOutcome::Done, |why| AttachedOutcome::Refused(Box::new(why))));
            }
            Ok(outcomes)
        }
        .boxed()
    }
}
