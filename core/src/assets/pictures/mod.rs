//! Untrusted pictures: decoding within limits, measuring, cleaning and resizing, in a sandbox process if that is
//! expensive.

pub(in crate::assets) mod channel;
mod extract;
mod frames;
mod mask;
pub(in crate::assets) mod perform;
pub(in crate::assets) mod picture;
pub(in crate::assets) mod sandbox;
