//! ComfyUI's string, regular-expression and primitive nodes, with Python's meaning of every operation.
//!
//! - `python`: Python's text operations where Rust's differ, and its way to print values
//! - `strings`, `primitive`, `regex`, `preview`: the nodes

use verdigraph_core::graph::Like;

mod preview;
mod primitive;
mod python;
mod regex;
mod strings;

use super::definition::{Plain, Run};
use super::node::Node;

/// The nodes of this family.
#[must_use]
pub fn nodes(like: Like) -> Vec<Box<dyn Node>> {
    [strings::NODES, regex::NODES, primitive::NODES, preview::nodes(like)]
        .into_iter()
        .flatten()
        .map(|&(class, run)| Plain::boxed(like, class, run))
        .collect()
}

#[cfg(test)]
mod tests;
