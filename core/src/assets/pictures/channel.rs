//! A part of a picture.

use serde::{Deserialize, Serialize};

/// A part of a picture, as mask editors read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureChannel {
    /// The colours, also of transparent pixels.
    Colours,
    /// Black with the picture's transparency.
    Alpha,
}
