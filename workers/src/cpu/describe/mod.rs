//! A picture in words: what can be measured, and nothing that would have to be recognized.
//!
//! - `palette`: names of colors
//! - `look`: light, composition, texture, sharpness

mod look;
mod palette;

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::background::grid::{Grid, Rgb, dot};
use super::background::source::Source;
use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};
use super::procedural::parameters::{IMAGE, Parameter, Values, required_inputs};
use super::value::{ImageBatch, Value};
use palette::{Lab, lab};

/// Longer side of the picture in which edges are measured, and of the one for colors.
const SIDE: usize = 512;
const COLORS_SIDE: usize = 128;
/// Memory per pixel of the larger one.
const PER_PIXEL: usize = 64;

#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    vec![Box::new(ImageToPrompt)]
}

const PARAMETERS: [Parameter; 1] = [IMAGE];

struct ImageToPrompt;

impl Node for ImageToPrompt {
    fn class(&self) -> &'static str {
        "VerdigraphImageToPrompt"
    }

    fn definition(&self, _folders: &Folders) -> Json {
        let (required, order) = required_inputs(&PARAMETERS);
        json!({
            "input": { "required": required },
            "input_order": { "required": order },
            "output": ["STRING"],
            "output_is_list": [false],
            "output_name": ["STRING"],
            "output_tooltips": ["One line per picture."],
            "name": self.class(),
            "display_name": "Image to Prompt",
            "description": "Describes a picture by what can be measured: its format, colours, light, where the detail \
                is, texture and sharpness. It does not recognize what the picture shows: put the subject before the \
                text.",
            "python_module": "custom_nodes.verdigraph",
            "category": "verdigraph/text",
            "output_node": false,
        })
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let values = Values::read(&PARAMETERS, inputs)?;
        let image = values.image()?;
        if image.channels < 3 || image.width == 0 || image.height == 0 {
            return Err(NodeError::value(format!(
                "a {}x{} picture with {} channels cannot be described; the node needs a colour picture",
                image.width, image.height, image.channels
            )));
        }
        let mut lines = Vec::new();
        for index in 0..image.batch {
            lines.push(describe(image, index, context)?);
        }
        Ok(Outcome::one(Value::Text(Arc::from(lines.join("\n")))))
    }
}

fn describe(image: &ImageBatch, index: usize, context: &Context<'_>) -> Result<String, NodeError> {
    let mark = context.memory.reserved();
    context.reserve(SIDE * SIDE * PER_PIXEL)?;
    let words = words(image, index, context);
    context.memory.release_to(mark);
    Ok(words?.join(", "))
}

fn words(image: &ImageBatch, index: usize, context: &Context<'_>) -> Result<Vec<String>, NodeError> {
    let check = || context.check();
    let source = Source::new(image, index);
    let medium = source.reduced(SIDE, context)?;
    let small = medium.reduced(COLORS_SIDE, &check)?;
    let visible: Vec<Rgb> = small.data.iter().filter(|pixel| pixel[3] > 0.5).map(|[r, g, b, _]| [*r, *g, *b]).collect();
    if visible.is_empty() {
        return Ok(vec!["a fully transparent picture".to_owned()]);
    }
    let colors = palette::words(&visible);
    let labs = small.map(|pixel| lab(opaque(pixel)));
    let shown: Vec<Lab> = visible.iter().map(|color| lab(*color)).collect();
    let lights = |pixels: &Grid<[f32; 4]>| pixels.map(|pixel| [dot(opaque(pixel), LUMA)]);
    let (fine, coarse) = (lights(&medium), lights(&small));
    let edges = look::edges(&fine, 1);
    check()?;
    let mut words = vec![look::format(image.width, image.height).to_owned()];
    words.extend(colors);
    let mut add = |more: Vec<&str>| words.extend(more.into_iter().map(str::to_owned));
    add(look::colors(&shown));
    add(look::light(&shown));
    add(look::composition(&edges));
    if look::is_symmetric(&coarse) {
        add(vec!["symmetric"]);
    }
    add(look::texture(&edges, &labs));
    add(look::sharpness(&fine, &edges).into_iter().collect());
    if visible.len() * 20 < small.data.len() * 19 {
        add(vec!["transparent background"]);
    }
    Ok(words)
}

/// Weights of the brightness in which edges are measured.
const LUMA: Rgb = [0.299, 0.587, 0.114];

/// The color of a pixel on white, as a page shows a transparent one.
fn opaque([r, g, b, alpha]: &[f32; 4]) -> Rgb {
    [r, g, b].map(|part| part * alpha + 1.0 - alpha)
}

#[cfg(test)]
mod tests;
