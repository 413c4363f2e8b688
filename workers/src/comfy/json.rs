//! JSON as Python writes it; see [`verdigraph_core::graph::read_lenient`].

pub use verdigraph_core::graph::read_lenient as read;
