//! Coupons, their codes and their uses.

use chrono::{DateTime, Utc};

use crate::ids::{CouponId, CouponUseId, UserId};

/// What a use of a coupon gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CouponBenefit {
    /// Credits that expire so many days after the use; `None`: after `credits.days` of the settings.
    Credits { amount: i64, days: Option<i32> },
    /// A plan of the settings for so many days.
    Plan { plan: String, days: i32 },
    /// So many percent off the price of a pack of credits. It is used with a purchase.
    PercentOff { percent: i32 },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coupon {
    pub id: CouponId,
    pub name: String,
    pub benefit: CouponBenefit,
    /// The code that all uses share; `None` if there are many codes and each is used once.
    pub code: Option<String>,
    /// 1 for a shared code.
    pub code_count: i32,
    pub uses_per_account: i32,
    /// `None`: without a limit.
    pub max_uses: Option<i32>,
    pub use_count: i32,
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: Option<DateTime<Utc>>,
    pub is_active: bool,
    pub created_at: DateTime<Utc>,
}

/// The codes of a new coupon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewCodes {
    /// One code for all uses, as an admin wrote it.
    Shared(String),
    /// So many random codes, each used once.
    Single(i32),
}

/// A coupon to create.
#[derive(Debug, Clone)]
pub struct NewCoupon {
    pub name: String,
    pub benefit: CouponBenefit,
    pub codes: NewCodes,
    pub uses_per_account: i32,
    /// `None`: without a limit, or as many as there are codes.
    pub max_uses: Option<i32>,
    /// `None`: at once.
    pub starts_at: Option<DateTime<Utc>>,
    /// `None`: never.
    pub ends_at: Option<DateTime<Utc>>,
}

/// A change of a coupon; `None` keeps what is there, `Some(None)` removes a limit.
#[derive(Debug, Clone, Default)]
pub struct CouponChange {
    pub name: Option<String>,
    pub is_active: Option<bool>,
    pub max_uses: Option<Option<i32>>,
    pub ends_at: Option<Option<DateTime<Utc>>>,
}

/// Which coupons a list has.
#[derive(Debug, Clone, Copy, Default)]
pub struct CouponFilter<'a> {
    /// A part of the name, or a whole code.
    pub search: Option<&'a str>,
    pub is_active: Option<bool>,
}

/// A code, and its use if it is used once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CouponCode {
    /// As codes are compared. A list of codes continues after it.
    pub key: String,
    pub code: String,
    pub used_at: Option<DateTime<Utc>>,
    /// The user's e-mail address; `None` after the account was deleted.
    pub used_by: Option<String>,
}

/// A use of a coupon, as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CouponUse {
    pub id: CouponUseId,
    /// The coupon's name.
    pub name: String,
    pub code: String,
    pub benefit: CouponBenefit,
    pub used_at: DateTime<Utc>,
    /// When the credits expire or the plan ends; `None` for a lower price.
    pub until: Option<DateTime<Utc>>,
}

/// A use of a coupon, as admins see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CouponRedemption {
    pub id: CouponUseId,
    pub code: String,
    pub user: UserId,
    pub used_at: DateTime<Utc>,
}
