//! ComfyUI's mask nodes.
//!
//! - `shape`: pictures to masks and back, solid, inverted, cropped, thresholded
//! - `compose`: combined with each other, feathered
//! - `grow`: grown and shrunk

mod compose;
mod grow;
mod shape;

use std::sync::Arc;

use super::definition::Plain;
use super::node::{Node, NodeError, Outcome};
use super::value::{MaskBatch, Value};

/// The nodes of this family.
#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    vec![
        Plain::boxed("MaskToImage", shape::to_image),
        Plain::boxed("ImageToMask", shape::from_image),
        Plain::boxed("ImageColorToMask", shape::from_color),
        Plain::boxed("SolidMask", shape::solid),
        Plain::boxed("InvertMask", shape::invert),
        Plain::boxed("CropMask", shape::crop),
        Plain::boxed("MaskComposite", compose::composite),
        Plain::boxed("FeatherMask", compose::feather),
        Plain::boxed("GrowMask", grow::grow),
        Plain::boxed("ThresholdMask", shape::threshold),
        Plain::boxed("MaskPreview", |inputs, context| {
            let images = shape::gray(context, inputs.mask("mask")?)?;
            super::image::save::preview(&images, context, super::image::save::Compression::Balanced)
        }),
    ]
}

/// The outcome of a node with one mask output.
fn mask_of(mask: MaskBatch) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Mask(Arc::new(mask))))
}
