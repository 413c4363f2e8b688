//! Nodes that generate a picture from their parameters alone.

mod attractor;
mod circles;
mod contours;
mod flow;
mod fractal;
mod glass;
mod harmonograph;
mod mountains;
mod nebula;
mod phyllotaxis;
mod reaction;
mod ridgelines;
mod silk;
mod truchet;

use super::Recipe;

const CATEGORY: &str = "verdigraph/generate";

pub(super) const RECIPES: &[&Recipe] = &[
    &flow::RECIPE,
    &silk::RECIPE,
    &attractor::RECIPE,
    &fractal::RECIPE,
    &glass::RECIPE,
    &truchet::RECIPE,
    &mountains::RECIPE,
    &nebula::RECIPE,
    &reaction::RECIPE,
    &circles::RECIPE,
    &harmonograph::RECIPE,
    &phyllotaxis::RECIPE,
    &contours::RECIPE,
    &ridgelines::RECIPE,
];
