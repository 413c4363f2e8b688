//! Background removal by classical methods: no model, no network, the same pixels on any machine.
//!
//! - `cut`: one picture, from its samples to its colors and mask
//! - `subject`: which pixels of a small picture are the subject, with `surface` and `mixture` as models of colors,
//!   `walker` for smooth regions and `regions` for specks and holes
//! - `matte`: alpha and colors at full size, with `field` and `guided`
//! - `source`: one picture of a batch; `grid`: grids of samples
//!
//! What it can do is measured in `tests`.

mod cut;
mod field;
pub(super) mod grid;
mod guided;
mod matte;
mod mixture;
mod regions;
pub(super) mod source;
mod subject;
mod surface;
mod walker;

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};
use super::procedural::parameters::{IMAGE, Parameter, Values, choice, float, required_inputs};
use super::value::{ImageBatch, MaskBatch, Value};
use source::Source;

#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    vec![Box::new(RemoveBackground)]
}

const PARAMETERS: [Parameter; 4] = [
    IMAGE,
    float(
        "tolerance",
        (0.5, 0.0, 1.0),
        "How far a colour may differ from the background and still be removed. More removes shadows and paper grain; \
         too much eats into the subject.",
    ),
    float("softness", (1.0, 0.0, 1.0), "1 keeps hair and blurred edges half transparent, 0 cuts along a hard line."),
    choice(
        "holes",
        &["remove", "keep"],
        "Whether places inside the subject that look like the background are removed: the hole of a cup's handle is \
         background, the white of an eye is not.",
    ),
];

struct RemoveBackground;

impl Node for RemoveBackground {
    fn class(&self) -> &'static str {
        "VerdigraphRemoveBackground"
    }

    fn definition(&self, _folders: &Folders) -> Json {
        let (required, order) = required_inputs(&PARAMETERS);
        json!({
            "input": {
                "required": required,
                "optional": { "keep": ["MASK", { "tooltip": "What surely belongs to the subject, painted over it. An \
                    empty mask says nothing." }] },
            },
            "input_order": { "required": order, "optional": ["keep"] },
            "output": ["IMAGE", "MASK"],
            "output_is_list": [false, false],
            "output_name": ["IMAGE", "MASK"],
            "output_tooltips": [
                "The subject's colours, cleaned of the background's along soft edges.",
                "1 where the background was and 0 on the subject, as Join Image with Alpha and Load Image have it.",
            ],
            "name": self.class(),
            "display_name": "Remove Background",
            "description": DESCRIPTION,
            "python_module": "custom_nodes.verdigraph",
            "category": "verdigraph/mask",
            "output_node": false,
        })
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let values = Values::read(&PARAMETERS, inputs)?;
        let keep = match inputs.get("keep") {
            None => None,
            Some(_) => Some(inputs.mask("keep")?),
        };
        let options = cut::Options {
            tolerance: values.float("tolerance"),
            softness: values.float("softness"),
            keep_holes: values.choice("holes") == "keep",
        };
        let (colors, mask) = remove(values.image()?, keep.map(Arc::as_ref), &options, context)?;
        Ok(Outcome::many([Value::Image(Arc::new(colors)), Value::Mask(Arc::new(mask))]))
    }
}

const DESCRIPTION: &str = "Removes the background of a picture by classical methods, without a model. What lies along the \
    border counts as background. Walls, paper, skies and gradients work well: in our tests on drawn pictures the matte \
    overlaps the true one by 0.95 of 1, hair included. On regular textures it is 0.9 and fine hair is lost. A cluttered \
    photo, a cast shadow, or a subject with the colours of its background need the mask of what to keep, or a model. A \
    picture in which no subject stands out is returned whole. Join Image with Alpha makes the transparent picture.";

fn remove(
    image: &ImageBatch,
    keep: Option<&MaskBatch>,
    options: &cut::Options,
    context: &Context<'_>,
) -> Result<(ImageBatch, MaskBatch), NodeError> {
    let (width, height) = (image.width, image.height);
    if image.channels < 3 || width == 0 || height == 0 {
        return Err(NodeError::value(format!(
            "the background of a {width}x{height} picture with {} channels cannot be removed; it needs a colour picture",
            image.channels
        )));
    }
    context.reserve_size(image.batch, height, width, 3)?;
    context.reserve_size(image.batch, height, width, 1)?;
    let mut colors = ImageBatch::filled(image.batch, height, width, 3, 0.0);
    let mut mask = MaskBatch::filled(image.batch, height, width, 0.0);
    let outputs = colors.data.chunks_exact_mut(width * height * 3).zip(mask.data.chunks_exact_mut(width * height));
    let mark = context.memory.reserved();
    for (number, (colors, mask)) in outputs.enumerate() {
        context.progress(index(number), index(image.batch))?;
        let source = Source::new(image, number);
        let source = match keep {
            Some(keep) => source.with_marks(keep, number),
            None => source,
        };
        cut::cut(&source, options, context, colors, mask)?;
        // The memory for this picture is free for the next one.
        context.memory.release_to(mark);
    }
    context.progress(index(image.batch), index(image.batch))?;
    Ok((colors, mask))
}

fn index(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
