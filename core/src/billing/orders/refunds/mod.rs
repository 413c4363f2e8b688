//! Refunds: the credits are taken back first, then the provider gives the money back.
//!
//! Of a bonus, a refund of a part of the money takes back the same part, rounded down; a refund of the rest takes back
//! all that is left. Buyers themselves have their money back only while nothing of the pack and of the bonus is used.
//!
//! The refund is attached to the debit of the ledger: both are committed, or neither. If the provider refuses it, the
//! credits return with a grant of their own; if its answer is lost, it is asked again with the same key.
//!
//! Money that a provider gives back without our request is in `at_provider`.

mod at_provider;
mod writers;

pub(super) use self::at_provider::follow;
pub(in crate::billing) use self::at_provider::{note_refund, note_refunded_sale};

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use self::writers::{NewRefund, REFUSED_WRITER, RefusedRefund, end_refunded, post};
use super::lists::{UNKNOWN, find_any, find_own, left_of, own_row};
use super::order::{Order, OrderRefund, OrderStatus, OrderWithRefunds, RefundStatus};
use super::receipts;
use super::state::{RefundRefusal, bonus_to_take, own_refund_until};
use super::store::{self, orders, payments};
use crate::audit::{Act, Action};
use crate::billing::money::Money;
use crate::billing::providers::CallError;
use crate::billing::text::reason_text;
use crate::caller::AdminAct;
use crate::ids::OrderId;
use crate::ledger::{AttachedRow, Denial, GrantKind, LedgerPost, Movement, NewGrant, PostError};
use crate::{Caller, Code, Core, Error, Result, database, mail, users};

/// The reason of the refund of a month that PayPal has charged after the cancellation.
const LATE_REASON: &str = "charged after the cancellation";
/// The reason of a refund that a buyer asked for.
const OWN_REASON: &str = "asked by the buyer";

/// Refunds the caller's order as a whole.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::ConflictWith`] with `ORDER_NOT_REFUNDABLE` and `why`;
/// [`Error::Unavailable`] if the ledger is busy.
pub async fn refund_own(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let order = own_row(core, caller, id).await?;
    let left = left_of(core, &order).await?;
    own_refund_until(&order, left, core.clock.now()).map_err(not_refundable)?;
    let (credits, now) = ((order.credits, order.bonus_credits()), core.clock.now());
    let refund = OrderRefund::asked(order.id, order.price.amount, credits, OWN_REASON.to_owned(), now);
    begin(core, &order, &refund, None).await?;
    find_own(core, caller, id).await
}

/// Refunds a part of an order, or the whole, and takes back credits of it, and the bonus in proportion.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`]
/// for a field; [`Error::ConflictWith`] with `ORDER_NOT_REFUNDABLE` and `why`; [`Error::Unavailable`] if the ledger is
/// busy.
pub async fn refund(
    core: &Core,
    caller: &Caller,
    id: OrderId,
    (amount, credits): (i64, i64),
    reason: &str,
) -> Result<OrderWithRefunds> {
    let by = caller.must_be_admin()?;
    let reason = reason_text(reason)?;
    let order = orders::find(&core.db, id).await?.ok_or(UNKNOWN)?;
    let (money_left, left) = (order.money_left(), left_of(core, &order).await?);
    if order.status == OrderStatus::Paid {
        if !(1..=money_left).contains(&amount) {
            return Err(Error::invalid("amount", format!("must be between 1 and {money_left}, which is left")));
        }
        if !(0..=left.pack).contains(&credits) {
            return Err(Error::invalid("credits", format!("must be between 0 and {}, which are left", left.pack)));
        }
    }
    let bonus = bonus_to_take(&order, amount, left.bonus);
    let after = json!({
        "amount": amount, "currency": order.price.currency.name(), "credits": credits, "bonusCredits": bonus,
        "reason": reason,
    });
    let act = Act::new(Action::OrderRefund, id).of(order.user).after(after);
    let refund = OrderRefund::asked(id, amount, (credits, bonus), reason, core.clock.now());
    begin(core, &order, &refund, Some((by, act))).await?;
    find_any(core, caller, id).await
}

/// The credits of an order that are neither used nor held, have not expired and were not taken back.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin.
pub async fn credits_left(core: &Core, caller: &Caller, order: &Order) -> Result<i64> {
    caller.must_be_admin()?.read_only();
    Ok(left_of(core, order).await?.pack)
}

