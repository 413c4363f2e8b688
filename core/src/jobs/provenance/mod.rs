//! How an output was made, for whoever looks at it.

pub(in crate::jobs) mod graph;
pub(in crate::jobs) mod origin;

#[cfg(test)]
mod tests;
