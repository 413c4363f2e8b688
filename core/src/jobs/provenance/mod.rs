//! How an output was made.

pub(in crate::jobs) mod graph;
pub(in crate::jobs) mod origin;

#[cfg(test)]
mod tests;
