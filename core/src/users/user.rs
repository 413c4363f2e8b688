use chrono::{DateTime, Utc};

use super::ban::Ban;
use super::providers::Provider;
use crate::ids::{AssetId, UserId};
use crate::language::Language;
use crate::settings::Plan;

/// The name of all deleted users, and of no others. Pages show it in the reader's language.
pub const DELETED_NAME: &str = "Deleted user";

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// In lower case.
    pub email: String,
    pub name: String,
    /// Distinguishes users of the same name; see [`User::name_tag`].
    pub tag: i32,
    pub language: Language,
    pub is_admin: bool,
    /// A plan of the settings, by name. See [`User::plan_at`].
    pub own_plan: String,
    /// A plan that was given for a time.
    pub given_plan: Option<GivenPlan>,
    /// The plan of their live subscription.
    pub subscription_plan: Option<String>,
    pub profile: Option<AssetId>,
    pub created_at: DateTime<Utc>,
    pub email_verified: bool,
    pub has_password: bool,
    /// Linked sign-in providers.
    pub providers: Vec<Provider>,
    pub ceilings: Ceilings,
    /// The last ban that was not lifted; it may have expired. See [`User::ban_at`].
    pub ban: Option<Ban>,
}

/// A plan that holds instead of the user's own until its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenPlan {
    pub plan: String,
    pub until: DateTime<Utc>,
}

/// The most credits that a user wants to spend; `None`: no ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ceilings {
    /// On one run.
    pub run: Option<i64>,
    /// On one day of UTC.
    pub day: Option<i64>,
}

impl User {
    /// `#1234`.
    #[must_use]
    pub fn name_tag(&self) -> String {
        format!("#{:04}", self.tag)
    }

    /// The specification's roles.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        if self.is_admin { &["Customer", "Admin"] } else { &["Customer"] }
    }

    /// The name of the plan in effect at this time. `plans` are ordered from the smallest to the largest.
    #[must_use]
    pub fn plan_at(&self, plans: &[Plan], now: DateTime<Utc>) -> &str {
        self.subscribed_plan_at(plans, now).unwrap_or_else(|| self.plan_without_subscription_at(now))
    }

    /// The name of the plan of the subscription, if it is in effect at this time: a plan that was given holds instead if
    /// it is larger.
    #[must_use]
    pub fn subscribed_plan_at(&self, plans: &[Plan], now: DateTime<Utc>) -> Option<&str> {
        let rank = |name: &str| Plan::rank(plans, name);
        let subscribed = self.subscription_plan.as_deref()?;
        (rank(subscribed) >= rank(self.plan_without_subscription_at(now))).then_some(subscribed)
    }

    /// The name of the plan that is in effect without a subscription.
    #[must_use]
    pub fn plan_without_subscription_at(&self, now: DateTime<Utc>) -> &str {
        self.given_plan_at(now).map_or(&self.own_plan, |given| &given.plan)
    }

    /// The given plan, if it has not ended at this time. A larger subscription may be in effect instead of it.
    #[must_use]
    pub fn given_plan_at(&self, now: DateTime<Utc>) -> Option<&GivenPlan> {
        self.given_plan.as_ref().filter(|given| given.until > now)
    }

    /// The given plan, if it is the plan in effect at this time.
    #[must_use]
    pub fn given_plan_in_effect_at(&self, plans: &[Plan], now: DateTime<Utc>) -> Option<&GivenPlan> {
        self.given_plan_at(now).filter(|_| self.subscribed_plan_at(plans, now).is_none())
    }

    /// The ban in effect at this time.
    #[must_use]
    pub fn ban_at(&self, now: DateTime<Utc>) -> Option<&Ban> {
        self.ban.as_ref().filter(|ban| ban.until.is_none_or(|until| until > now))
    }
}
