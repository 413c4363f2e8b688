//! Passwords and tokens, and protection against guessing.

pub(in crate::users) mod guessable;
pub(in crate::users) mod password;
pub(in crate::users) mod slowdown;
pub(in crate::users) mod tokens;
