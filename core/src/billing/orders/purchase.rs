//! The moment of a purchase: the credits are a post to the ledger, and the payment and its order are attached to it. All
//! are committed, or nothing is. The buyer's receipt is queued with them. A sale, which a provider has charged by itself,
//! has no rows before this moment.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

use super::order::{Order, Payment};
use super::receipts;
use super::refunds;
use super::store::{orders, payments};
use crate::billing::providers::ProviderName;
use crate::billing::subscriptions::settle;
use crate::billing::{coupons, promotions};
use crate::ids::PaymentId;
use crate::ledger::{
    AttachedRow, GrantKind, LedgerPost, Movement, NewGrant, PostError, PostReceipt, RareRow, RareRowWriter,
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

/// What a sale is booked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::billing) enum SaleUse {
    /// It pays the next month.
    Month,
    /// It came after the cancellation: the money is given back.
    Returned,
}

/// What became of a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::billing) enum SaleBooking {
    /// It has its order, by this call or an earlier one.
    Booked,
    /// The subscription has changed since the order was made for it.
    Outdated,
}

/// Books a sale of a subscription with its order, which is new. A repetition changes nothing.
///
/// # Errors
/// As [`crate::ledger::grant`]; nothing is booked then.
pub(in crate::billing) async fn book_sale(
    core: &Core,
    order: Order,
    sale: &str,
    sale_use: SaleUse,
) -> Result<SaleBooking> {
    let (user, payment) = (order.user, Payment::new(&order, None));
    let taken = taken_payment(core, &payment, order, sale).await?;
    match post(core, TakenPayment { sale: Some((payment, sale_use)), ..taken }).await {
        Ok(_) => {
            mail::wake_sending(core);
            users::invalidate(core, user).await;
            // A returned one waits for its refund.
            core.payments.wake_up().notify_one();
            Ok(SaleBooking::Booked)
        }
        Err(PostError::Refused(why)) => Ok(match why.downcast_ref::<TakeRefusal>() {
            Some(TakeRefusal::Outdated) => SaleBooking::Outdated,
            _ => SaleBooking::Booked,
        }),
        Err(error) => Err(error.into()),
    }
}

/// Whether a sale has its order.
pub(in crate::billing) async fn is_booked(core: &Core, provider: ProviderName, sale: &str) -> sqlx::Result<bool> {
    payments::is_known(&core.db, provider, sale).await
}

/// The payment with the credits' end and the receipt.
async fn taken_payment(core: &Core, payment: &Payment, order: Order, charge: &str) -> Result<TakenPayment> {
    let now = core.clock.now();
    let expires_at = match &order.period {
        Some(period) => period.until,
        None => now + TimeDelta::days(i64::from(core.settings.credits.days)),
    };
    let receipt = receipts::of_payment(core, &order, payment.method, now).await?;
    Ok(TakenPayment { id: payment.id, order, charge: charge.to_owned(), paid_at: now, expires_at, receipt, sale: None })
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
    let attached = Some(AttachedRow { writer: &TAKEN_WRITER, row: Arc::new(taken) });
    core.ledger.post(LedgerPost { account, movement, attached }).await
}

/// Why a payment is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TakeRefusal {
    /// It is known that its money is taken.
    Taken,
    /// The account had a bonus or has paid another pack, so this order gives none.
    NoBonus,
    /// The order of a sale does not pay the next month of its subscription.
    Outdated,
}

struct TakenPayment {
    id: PaymentId,
    order: Order,
    charge: String,
    paid_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// The mail; `None`: the buyer cannot be mailed.
    receipt: Option<Email>,
    /// The rows of a sale, which are new.
    sale: Option<(Payment, SaleUse)>,
}

/// Writes the payments of a batch.
static TAKEN_WRITER: RareRowWriter<TakenPayment> = RareRowWriter::new(6);

impl RareRow for TakenPayment {
    type Refusal = TakeRefusal;

    fn write<'a>(&'a self, connection: &'a mut PgConnection) -> BoxFuture<'a, sqlx::Result<Option<TakeRefusal>>> {
        async move {
            let order = &self.order;
            let account = (order.user, order.id);
            let refused = match &self.sale {
                Some((payment, sale_use)) => self.insert_sale(connection, payment, *sale_use).await?,
                None => (!payments::lock_open(connection, self.id).await?).then_some(TakeRefusal::Taken),
            };
            if refused.is_some() {
                return Ok(refused);
            }
            if let Some(bonus) = order.bonus
                && !promotions::claim_bonus(connection, account, bonus, self.paid_at).await?
            {
                return Ok(Some(TakeRefusal::NoBonus));
            }
            if self.sale.is_none() {
                payments::take(connection, self.id, &self.charge).await?;
            }
            orders::pay(connection, order, self.paid_at, self.expires_at).await?;
            if let Some(discount) = &order.discount {
                coupons::keep_use(connection, account, discount, self.paid_at).await?;
            }
            settle::paid(connection, order).await?;
            if let Some(receipt) = &self.receipt {
                mail::queue_receipt(connection, receipt, self.paid_at).await?;
            }
            if self.sale.as_ref().is_some_and(|(_, sale_use)| *sale_use == SaleUse::Returned) {
                refunds::ask_back(connection, order.id, self.paid_at).await?;
            }
            Ok(None)
        }
        .boxed()
    }
}

impl TakenPayment {
    /// Inserts the order and the payment of a sale, or nothing if it is refused. The lock of the subscription keeps other
    /// nodes from booking the sale at the same time.
    async fn insert_sale(
        &self,
        connection: &mut PgConnection,
        payment: &Payment,
        sale_use: SaleUse,
    ) -> sqlx::Result<Option<TakeRefusal>> {
        let is_next = settle::awaits(connection, &self.order, sale_use == SaleUse::Returned).await?;
        if payments::is_known(&mut *connection, self.order.provider, &self.charge).await? {
            return Ok(Some(TakeRefusal::Taken));
        }
        if !is_next {
            return Ok(Some(TakeRefusal::Outdated));
        }
        orders::insert(connection, None, &self.order).await?;
        payments::insert_sale(connection, payment, &self.charge).await?;
        Ok(None)
    }
}