fn not_refundable(why: RefundRefusal) -> Error {
    let message = match why {
        RefundRefusal::NotPaid => "this order is not paid",
        RefundRefusal::Used => "credits of this order were used, or it was refunded in part",
        RefundRefusal::TooLate => "the time for a refund is over",
        RefundRefusal::TooMuch => "more than is left of this order",
    };
    Error::ConflictWith {
        code: Code::OrderNotRefundable,
        message: message.to_owned(),
        details: json!({ "why": why.name() }),
    }
}

/// Takes the credits back and writes the refund, with the admin's act, then asks the provider.
async fn begin(core: &Core, order: &Order, refund: &OrderRefund, act: Option<(AdminAct, Act)>) -> Result<()> {
    match post(core, order, NewRefund { refund: refund.clone(), act, made: None }).await {
        Ok(_) => {}
        Err(PostError::Refused(why)) => {
            return Err(match why.downcast::<RefundRefusal>() {
                Ok(why) => not_refundable(*why),
                Err(other) => PostError::Refused(other).into(),
            });
        }
        Err(PostError::Denied(Denial::LotTooSmall { .. })) => return Err(not_refundable(RefundRefusal::Used)),
        Err(error) => return Err(error.into()),
    }
    give(core, refund).await
}

/// Asks for the whole money of an order without credits, in the transaction that makes it paid. The upkeep task goes on.
pub(super) async fn ask_back(connection: &mut PgConnection, id: OrderId, at: DateTime<Utc>) -> sqlx::Result<()> {
    let Some(mut order) = orders::lock(connection, id).await? else { return Ok(()) };
    let refund = OrderRefund::asked(id, order.price.amount, (0, 0), LATE_REASON.to_owned(), at);
    order.add_refund(&refund);
    orders::set_refunded(connection, &order).await?;
    store::refunds::insert(connection, &refund, Some(at)).await
}

/// Asks the provider to give the money back, and writes what it says.
///
/// # Errors
/// If the database or the ledger does not answer; the refund is then followed again.
pub(super) async fn give(core: &Core, refund: &OrderRefund) -> Result<()> {
    let Some(order) = orders::find(&core.db, refund.order).await? else { return Ok(()) };
    let Some(charge) = payments::charge_of(&core.db, order.id).await? else { return Ok(()) };
    let money = Money { amount: refund.amount, currency: order.price.currency };
    match order.provider.refund(core, refund.id.0, &charge, money).await {
        Ok(()) => finish(core, &order, refund).await,
        Err(CallError::Refused(why)) => {
            tracing::error!(why, order.id = %order.id, "{} refused to refund order {}", order.provider.name(), order.id);
            give_back(core, &order, refund).await
        }
        Err(CallError::Unknown(why)) => {
            tracing::warn!(why, order.id = %order.id, "a refund of order {} has no answer", order.id);
            Ok(())
        }
    }
}

/// The provider has given the money back.
async fn finish(core: &Core, order: &Order, refund: &OrderRefund) -> Result<()> {
    let now = core.clock.now();
    let receipt = receipts::of_refund(core, order, refund, now).await?;
    let mut ended = None;
    let mut tx = database::begin(&core.db).await?;
    if let Some(order) = orders::lock(&mut tx, refund.order).await?
        && store::refunds::end(&mut tx, refund.id, RefundStatus::Done.name(), now).await?
    {
        if let Some(receipt) = &receipt {
            mail::queue_receipt(&mut tx, receipt, now).await?;
        }
        let user = order.user;
        if end_refunded(&mut tx, order, now).await? {
            ended = Some(user);
        }
    }
    tx.commit().await?;
    mail::wake_sending(core);
    if let Some(user) = ended {
        users::invalidate(core, user).await;
    }
    Ok(())
}

/// The provider gives nothing back, so the credits return.
async fn give_back(core: &Core, order: &Order, refund: &OrderRefund) -> Result<()> {
    let (kind, expires_at) = (GrantKind::Purchase, order.expires_at);
    let lots: Vec<NewGrant> = [("refund", refund.credits), ("refund-bonus", refund.bonus_credits)]
        .into_iter()
        .filter(|(_, amount)| *amount > 0)
        .map(|(what, amount)| NewGrant { kind, source: format!("{what}:{}", refund.id), amount, expires_at })
        .collect();
    let movement = if lots.is_empty() { Movement::None } else { Movement::Grants(lots) };
    let row = RefusedRefund { refund: refund.clone(), at: core.clock.now() };
    let attached = Some(AttachedRow { writer: &REFUSED_WRITER, row: Arc::new(row) });
    match core.ledger.post(LedgerPost { account: order.user, movement, attached }).await {
        Ok(_) | Err(PostError::Refused(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
