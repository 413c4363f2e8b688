//! What proves who somebody is, passwords and tokens, and what keeps others from guessing it.

pub(in crate::users) mod guessable;
pub(in crate::users) mod password;
pub(in crate::users) mod slowdown;
pub(in crate::users) mod tokens;
