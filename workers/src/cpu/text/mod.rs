//! ComfyUI's string, regular-expression and primitive nodes, with Python's semantics.
//!
//! - `python`: Python's text operations that differ from Rust's, and its formatting of values
//! - `strings`, `primitive`, `regex`, `preview`: the nodes

use verdigraph_core::graph::ComfyVersion;

mod preview;
mod primitive;
mod python;
mod regex;
mod strings;

use super::definition::{Plain, Run};
use super::node::Node;

#[must_use]
pub fn nodes(like: ComfyVersion) -> Vec<Box<dyn Node>> {
    [strings::NODES, regex::NODES, primitive::NODES, preview::nodes(like)]
        .into_iter()
        .flatten()
        .map(|&(class, run)| Plain::boxed(like, class, run))
        .collect()
}

#[cfg(test)]
mod tests;
