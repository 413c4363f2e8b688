//! SQL of orders, their payments and their refunds.

pub(super) mod audit;
pub(super) mod orders;
pub(super) mod payments;
pub(super) mod refunds;
