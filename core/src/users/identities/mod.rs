//! Accounts at Google and Discord that lead in as a password of ours does: signing in by them, connecting and
//! disconnecting them.

pub(in crate::users) mod linking;
pub(in crate::users) mod social;
pub(in crate::users) mod store;

#[cfg(test)]
mod tests;
