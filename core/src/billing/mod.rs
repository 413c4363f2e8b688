//! What users get beside their plan: credits and days of plans, for the codes of coupons; and the warning before credits
//! expire.

mod coupons;
mod expiry_warnings;

pub use coupons::{
    Coupon, CouponBenefit, CouponChange, CouponCode, CouponFilter, CouponRedemption, CouponUse, NewCodes, NewCoupon,
};
pub use coupons::{
    change as change_coupon, codes as coupon_codes, create as create_coupon, list as list_coupons,
    own_uses as own_coupon_uses, redeem as redeem_coupon, uses as coupon_uses,
};
pub use expiry_warnings::{WARNED_AT_ONCE, warn_of_expiring_credits};
