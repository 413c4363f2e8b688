//! What is done to a platform, and what must come of it.

pub mod crash;
