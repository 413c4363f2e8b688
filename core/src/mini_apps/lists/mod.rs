//! Lists and counts of mini apps.

pub(in crate::mini_apps) mod filter;
pub(in crate::mini_apps) mod filtered;
pub(in crate::mini_apps) mod store;
