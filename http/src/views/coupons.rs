//! Coupons and their uses.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use verdigraph_core::Error;
use verdigraph_core::billing::{Coupon, CouponBenefit, CouponRedemption, CouponUse};

use super::users::UserCard;
use super::words::BenefitWord;
use crate::openapi::ToSchema;

/// What a coupon gives: credits, days of a plan, or a lower price of a pack of credits.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BenefitView {
    #[schema(value_type = BenefitWord)]
    pub kind: String,
    /// Credits; `null` for other kinds.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    pub amount: Option<i64>,
    /// The name of a plan; `null` for other kinds.
    #[schema(max_length = 100, example = "Standard")]
    pub plan: Option<String>,
    /// Days of the plan, or from the use of the coupon until the credits expire. `null` for credits: as many as this
    /// installation gives to all credits.
    #[schema(minimum = 1, maximum = 3650)]
    pub days: Option<i32>,
    /// Percent off the price of a pack of credits; `null` for other kinds.
    #[schema(minimum = 1, maximum = 90)]
    pub percent: Option<i32>,
}

/// The kinds of benefits in the API.
pub const BENEFITS: [&str; 3] = ["Credits", "Plan", "PercentOff"];

impl From<CouponBenefit> for BenefitView {
    fn from(benefit: CouponBenefit) -> Self {
        let [credits, plans, percents] = BENEFITS.map(str::to_owned);
        let none = Self { kind: credits, amount: None, plan: None, days: None, percent: None };
        match benefit {
            CouponBenefit::Credits { amount, days } => Self { amount: Some(amount), days, ..none },
            CouponBenefit::Plan { plan, days } => Self { kind: plans, plan: Some(plan), days: Some(days), ..none },
            CouponBenefit::PercentOff { percent } => Self { kind: percents, percent: Some(percent), ..none },
        }
    }
}

impl TryFrom<BenefitView> for CouponBenefit {
    type Error = Error;

    fn try_from(view: BenefitView) -> Result<Self, Error> {
        let needed = |field: &str| Error::invalid(format!("benefit.{field}"), format!("is needed for {}", view.kind));
        let absent = |field: &str, is_given: bool| match is_given {
            true => Err(Error::invalid(format!("benefit.{field}"), format!("must be null for {}", view.kind))),
            false => Ok(()),
        };
        match view.kind.as_str() {
            "Credits" => {
                absent("plan", view.plan.is_some())?;
                absent("percent", view.percent.is_some())?;
                Ok(Self::Credits { amount: view.amount.ok_or_else(|| needed("amount"))?, days: view.days })
            }
            "Plan" => {
                absent("amount", view.amount.is_some())?;
                absent("percent", view.percent.is_some())?;
                let plan = view.plan.clone().ok_or_else(|| needed("plan"))?;
                Ok(Self::Plan { plan, days: view.days.ok_or_else(|| needed("days"))? })
            }
            "PercentOff" => {
                absent("amount", view.amount.is_some())?;
                absent("plan", view.plan.is_some())?;
                absent("days", view.days.is_some())?;
                Ok(Self::PercentOff { percent: view.percent.ok_or_else(|| needed("percent"))? })
            }
            _ => Err(Error::invalid("benefit.kind", "must be Credits, Plan or PercentOff")),
        }
    }
}

/// A coupon.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub benefit: BenefitView,
    /// The code that all uses share; `null` if there are many codes and each is used once.
    pub code: Option<String>,
    /// 1 for a shared code.
    pub code_count: i32,
    pub uses_per_account: i32,
    /// `null`: without a limit.
    pub max_uses: Option<i32>,
    pub use_count: i32,
    /// `null`: at once.
    pub starts_at: Option<DateTime<Utc>>,
    /// `null`: never.
    pub ends_at: Option<DateTime<Utc>>,
    pub is_active: bool,
    pub created_at: DateTime<Utc>,
}

impl From<Coupon> for CouponView {
    fn from(coupon: Coupon) -> Self {
        Self {
            id: coupon.id.0,
            name: coupon.name,
            benefit: coupon.benefit.into(),
            code: coupon.code,
            code_count: coupon.code_count,
            uses_per_account: coupon.uses_per_account,
            max_uses: coupon.max_uses,
            use_count: coupon.use_count,
            starts_at: coupon.starts_at,
            ends_at: coupon.ends_at,
            is_active: coupon.is_active,
            created_at: coupon.created_at,
        }
    }
}

/// A use of a coupon, as its user sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponUseView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The coupon's name.
    pub name: String,
    pub code: String,
    pub benefit: BenefitView,
    pub used_at: DateTime<Utc>,
    /// When the credits expire, or the plan ends as this use left it; `null` for a lower price.
    pub until: Option<DateTime<Utc>>,
}

impl From<CouponUse> for CouponUseView {
    fn from(one: CouponUse) -> Self {
        Self {
            id: one.id.0,
            name: one.name,
            code: one.code,
            benefit: one.benefit.into(),
            used_at: one.used_at,
            until: one.until,
        }
    }
}

/// A use of a coupon, as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponRedemptionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub code: String,
    pub user: Option<UserCard>,
    pub used_at: DateTime<Utc>,
}

impl CouponRedemptionView {
    /// The view, with the user.
    #[must_use]
    pub fn new(one: CouponRedemption, user: Option<UserCard>) -> Self {
        Self { id: one.id.0, code: one.code, user, used_at: one.used_at }
    }
}
