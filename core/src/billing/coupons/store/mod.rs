//! SQL of coupons, their codes and their uses.

pub(super) mod coupons;
pub(super) mod uses;
