//! Lower prices: a use is reserved with the order whose price it lowers, and freed if that order ends without a payment.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::code;
use super::coupon::CouponBenefit;
use super::redemption::{FoundCoupon, find, refusals};
use super::state::{CouponRefusal, PriorUses, may_use};
use super::store::uses::{self, NewUse};
use crate::ids::{CouponId, CouponUseId, OrderId, UserId};
use crate::users::{RequestOrigin, WritePermit};
use crate::{Core, Error, Result};

/// The discount of an order, as it was when it was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDiscount {
    /// The price without it, in the smallest unit of the order's currency.
    pub list_amount: i64,
    pub percent: i32,
    pub coupon: CouponId,
    /// The code as it is shown.
    pub code: String,
}

/// A code that lowers a price, before its use is reserved.
#[derive(Debug, Clone)]
pub(in crate::billing) struct DiscountCode {
    pub percent: i32,
    pub coupon: CouponId,
    /// As it is shown.
    pub code: String,
    key: String,
    is_single: bool,
}

impl DiscountCode {
    /// Finds a code that lowers the price of a purchase and can be used now. The limits hold only when it is reserved.
    ///
    /// # Errors
    /// [`Error::Invalid`] for `code`; [`Error::RateLimited`]; [`Error::CouponUnknown`]; conflicts
    /// `COUPON_NOT_FOR_PURCHASES`, `COUPON_NOT_STARTED`, `COUPON_ENDED`, `COUPON_USED` and `COUPON_USED_UP`.
    pub async fn find(core: &Core, user: UserId, origin: &RequestOrigin, text: &str) -> Result<Self> {
        let FoundCoupon { key, shown, coupon } = find(core, user, origin, text).await?;
        let CouponBenefit::PercentOff { percent } = coupon.benefit else {
            return Err(CouponRefusal::NotForPurchases.into());
        };
        let is_single = coupon.code.is_none();
        let prior = PriorUses {
            by_account: uses::count_of(&core.db, coupon.id, user).await?,
            is_code_used: is_single && uses::is_used(&core.db, &key).await?,
        };
        may_use(&coupon, prior, core.clock.now()).map_err(Error::from)?;
        Ok(Self { percent, coupon: coupon.id, code: shown, key, is_single })
    }

    /// Reserves a use for an order that the same transaction has inserted. The coupon stays locked until it ends.
    ///
    /// # Errors
    /// As [`DiscountCode::find`].
    pub async fn reserve(
        &self,
        connection: &mut PgConnection,
        permit: &WritePermit,
        (user, order): (UserId, OrderId),
        now: DateTime<Utc>,
    ) -> Result<()> {
        let row = NewUse {
            id: CouponUseId::new(),
            coupon: self.coupon,
            key: self.key.clone(),
            is_single: self.is_single,
            user,
            used_at: now,
            until: None,
            order: Some(order),
            _permit: permit.clone(),
        };
        if let Some(refusal) = refusals(connection, &[&row]).await?.pop().flatten() {
            return Err(refusal.into());
        }
        Ok(uses::insert(connection, &[&row]).await?)
    }
}

/// Frees the use of an order that has ended without a payment, if it has one.
pub(in crate::billing) async fn free_use(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<()> {
    uses::delete_of_order(connection, order).await
}

/// Keeps the use of an order that is paid. If the order had ended and its use was freed, the code is used again, unless
/// it is used up.
pub(in crate::billing) async fn keep_use(
    connection: &mut PgConnection,
    (user, order): (UserId, OrderId),
    discount: &OrderDiscount,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let Some(key) = code::key(&discount.code) else { return Ok(()) };
    uses::restore_of_order(connection, (CouponUseId::new(), order), discount.coupon, &key, (user, now)).await
}
