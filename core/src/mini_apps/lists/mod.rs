//! Lists of mini apps, and how many there are.

pub(in crate::mini_apps) mod filter;
pub(in crate::mini_apps) mod filtered;
pub(in crate::mini_apps) mod store;
