//! SQL of the directory.

pub(in crate::users) mod filtered;
pub(in crate::users) mod people;
