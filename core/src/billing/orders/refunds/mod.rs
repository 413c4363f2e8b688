//! Refunds: the credits are taken back first, then the provider gives the money back.
//!
//! Of a bonus, a refund of a part of the money takes back the same part, rounded down; a refund of the rest takes back
//! all that is left. Buyers themselves have their money back only while nothing of the pack and of the bonus is used.
//!
//! The refund is attached to the debit of the ledger: both are committed, or neither. If the provider refuses it, the
//! credits return with a grant of their own; if its answer is lost, it is asked again with the same key.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::PgConnection;

use super::lists::{UNKNOWN, find_any, find_own, left_of, own_row};
use super::order::{Order, OrderRefund, OrderStatus, OrderWithRefunds, RefundStatus};
use super::receipts;
use super::state::{RefundRefusal, bonus_to_take, may_refund, own_refund_until};
use super::store::{self, orders, payments};
use crate::audit::{self, Act, Action};
use crate::billing::money::Money;
use crate::billing::providers::CallError;
use crate::billing::subscriptions::settle;
use crate::billing::text::reason_text;
use crate::caller::AdminAct;
use crate::ids::{OrderId, RefundId};
use crate::ledger::{
    AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, Denial, GrantKind, LedgerPost, Movement, NewGrant,
    PostError, typed_rows,
};
use crate::{Caller, Code, Core, Error, Result, database, mail, users};

/// The reason of the refund of a month that PayPal has charged after the cancellation.
const LATE_REASON: &str = "charged after the cancellation";
/// The reason of a refund that a buyer asked for.
const OWN_REASON: &str = "asked by the buyer";
/// When the provider is asked again if its answer is lost.
const REFUND_QUESTION: TimeDelta = TimeDelta::seconds(30);

/// Refunds the caller's order as a whole.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::ConflictWith`] with `ORDER_NOT_REFUNDABLE` and `why`;
/// [`Error::Unavailable`] if the ledger is busy.
pub async fn refund_own(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let order = own_row(core, caller, id).await?;
    let left = left_of(core, &order).await?;
    own_refund_until(&order, left, core.clock.now()).map_err(not_refundable)?;
    let (amount, credits, bonus) = (order.price.amount, order.credits, order.bonus_credits());
    begin(core, &order, NewRefund { amount, credits, bonus, reason: OWN_REASON.into(), act: None }).await?;
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
    let (money_left, left) = (order.price.amount - order.refunded_amount, left_of(core, &order).await?);
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
    begin(core, &order, NewRefund { amount, credits, bonus, reason, act: Some((by, act)) }).await?;
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

/// A refund to begin, and the admin's act.
struct NewRefund {
    amount: i64,
    credits: i64,
    /// Bonus credits.
    bonus: i64,
    reason: String,
    act: Option<(AdminAct, Act)>,
}

/// Takes the credits back and writes the refund, then asks the provider.
async fn begin(core: &Core, order: &Order, new: NewRefund) -> Result<()> {
    let refund = OrderRefund {
        id: RefundId::new(),
        order: order.id,
        amount: new.amount,
        credits: new.credits,
        bonus_credits: new.bonus,
        reason: new.reason,
        status: RefundStatus::Asked,
        created_at: core.clock.now(),
        ended_at: None,
    };
    let lots = [(order.bonus_source(), new.bonus), (order.source(), new.credits)];
    let lots: Vec<(String, i64)> = lots.into_iter().filter(|(_, amount)| *amount > 0).collect();
    let movement = if lots.is_empty() { Movement::None } else { Movement::Debits(lots) };
    let row = AskedRefund { refund: refund.clone(), act: new.act };
    let attached = Some(AttachedRow { writer: &AskedWriter, row: Arc::new(row) });
    match core.ledger.post(LedgerPost { account: order.user, movement, attached }).await {
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
    give(core, &refund).await
}

/// Asks for the whole money of an order without credits, in the transaction that makes it paid. The upkeep task goes on.
pub(super) async fn ask_back(connection: &mut PgConnection, id: OrderId, at: DateTime<Utc>) -> sqlx::Result<()> {
    let Some(mut order) = orders::lock(connection, id).await? else { return Ok(()) };
    order.refunded_amount = order.price.amount;
    orders::set_refunded(connection, &order).await?;
    let refund = OrderRefund {
        id: RefundId::new(),
        order: id,
        amount: order.price.amount,
        credits: 0,
        bonus_credits: 0,
        reason: LATE_REASON.to_owned(),
        status: RefundStatus::Asked,
        created_at: at,
        ended_at: None,
    };
    store::refunds::insert(connection, &refund, at).await
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
    if let Some(mut order) = orders::lock(&mut tx, refund.order).await?
        && store::refunds::end(&mut tx, refund.id, RefundStatus::Done.name(), now).await?
    {
        if let Some(receipt) = &receipt {
            mail::queue_receipt(&mut tx, receipt, now).await?;
        }
        if store::refunds::given(&mut tx, order.id).await? == order.price.amount {
            order.status = OrderStatus::Refunded;
            orders::set_refunded(&mut tx, &order).await?;
            settle::refunded(&mut tx, &order, now).await?;
            ended = Some(order.user);
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
    let attached = Some(AttachedRow { writer: &RefusedWriter, row: Arc::new(row) });
    match core.ledger.post(LedgerPost { account: order.user, movement, attached }).await {
        Ok(_) | Err(PostError::Refused(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

struct AskedRefund {
    refund: OrderRefund,
    act: Option<(AdminAct, Act)>,
}

/// Writes refunds that are asked for. They are rare, so each has statements of its own.
struct AskedWriter;

impl AttachedWriter for AskedWriter {
    fn order(&self) -> u8 {
        7
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            let mut outcomes = Vec::with_capacity(rows.len());
            for AskedRefund { refund, act } in typed_rows::<AskedRefund>(rows)? {
                let order = orders::lock(connection, refund.order).await?;
                let refused = match &order {
                    Some(order) => may_refund(order, refund.amount, (refund.credits, refund.bonus_credits)).err(),
                    None => Some(RefundRefusal::NotPaid),
                };
                if let (Some(mut order), None) = (order, refused) {
                    order.refunded_amount += refund.amount;
                    order.refunded_credits += refund.credits;
                    order.refunded_bonus += refund.bonus_credits;
                    orders::set_refunded(connection, &order).await?;
                    store::refunds::insert(connection, refund, refund.created_at + REFUND_QUESTION).await?;
                    if let Some((by, act)) = act {
                        audit::record(connection, by.clone(), act.clone(), refund.created_at).await?;
                    }
                }
                outcomes.push(refused.map_or(AttachedOutcome::Done, |why| AttachedOutcome::Refused(Box::new(why))));
            }
            Ok(outcomes)
        }
        .boxed()
    }
}

struct RefusedRefund {
    refund: OrderRefund,
    at: DateTime<Utc>,
}

/// Writes refunds that the provider has refused.
struct RefusedWriter;

impl AttachedWriter for RefusedWriter {
    fn order(&self) -> u8 {
        8
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            let mut outcomes = Vec::with_capacity(rows.len());
            for RefusedRefund { refund, at } in typed_rows::<RefusedRefund>(rows)? {
                let order = orders::lock(connection, refund.order).await?;
                if let Some(mut order) = order
                    && store::refunds::end(connection, refund.id, RefundStatus::Refused.name(), *at).await?
                {
                    order.refunded_amount -= refund.amount;
                    order.refunded_credits -= refund.credits;
                    order.refunded_bonus -= refund.bonus_credits;
                    orders::set_refunded(connection, &order).await?;
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
