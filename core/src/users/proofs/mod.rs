//! What a code in a letter proves: first of all that an address is somebody's. Lost passwords need such a proof, too.

pub(in crate::users) mod store;
pub(in crate::users) mod verification;

#[cfg(test)]
mod tests;
