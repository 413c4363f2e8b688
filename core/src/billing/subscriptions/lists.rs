//! Reading subscriptions: the caller's own, and everybody's for admins.

use super::agreements;
use super::settle;
use super::state;
use super::store::subscriptions::{self, SubscriptionRows};
use super::subscription::{
    EndReason, PaidWith, Subscription, SubscriptionDetails, SubscriptionFilter, SubscriptionStatus,
};
use crate::audit::{self, Act, Action};
use crate::billing::methods;
use crate::billing::orders;
use crate::billing::providers::ProviderName;
use crate::billing::text::{address_or_id, reason_text};
use crate::ids::{SubscriptionId, UserId};
use crate::list::{Cursor, ListQuery, Page};
use crate::periods::TimesOfDays;
use crate::{Caller, Core, Error, Result, database, users};
use chrono::TimeDelta;

/// How long an ended subscription is shown to its owner.
const SHOWN_AFTER_END: TimeDelta = TimeDelta::days(30);

/// The caller's live subscription, or the last one that ended within 30 days.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn current(core: &Core, caller: &Caller) -> Result<Option<SubscriptionDetails>> {
    let user = caller.signed_in()?;
    let Some(found) = newest_of_user(core, user).await? else { return Ok(None) };
    let Subscription { id, status, paid_with, price, .. } = found.subscription;
    let method = match (status, paid_with) {
        (SubscriptionStatus::Ended, _) | (_, PaidWith::PayPal) => None,
        _ => methods::usable(core, user, price.currency).await?,
    };
    let page = match (status, paid_with) {
        (SubscriptionStatus::Ended, _) | (_, PaidWith::Card) => None,
        (_, PaidWith::PayPal) => agreements::page_of(&core.db, id).await?,
    };
    let (pay_at, test_page) = match (status, page) {
        (SubscriptionStatus::Pending, Some((page, _))) => (Some(page), None),
        (_, Some((page, ProviderName::Test))) if core.settings.payments.test_provider => (None, Some(page)),
        _ => (None, None),
    };
    Ok(Some(SubscriptionDetails { method, pay_at, test_page, ..found }))
}

/// All subscriptions that the caller has had, newest first; for the export of an account. Their paid periods are in the
/// orders.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn own_ever(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<Subscription>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    let found = subscriptions::all_of(&core.db, user, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(found, |last| Cursor::of(last.id)))
}

/// The user's live subscription, or the last one that ended within 30 days; without the method of payment.
pub(in crate::billing) async fn newest_of_user(core: &Core, user: UserId) -> Result<Option<SubscriptionDetails>> {
    let since = core.clock.now() - SHOWN_AFTER_END;
    let Some(found) = subscriptions::newest_of(&core.db, user, since).await? else { return Ok(None) };
    let order = orders::newest_of_subscriptions(core, &[found.id]).await?.remove(&found.id);
    Ok(Some(SubscriptionDetails { subscription: found, order, method: None, pay_at: None, test_page: None }))
}

/// The user's live subscription.
///
/// # Errors
/// [`Error::NotFound`].
pub(super) async fn live_of(core: &Core, user: UserId) -> Result<Subscription> {
    let found = subscriptions::newest_of(&core.db, user, core.clock.now()).await?;
    let live = found.filter(|found| found.status != SubscriptionStatus::Ended);
    live.ok_or(UNKNOWN)
}

pub(super) const UNKNOWN: Error = Error::NotFound { what: "subscription" };

/// Everybody's subscriptions, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::Invalid`] for a search text that
/// is too long, or a cursor that this list did not return.
pub async fn list(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, SubscriptionFilter<'_>>,
) -> Result<Page<SubscriptionDetails>> {
    caller.must_be_admin()?.read_only();
    let keyset = query.keyset()?;
    let SubscriptionFilter { status, day, search } = query.filter;
    let TimesOfDays { from, until } = TimesOfDays::new(day, day)?;
    let (search, id) = address_or_id(search)?;
    let rows = SubscriptionRows { status: status.map(SubscriptionStatus::name), from, until, id, search };
    let found = subscriptions::list(&core.db, &rows, keyset.after.id, keyset.limit).await?;
    let page = keyset.page(found, |last| Cursor::of(last.id));
    let ids: Vec<SubscriptionId> = page.items.iter().map(|found| found.id).collect();
    let mut orders = orders::newest_of_subscriptions(core, &ids).await?;
    let with_order = |subscription: Subscription| {
        let order = orders.remove(&subscription.id);
        SubscriptionDetails { subscription, order, method: None, pay_at: None, test_page: None }
    };
    Ok(Page { items: page.items.into_iter().map(with_order).collect(), next_cursor: page.next_cursor })
}

/// Ends a subscription at once. Nothing is given back.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`] also for one that has
/// ended; [`Error::Invalid`] for a reason without characters or with more than 200.
pub async fn end(core: &Core, caller: &Caller, id: SubscriptionId, reason: &str) -> Result<SubscriptionDetails> {
    let by = caller.must_be_admin()?;
    let reason = reason_text(reason)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let before = subscriptions::lock(&mut tx, id).await?.filter(|found| found.status != SubscriptionStatus::Ended);
    let before = before.ok_or(UNKNOWN)?;
    let after = state::end(&before, EndReason::EndedByOperator, now);
    settle::write(&mut tx, &before, &after).await?;
    let [was, is] = [before.status, after.status].map(SubscriptionStatus::name);
    let act = Act::new(Action::SubscriptionEnd, id).of(after.user);
    let act = act.before(serde_json::json!({ "status": was, "plan": before.plan }));
    let act = act.after(serde_json::json!({ "status": is, "reason": reason }));
    audit::record(&mut tx, by, act, now).await?;
    tx.commit().await?;
    users::invalidate(core, after.user).await;
    let order = orders::newest_of_subscriptions(core, &[id]).await?.remove(&id);
    Ok(SubscriptionDetails { subscription: after, order, method: None, pay_at: None, test_page: None })
}
