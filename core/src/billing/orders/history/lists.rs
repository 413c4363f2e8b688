//! Reading the history: the caller's own, and that of all users for admins.

use std::cmp::Reverse;
use std::collections::HashMap;

use uuid::Uuid;

use super::given::{OrderProvider, PaymentType};
use super::line::{HistoryLine, HistoryOrder, OrderFilter};
use super::store::{self, HistoryRows};
use crate::billing::items::ProductKind;
use crate::billing::orders::lists::{UNKNOWN, find_any, find_own, left_in, lots_of};
use crate::billing::orders::order::{Order, OrderRefund, OrderStatus};
use crate::billing::orders::state::own_refund_until;
use crate::billing::orders::store::orders::{self, OrderRows};
use crate::billing::orders::store::refunds;
use crate::billing::text::address_or_id;
use crate::ids::{OrderId, UserId};
use crate::list::{Cursor, ListQuery, Page};
use crate::periods::TimesOfDays;
use crate::{Caller, Core, Error, Result, users};

/// The caller's orders and what the caller was given, newest first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn own(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<HistoryOrder>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    let rows = rows_of(core, &OrderFilter::default(), Some(user))?;
    let mut found = history(core, &rows, keyset.after.id, keyset.limit).await?;
    let bought = found.iter().filter_map(HistoryOrder::bought);
    let paid: Vec<&Order> = bought.filter(|order| order.status == OrderStatus::Paid).collect();
    let lots = lots_of(core, user, &paid).await?;
    let now = core.clock.now();
    for one in &mut found {
        if let HistoryOrder::Bought(order) = one {
            order.refundable_until = own_refund_until(order, left_in(&lots, order, now), now).ok();
        }
    }
    Ok(keyset.page(found, |last| Cursor::of(last.id())))
}

/// The orders of all users and what they were given, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a search text that
/// is too long, days in the wrong order, or a cursor that this list did not return.
pub async fn list(core: &Core, caller: &Caller, query: ListQuery<'_, OrderFilter<'_>>) -> Result<Page<HistoryLine>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let found = history(core, &rows_of(core, &query.filter, None)?, keyset.after.id, keyset.limit).await?;
    let page = keyset.page(found, |last| Cursor::of(last.id()));
    let ids: Vec<Uuid> = page.items.iter().map(|order| order.id().0).collect();
    let mut by_order: HashMap<OrderId, Vec<OrderRefund>> = HashMap::new();
    for refund in refunds::of_orders(&core.db, &ids).await? {
        by_order.entry(refund.order).or_default().push(refund);
    }
    let with_refunds = |order: HistoryOrder| {
        let refunds = by_order.remove(&order.id()).unwrap_or_default();
        HistoryLine { order, refunds }
    };
    Ok(Page { items: page.items.into_iter().map(with_refunds).collect(), next_cursor: page.next_cursor })
}

/// What [`list`] has before an order: at most `limit`, without refunds.
///
/// # Errors
/// As [`list`].
pub async fn lines(
    core: &Core,
    caller: &Caller,
    filter: &OrderFilter<'_>,
    before: Option<OrderId>,
    limit: i64,
) -> Result<Vec<HistoryOrder>> {
    caller.must_be_admin()?.read_only();
    history(core, &rows_of(core, filter, None)?, before.map_or(Uuid::max(), |id| id.0), limit).await
}

/// An order of the caller, or something that the caller was given.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for another user's.
pub async fn find_in_history(core: &Core, caller: &Caller, id: OrderId) -> Result<HistoryOrder> {
    let user = caller.signed_in()?;
    match find_own(core, caller, id).await {
        Err(Error::NotFound { .. }) => find_given(core, Some(user), id).await?.ok_or(UNKNOWN),
        found => found.map(HistoryOrder::from),
    }
}

/// An order of any user, or something that a user was given.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`].
pub async fn find_any_in_history(core: &Core, caller: &Caller, id: OrderId) -> Result<HistoryLine> {
    match find_any(core, caller, id).await {
        Err(Error::NotFound { .. }) => {
            let order = find_given(core, None, id).await?.ok_or(UNKNOWN)?;
            Ok(HistoryLine { order, refunds: Vec::new() })
        }
        found => found.map(HistoryLine::from),
    }
}

/// The newest orders of a user and what the user was given, at most `limit`, as admins see them.
pub(in crate::billing) async fn newest_of_user(core: &Core, user: UserId, limit: i64) -> Result<Vec<HistoryOrder>> {
    let rows = rows_of(core, &OrderFilter::default(), Some(user))?;
    history(core, &rows, Uuid::max(), limit).await
}

/// Orders and what was given before an id, newest first. Both are read up to the limit, because either can have all.
async fn history(core: &Core, rows: &HistoryRows, before: Uuid, limit: i64) -> Result<Vec<HistoryOrder>> {
    let mut found: Vec<HistoryOrder> = Vec::new();
    if rows.has(PaymentType::Payment) {
        found.extend(orders::list(&core.db, &rows.orders, before, limit).await?.into_iter().map(HistoryOrder::from));
    }
    if rows.has(PaymentType::Coupon) || rows.has(PaymentType::Free) {
        found.extend(store::given(&core.db, rows, before, limit).await?.into_iter().map(HistoryOrder::Given));
    }
    found.sort_unstable_by_key(|order| Reverse(order.id()));
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}

/// What was given by this act: to this user, if one is named.
async fn find_given(core: &Core, user: Option<UserId>, id: OrderId) -> Result<Option<HistoryOrder>> {
    let mut rows = rows_of(core, &OrderFilter::default(), user)?;
    rows.only = Some(id.0);
    Ok(store::given(&core.db, &rows, Uuid::max(), 1).await?.pop().map(HistoryOrder::Given))
}

fn rows_of(core: &Core, filter: &OrderFilter<'_>, user: Option<UserId>) -> Result<HistoryRows> {
    let OrderFilter { kind, status, payment_type, provider, search, from, until } = *filter;
    let times = TimesOfDays::new(from, until)?;
    let (search, id) = address_or_id(search)?;
    let is_wanted = |one: &PaymentType| {
        payment_type.is_none_or(|wanted| wanted == *one)
            && provider.is_none_or(|provider| provider.payment_type() == *one)
            // What is given has no other state.
            && (*one == PaymentType::Payment || status.is_none_or(|status| status == OrderStatus::Paid))
    };
    let types = PaymentType::ALL.into_iter().filter(is_wanted).collect();
    let orders = OrderRows {
        user,
        is_plan: kind.map(|kind| kind == ProductKind::Subscription),
        status: status.map(OrderStatus::name),
        provider: provider.map(OrderProvider::name),
        id,
        search,
        times,
    };
    let first_plan = users::first_plan(core)?.name.clone();
    Ok(HistoryRows { types, only: None, first_plan, orders })
}
