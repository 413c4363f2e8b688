//! SQL of finding people.

pub(in crate::users) mod filtered;
pub(in crate::users) mod people;
