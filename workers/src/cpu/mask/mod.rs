//! ComfyUI's mask nodes.
//!
//! - `shape`: converts pictures and masks, makes, inverts, crops and thresholds masks
//! - `compose`: combines and feathers masks
//! - `grow`: grows and shrinks masks

mod compose;
mod grow;
mod shape;

use std::sync::Arc;

use serde_json::{Value as Json, json};
use verdigraph_core::graph::ComfyVersion;

use super::definition::Plain;
use super::node::{Context, Inputs, Node, NodeError, Outcome};
use super::value::{MaskBatch, Value};

#[must_use]
pub fn nodes(like: ComfyVersion) -> Vec<Box<dyn Node>> {
    let is_old = like < ComfyVersion::V0_33_0;
    vec![
        Plain::boxed(like, "MaskToImage", shape::to_image),
        Plain::boxed(like, "ImageToMask", shape::from_image),
        Plain::boxed(like, "ImageColorToMask", shape::from_color),
        Plain::boxed(like, "SolidMask", shape::solid),
        Plain::boxed(like, "InvertMask", shape::invert),
        Plain::boxed(like, "CropMask", shape::crop),
        Plain::boxed(like, "MaskComposite", compose::composite),
        Plain::boxed(like, "FeatherMask", if is_old { compose::feather_shifted } else { compose::feather }),
        Plain::boxed(like, "GrowMask", grow::grow),
        Plain::boxed(like, "ThresholdMask", shape::threshold),
        Plain::output(like, "MaskPreview", "mask", if is_old { preview } else { preview_as_still }),
    ]
}

fn preview(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let images = shape::gray(context, inputs.mask("mask")?)?;
    super::image::save::preview(&images, context, super::image::save::Compression::Balanced)
}

/// MaskPreview since 0.33.0: reports that the picture is not animated.
fn preview_as_still(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let mut outcome = preview(inputs, context)?;
    if let Some(Json::Object(ui)) = &mut outcome.ui {
        ui.insert("animated".to_owned(), json!([false]));
    }
    Ok(outcome)
}

fn mask_of(mask: MaskBatch) -> Result<Outcome, NodeError> {
    Ok(Outcome::one(Value::Mask(Arc::new(mask))))
}
