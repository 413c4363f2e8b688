//! Proven addresses and lost passwords.

mod recovery;
mod verification;
