//! Sign-in with Google and Discord accounts, and linking them.

pub(in crate::users) mod linking;
pub(in crate::users) mod social;
pub(in crate::users) mod store;

#[cfg(test)]
mod tests;
