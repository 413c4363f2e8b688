//! The built-in CPU worker: an implementation of ComfyUI's server protocol and of its core image, mask, string and
//! primitive nodes, so that a new machine runs real graphs without GPU or Python. The platform reaches it only through
//! the protocol.
//!
//! - `budget`: the memory budget
//! - `value`: values on links
//! - `node`: the node trait and its context
//! - `image`, `mask`, `text`: ComfyUI's own nodes, with the same results
//! - `procedural`: our own seeded generators and filters
//! - `background`: our own removal of backgrounds; `describe`: our own words for a picture
//! - `server`: HTTP, WebSocket, queue, validation, cache, history

mod background;
pub mod budget;
mod definition;
mod describe;
pub mod image;
pub mod mask;
pub mod node;
pub mod procedural;
pub mod server;
#[cfg(test)]
mod testing;
pub mod text;
pub mod value;

use node::Node;
pub use verdigraph_core::graph::{ComfyVersion, UnknownVersion};

/// Every node class of this version, in the order of `/object_info`.
#[must_use]
pub fn nodes(like: ComfyVersion) -> Vec<Box<dyn Node>> {
    let mut nodes = image::nodes(like);
    nodes.extend(mask::nodes(like));
    nodes.extend(text::nodes(like));
    nodes.extend(procedural::nodes());
    nodes.extend(background::nodes());
    nodes.extend(describe::nodes());
    nodes
}
