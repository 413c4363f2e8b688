//! What a code in a letter proves: that an address is somebody's, and that whoever lost a password may choose another.

pub(in crate::users) mod recovery;
pub(in crate::users) mod store;
pub(in crate::users) mod verification;

#[cfg(test)]
mod tests;
