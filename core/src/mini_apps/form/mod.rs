//! The form of a mini app: its configuration, the derived fields, the values that each accepts, and a compiled version.

pub(in crate::mini_apps) mod clearance;
pub(in crate::mini_apps) mod compiled;
pub(in crate::mini_apps) mod entries;
pub(in crate::mini_apps) mod field;
pub(in crate::mini_apps) mod health;
pub(in crate::mini_apps) mod rjsf;
pub(in crate::mini_apps) mod rule;
pub(in crate::mini_apps) mod traits;
pub(in crate::mini_apps) mod translations;
pub(in crate::mini_apps) mod words;

#[cfg(test)]
mod tests;
