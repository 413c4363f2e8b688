//! The plan of a user: their own, or one that was given for a time. Read on every submit, so it comes from the cache if
//! possible.

mod days;
mod store;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

pub use days::PlanDays;

use super::WritePermit;
use super::user::User;
use super::{check, user_cache};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::UserId;
use crate::settings::Plan;
use crate::{Caller, Core, Error, Result};

/// The plan of a user, from `config/plans.toml`; [`first_plan`] where the user's is no longer configured.
///
/// # Errors
/// [`Error::NotFound`] if there is no such user.
pub async fn plan(core: &Core, user: UserId) -> Result<&Plan> {
    let user = super::find(core, user).await?;
    plan_of(core, &user)
}

/// As [`plan()`], of a user that was read.
///
/// # Errors
/// [`Error::Internal`] only for settings that were not loaded.
pub fn plan_of<'core>(core: &'core Core, user: &User) -> Result<&'core Plan> {
    core.settings.plan(user.plan_at(&core.settings.plans, core.clock.now())).map_or_else(|| first_plan(core), Ok)
}

/// The plan whose allowance of the month a user has; `None` if a subscription gives the credits of each paid period.
///
/// # Errors
/// As [`plan_of`].
pub fn plan_with_allowance<'core>(core: &'core Core, user: &User) -> Result<Option<&'core Plan>> {
    match user.subscribed_plan_at(&core.settings.plans, core.clock.now()) {
        Some(_) => Ok(None),
        None => plan_of(core, user).map(Some),
    }
}

/// The user's place among the plans without a subscription; plans that are not configured count as the first one.
#[must_use]
pub fn rank_without_subscription(core: &Core, user: &User) -> usize {
    Plan::rank(&core.settings.plans, user.plan_without_subscription_at(core.clock.now())).unwrap_or(0)
}

/// Sets the plan of a user's live subscription, or none, in the caller's transaction. Call [`super::invalidate`] after its
/// commit.
pub async fn set_subscription_plan_tx(tx: &mut PgConnection, id: UserId, plan: Option<&str>) -> sqlx::Result<()> {
    store::set_subscription_plan(tx, id, plan).await
}

/// Gives a user a plan: for a time, or without an end as their own. Their own holds again after that time.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`]; [`Error::Invalid`] for a
/// plan that is not configured or an end in the past.
pub async fn give_plan(
    core: &Core,
    caller: &Caller,
    id: UserId,
    plan: &str,
    until: Option<DateTime<Utc>>,
) -> Result<Arc<User>> {
    let by = caller.must_be_admin()?;
    let now = core.clock.now();
    let Some(plan) = core.settings.plan(plan) else {
        let plans: Vec<&str> = core.settings.plans.iter().map(|plan| plan.name.as_str()).collect();
        return Err(Error::invalid("plan", format!("must be one of {}", plans.join(", "))));
    };
    if until.is_some_and(|until| until <= now) {
        return Err(Error::invalid("until", "must be in the future"));
    }
    let mut tx = database::begin(&core.db).await?;
    let before = store::lock(&mut tx, id).await?.ok_or(Error::NotFound { what: "user" })?;
    store::give(&mut tx, id, &plan.name, until).await?;
    let before = match before.given {
        Some(given) => json!({ "plan": given.plan, "until": given.until }),
        None => json!({ "plan": before.own, "until": null }),
    };
    let after = json!({ "plan": plan.name, "until": until });
    audit::record(&mut tx, by, Act::new(Action::UserPlan, id).of(id).before(before).after(after), now).await?;
    tx.commit().await?;
    user_cache::invalidate(core, id).await;
    super::find(core, id).await
}

/// As [`give_plan`], for the user with this address.
///
/// # Errors
/// As [`give_plan`]; [`Error::Invalid`] for an invalid address.
pub async fn give_plan_to(
    core: &Core,
    caller: &Caller,
    email: &str,
    plan: &str,
    until: Option<DateTime<Utc>>,
) -> Result<Arc<User>> {
    caller.must_be_admin()?.read_only();
    let email = check::email(email).map_err(|message| Error::invalid("email", message))?;
    let known = super::store::credentials(&core.db, &email).await?.ok_or(Error::NotFound { what: "user" })?;
    give_plan(core, caller, known.id, plan, until).await
}

/// Gives a user days of a plan, or moves the end of the same given plan by them, in the caller's transaction. Call
/// [`super::invalidate`] after its commit.
///
/// # Errors
/// [`Error::NotFound`] if there is no such user or no such plan.
pub async fn add_plan_days_tx(
    core: &Core,
    tx: &mut PgConnection,
    _permit: &WritePermit,
    id: UserId,
    (plan, days): (&str, i32),
) -> Result<PlanDays> {
    let user = store::lock(tx, id).await?.ok_or(Error::NotFound { what: "user" })?;
    let outcome = days::add(&core.settings.plans, &user, plan, days, core.clock.now());
    let outcome = outcome.ok_or(Error::NotFound { what: "plan" })?;
    if let PlanDays::Until(until) = &outcome {
        store::give(tx, id, plan, Some(*until)).await?;
    }
    Ok(outcome)
}

/// The plan of new users, and of guests.
///
/// # Errors
/// [`Error::Internal`] only for settings that were not loaded.
pub fn first_plan(core: &Core) -> Result<&Plan> {
    core.settings.first_plan().ok_or_else(|| Error::Internal("no plan is configured".into()))
}
