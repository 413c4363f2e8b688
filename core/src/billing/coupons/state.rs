//! Decides whether a coupon may be used.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::coupon::Coupon;
use crate::{Code, Error};

/// Why a coupon may not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CouponRefusal {
    /// There is no such code, or its coupon is not active.
    Unknown,
    NotStarted {
        starts_at: DateTime<Utc>,
    },
    Ended,
    /// This account has used the coupon as often as it may.
    Used,
    /// All uses are taken, or the code was used.
    UsedUp,
    /// It lowers the price of a purchase.
    ForPurchases,
    /// It gives credits or a plan, not a lower price.
    NotForPurchases,
    /// The account has a plan that is as good, or another given plan. It ends then.
    PlanNotNow {
        plan: String,
        until: Option<DateTime<Utc>>,
    },
}

/// The uses of a coupon before another one, beside [`Coupon::use_count`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PriorUses {
    pub by_account: i64,
    /// Whether the code can be used once and was used.
    pub is_code_used: bool,
}

/// Whether the coupon may be used once more at this time.
pub(super) fn may_use(coupon: &Coupon, prior: PriorUses, now: DateTime<Utc>) -> Result<(), CouponRefusal> {
    if !coupon.is_active {
        return Err(CouponRefusal::Unknown);
    }
    if let Some(starts_at) = coupon.starts_at.filter(|starts_at| *starts_at > now) {
        return Err(CouponRefusal::NotStarted { starts_at });
    }
    if coupon.ends_at.is_some_and(|ends_at| ends_at <= now) {
        return Err(CouponRefusal::Ended);
    }
    if prior.by_account >= i64::from(coupon.uses_per_account) {
        return Err(CouponRefusal::Used);
    }
    if prior.is_code_used || coupon.max_uses.is_some_and(|max| coupon.use_count >= max) {
        return Err(CouponRefusal::UsedUp);
    }
    Ok(())
}

impl From<CouponRefusal> for Error {
    fn from(refusal: CouponRefusal) -> Self {
        match refusal {
            CouponRefusal::Unknown => Self::CouponUnknown,
            CouponRefusal::NotStarted { starts_at } => Self::ConflictWith {
                code: Code::CouponNotStarted,
                message: "this code cannot be used yet".into(),
                details: json!({ "startsAt": starts_at }),
            },
            CouponRefusal::Ended => Self::conflict(Code::CouponEnded, "the time for this code is over"),
            CouponRefusal::Used => Self::conflict(Code::CouponUsed, "this account has used the code already"),
            CouponRefusal::UsedUp => Self::conflict(Code::CouponUsedUp, "this code was used as often as it can be"),
            CouponRefusal::ForPurchases => {
                let message = "this code lowers the price of a pack of credits; enter it when you buy one";
                Self::conflict(Code::CouponForPurchases, message)
            }
            CouponRefusal::NotForPurchases => {
                let message = "this code gives credits or a plan; redeem it in the account";
                Self::conflict(Code::CouponNotForPurchases, message)
            }
            CouponRefusal::PlanNotNow { plan, until } => Self::ConflictWith {
                code: Code::CouponPlanNotNow,
                message: "the plan of this code does not fit the account's plan now; the code was not used".into(),
                details: json!({ "plan": plan, "until": until }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::billing::coupons::coupon::CouponBenefit;
    use crate::ids::CouponId;

    fn coupon() -> Coupon {
        Coupon {
            id: CouponId::new(),
            name: "Welcome".into(),
            benefit: CouponBenefit::Credits { amount: 100, days: None },
            code: Some("WELCOME".into()),
            code_count: 1,
            uses_per_account: 2,
            max_uses: Some(5),
            use_count: 4,
            starts_at: None,
            ends_at: None,
            is_active: true,
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn coupon_is_used_within_its_time_and_limits() {
        use CouponRefusal::{Ended, NotStarted, Unknown, Used, UsedUp};
        let now: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
        let (before, after) = (now - TimeDelta::seconds(1), now + TimeDelta::seconds(1));
        let fresh = PriorUses::default();
        let by = |by_account| PriorUses { by_account, is_code_used: false };
        let code_used = PriorUses { by_account: 1, is_code_used: true };
        let inactive = Coupon { is_active: false, ..coupon() };
        let starts = |at| Coupon { starts_at: Some(at), ..coupon() };
        let ends = |at| Coupon { ends_at: Some(at), ..coupon() };
        let table = [
            (coupon(), fresh, Ok(())),
            (coupon(), by(1), Ok(())),
            (coupon(), by(2), Err(Used)),
            (coupon(), code_used, Err(UsedUp)),
            (inactive, fresh, Err(Unknown)),
            (starts(before), fresh, Ok(())),
            (starts(now), fresh, Ok(())),
            (starts(after), fresh, Err(NotStarted { starts_at: after })),
            (ends(after), fresh, Ok(())),
            (ends(now), fresh, Err(Ended)),
            (ends(before), fresh, Err(Ended)),
            (Coupon { use_count: 5, ..coupon() }, fresh, Err(UsedUp)),
            (Coupon { use_count: 5, ..coupon() }, by(2), Err(Used)),
            (Coupon { max_uses: None, use_count: 1_000_000, ..coupon() }, fresh, Ok(())),
        ];
        for (coupon, prior, expected) in table {
            assert_eq!(may_use(&coupon, prior, now), expected, "{coupon:?} {prior:?}");
        }
    }
}
