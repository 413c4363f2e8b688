//! JSON as Python writes it; see [`verdigraph_core::graph::lenient`].

pub use verdigraph_core::graph::lenient::read;
