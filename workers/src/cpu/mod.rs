//! The built-in CPU worker: a second implementation of ComfyUI's server protocol and of its core image,
//! mask, string and primitive nodes, so that a fresh machine runs real graphs with neither GPU nor Python.
//! It is reached only through the protocol.
//!
//! - `budget`: the memory that all of it may take
//! - `value`: what flows along a link
//! - `node`: what a node is, and what it is given while it runs
//! - `image`, `mask`, `text`: ComfyUI's own nodes, equal to its pixels
//! - `procedural`: seeded generators and filters of our own
//! - `server`: HTTP, WebSocket, queue, validation, cache, history

pub mod budget;
mod definition;
pub mod image;
pub mod mask;
pub mod node;
pub mod procedural;
pub mod server;
pub mod text;
pub mod value;

use node::Node;
pub use verdigraph_core::graph::{Like, NoSuchVersion};

/// Every node class that a worker like this version has, in the order of `/object_info`.
#[must_use]
pub fn nodes(like: Like) -> Vec<Box<dyn Node>> {
    let mut nodes = image::nodes(like);
    nodes.extend(mask::nodes(like));
    nodes.extend(text::nodes(like));
    nodes.extend(procedural::nodes());
    nodes
}
