//! Rows of refunds that are attached to posts of the ledger. Refunds are rare, so each has statements of its own.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

use crate::Core;
use crate::audit::{self, Act};
use crate::billing::orders::order::{Order, OrderRefund, OrderStatus, RefundStatus};
use crate::billing::orders::state::{RefundRefusal, may_refund};
use crate::billing::orders::store::{self, orders};
use crate::billing::subscriptions::settle;
use crate::caller::AdminAct;
use crate::ledger::{AttachedRow, LedgerPost, Movement, PostError, PostReceipt, RareRow, RareRowWriter};
use crate::mail::{self, Email};

/// When the provider is asked again if its answer is lost.
const REFUND_QUESTION: TimeDelta = TimeDelta::seconds(30);

/// A refund to write.
pub(super) struct NewRefund {
    pub refund: OrderRefund,
    /// The admin's act.
    pub act: Option<(AdminAct, Act)>,
    /// The provider has made it; `None`: it will be asked.
    pub made: Option<RefundByProvider>,
}

/// What is known of a refund that the provider has made without our request.
pub(super) struct RefundByProvider {
    /// What was refunded of the order when it was read.
    pub before: i64,
    /// The mail; `None`: the buyer cannot be mailed.
    pub receipt: Option<Email>,
}

/// Takes the credits of a refund back and writes it; both, or nothing.
pub(super) async fn post(core: &Core, order: &Order, new: NewRefund) -> Result<PostReceipt, PostError> {
    let lots = [(order.bonus_source(), new.refund.bonus_credits), (order.source(), new.refund.credits)];
    let lots: Vec<(String, i64)> = lots.into_iter().filter(|(_, amount)| *amount > 0).collect();
    let movement = if lots.is_empty() { Movement::None } else { Movement::Debits(lots) };
    let attached = Some(AttachedRow { writer: &NEW_REFUND_WRITER, row: Arc::new(new) });
    core.ledger.post(LedgerPost { account: order.user, movement, attached }).await
}

/// Ends an order whose whole money was given back, and the month that it pays; false if some was not.
pub(super) async fn end_refunded(
    connection: &mut PgConnection,
    mut order: Order,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    if store::refunds::given(connection, order.id).await? != order.price.amount {
        return Ok(false);
    }
    order.status = OrderStatus::Refunded;
    orders::set_refunded(connection, &order).await?;
    settle::refunded(connection, &order, now).await?;
    Ok(true)
}

/// Writes new refunds.
static NEW_REFUND_WRITER: RareRowWriter<NewRefund> = RareRowWriter::new(7);

impl RareRow for NewRefund {
    type Refusal = RefundRefusal;

    fn write<'a>(&'a self, connection: &'a mut PgConnection) -> BoxFuture<'a, sqlx::Result<Option<RefundRefusal>>> {
        async move {
            let refund = &self.refund;
            let Some(mut order) = orders::lock(connection, refund.order).await? else {
                return Ok(Some(RefundRefusal::NotPaid));
            };
            if let Err(why) = may_refund(&order, refund.amount, (refund.credits, refund.bonus_credits)) {
                return Ok(Some(why));
            }
            // Another refund was written since, which may be a part of this one.
            if self.made.as_ref().is_some_and(|made| made.before != order.refunded_amount) {
                return Ok(Some(RefundRefusal::TooMuch));
            }
            order.add_refund(refund);
            orders::set_refunded(connection, &order).await?;
            let ask_at = self.made.is_none().then_some(refund.created_at + REFUND_QUESTION);
            store::refunds::insert(connection, refund, ask_at).await?;
            if let Some((by, act)) = &self.act {
                audit::record(connection, by.clone(), act.clone(), refund.created_at).await?;
            }
            if let Some(made) = &self.made {
                if let Some(receipt) = &made.receipt {
                    mail::queue_receipt(connection, receipt, refund.created_at).await?;
                }
                end_refunded(connection, order, refund.created_at).await?;
            }
            Ok(None)
        }
        .boxed()
    }
}

pub(super) struct RefusedRefund {
    pub refund: OrderRefund,
    pub at: DateTime<Utc>,
}

/// Writes refunds that the provider has refused.
pub(super) static REFUSED_WRITER: RareRowWriter<RefusedRefund> = RareRowWriter::new(8);

/// The refund has ended already.
pub(super) struct RefundEnded;

impl RareRow for RefusedRefund {
    type Refusal = RefundEnded;

    fn write<'a>(&'a self, connection: &'a mut PgConnection) -> BoxFuture<'a, sqlx::Result<Option<RefundEnded>>> {
        async move {
            let Self { refund, at } = self;
            let Some(mut order) = orders::lock(connection, refund.order).await? else { return Ok(Some(RefundEnded)) };
            if !store::refunds::end(connection, refund.id, RefundStatus::Refused.name(), *at).await? {
                return Ok(Some(RefundEnded));
            }
            order.remove_refund(refund);
            orders::set_refunded(connection, &order).await?;
            Ok(None)
        }
        .boxed()
    }
}
