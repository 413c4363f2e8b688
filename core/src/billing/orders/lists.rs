//! Reading single orders, and what is left of their credits. Lists are in `history`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::order::{Order, OrderStatus, OrderWithRefunds};
use super::state::{CreditsLeft, own_refund_until};
use super::store::{orders, refunds};
use crate::ids::{OrderId, SubscriptionId, UserId};
use crate::ledger::{self, Grant};
use crate::{Caller, Core, Error, Result};

/// An order of the caller.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for another user's order.
pub async fn find_own(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let mut order = own_row(core, caller, id).await?;
    if order.status == OrderStatus::Paid {
        let left = left_of(core, &order).await?;
        order.refundable_until = own_refund_until(&order, left, core.clock.now()).ok();
    }
    Ok(order)
}

/// Anybody's order.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`].
pub async fn find_any(core: &Core, caller: &Caller, id: OrderId) -> Result<OrderWithRefunds> {
    caller.must_be_admin()?.read_only();
    let order = orders::find(&core.db, id).await?.ok_or(UNKNOWN)?;
    let refunds = refunds::of_orders(&core.db, &[id.0]).await?;
    Ok(OrderWithRefunds { order, refunds })
}

/// The newest order of each of these subscriptions.
pub(in crate::billing) async fn newest_of_subscriptions(
    core: &Core,
    ids: &[SubscriptionId],
) -> Result<HashMap<SubscriptionId, Order>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let found = orders::newest_of_subscriptions(&core.db, &ids).await?.into_iter();
    Ok(found.filter_map(|order| Some((order.period.as_ref()?.subscription, order))).collect())
}

pub(super) const UNKNOWN: Error = Error::NotFound { what: "order" };

pub(super) async fn own_row(core: &Core, caller: &Caller, id: OrderId) -> Result<Order> {
    let user = caller.signed_in()?;
    orders::find(&core.db, id).await?.filter(|order| order.user == user).ok_or(UNKNOWN)
}

/// What is left of the credits of an order.
pub(super) async fn left_of(core: &Core, order: &Order) -> Result<CreditsLeft> {
    let lots = lots_of(core, order.user, &[order]).await?;
    Ok(left_in(&lots, order, core.clock.now()))
}

/// The grants of these orders of a user, by their sources.
pub(super) async fn lots_of(core: &Core, user: UserId, orders: &[&Order]) -> Result<HashMap<String, Grant>> {
    let sources: Vec<String> = orders.iter().flat_map(|order| [order.source(), order.bonus_source()]).collect();
    let sources: Vec<(UserId, &str)> = sources.iter().map(|source| (user, source.as_str())).collect();
    Ok(ledger::lots(core, &sources).await?.into_iter().map(|(_, lot)| (lot.source.clone(), lot)).collect())
}

pub(super) fn left_in(lots: &HashMap<String, Grant>, order: &Order, now: DateTime<Utc>) -> CreditsLeft {
    let left = |source: String| lots.get(&source).map_or(0, |lot| lot.available_at(now));
    CreditsLeft { pack: left(order.source()), bonus: left(order.bonus_source()) }
}
