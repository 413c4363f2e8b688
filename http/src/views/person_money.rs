//! The money of a user, as admins see it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::billing::{self, PersonMoney};
use verdigraph_core::ledger::Grant;
use verdigraph_core::settings::Settings;
use verdigraph_core::users::GivenPlan;

use super::credits::{BalanceView, GrantView};
use super::orders::OrderView;
use super::subscriptions::PaidSubscriptionView;
use crate::openapi::ToSchema;

/// A user's plan, credits and newest orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonMoneyView {
    /// The plan in effect.
    pub plan: String,
    /// The plan without a subscription and without a given one.
    pub own_plan: String,
    /// The plan that was given for a time which has not ended.
    pub given_plan: Option<GivenPlanView>,
    /// The live one, or the last one that ended within 30 days.
    pub subscription: Option<PaidSubscriptionView>,
    pub balance: BalanceView,
    /// Grants with credits left or held, in spending order.
    pub grants: Vec<PersonGrantView>,
    /// At most five, newest first.
    pub orders: Vec<OrderView>,
}

impl PersonMoneyView {
    /// The view at this time, with what plans give by these settings.
    #[must_use]
    pub fn new(money: PersonMoney, settings: &Settings, now: DateTime<Utc>) -> Self {
        let PersonMoney { user, balance, grants, subscription, orders } = money;
        Self {
            plan: user.plan_at(&settings.plans, now).to_owned(),
            own_plan: user.own_plan.clone(),
            given_plan: user.given_plan_at(now).map(GivenPlanView::from),
            subscription: subscription.map(|found| PaidSubscriptionView::new(found, settings)),
            balance: balance.into(),
            grants: grants.into_iter().map(PersonGrantView::from).collect(),
            orders: orders.into_iter().map(OrderView::from).collect(),
        }
    }
}

/// A plan that was given for a time.
#[derive(Debug, Serialize, ToSchema)]
pub struct GivenPlanView {
    pub plan: String,
    pub until: DateTime<Utc>,
}

impl From<&GivenPlan> for GivenPlanView {
    fn from(given: &GivenPlan) -> Self {
        Self { plan: given.plan.clone(), until: given.until }
    }
}

/// A grant as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonGrantView {
    #[serde(flatten)]
    pub grant: GrantView,
    /// What it was granted for; unique for each user. `operator:` and the reason for a grant of an admin.
    pub source: String,
    /// The order that gave it. Its refund takes the credits back.
    pub order: Option<Uuid>,
}

impl From<Grant> for PersonGrantView {
    fn from(grant: Grant) -> Self {
        let order = billing::order_of_source(&grant.source).map(|order| order.0);
        Self { source: grant.source.clone(), order, grant: grant.into() }
    }
}
