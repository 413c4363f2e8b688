//! SQL of the test provider's books.

pub(super) mod agreements;
pub(super) mod cards;
pub(super) mod payments;
