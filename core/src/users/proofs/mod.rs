//! Codes in mails: they verify an address, or allow a password reset.

pub(in crate::users) mod store;
pub(in crate::users) mod verification;

#[cfg(test)]
mod tests;
