//! The procedural pack: seeded generators that paint pictures, and filters that change pictures.
//!
//! The same seed and inputs give the same pixels on any machine and with any number of threads: random numbers come
//! from `draw::random`, transcendental functions from `libm` (not from the system's library), and parallel work does
//! not depend on the order of threads.
//!
//! - `parameters`: a node's inputs, for `/object_info` and for `run`
//! - `draw`: color, noise, random numbers, rasterising, progress
//! - `generators`, `filters`: the nodes, one file each

pub(super) mod draw;
mod filters;
mod generators;
pub(super) mod parameters;

use serde_json::Value as Json;

use super::node::{Context, Folders, Inputs, Node, NodeError, Outcome};
use super::value::{ImageBatch, Value};
use parameters::{Parameter, Values};

/// Longest side of a generated picture, in pixels.
pub const MAX_SIDE: i64 = 2048;

#[must_use]
pub fn nodes() -> Vec<Box<dyn Node>> {
    generators::RECIPES
        .iter()
        .chain(filters::RECIPES)
        .map(|&recipe| Box::new(Procedural { recipe }) as Box<dyn Node>)
        .collect()
}

/// A node of this pack as data.
struct Recipe {
    class: &'static str,
    display_name: &'static str,
    description: &'static str,
    category: &'static str,
    parameters: &'static [Parameter],
    run: fn(&Values, &Context<'_>) -> Result<ImageBatch, NodeError>,
}

struct Procedural {
    recipe: &'static Recipe,
}

impl Node for Procedural {
    fn class(&self) -> &'static str {
        self.recipe.class
    }

    fn definition(&self, _folders: &Folders) -> Json {
        parameters::definition(self.recipe)
    }

    fn run(&self, inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
        let values = Values::read(self.recipe.parameters, inputs)?;
        let image = (self.recipe.run)(&values, context)?;
        context.check()?;
        Ok(Outcome::one(Value::Image(image.into())))
    }
}

#[cfg(test)]
mod tests;
