//! Swirl: rotates a picture more strongly towards a point.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::coordinate;
use super::super::parameters::{IMAGE, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphSwirl",
    display_name: "Swirl",
    description: "Turns a picture around a point like stirred paint.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        float("turns", (0.6, -4.0, 4.0), "Turns at the middle; below zero the other way round."),
        float("radius", (0.9, 0.05, 2.0), "How far the swirl reaches, as a part of the shorter side."),
        float("center_x", (0.5, 0.0, 1.0), "Middle of the swirl from left (0) to right (1)."),
        float("center_y", (0.5, 0.0, 1.0), "Middle of the swirl from top (0) to bottom (1)."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let turns = values.float("turns") * std::f32::consts::TAU;
    each_picture(values, context, |canvas, _| {
        let reach = values.float("radius") * canvas.short_side();
        let middle =
            (values.float("center_x") * coordinate(canvas.width), values.float("center_y") * coordinate(canvas.height));
        let mut out = super::like(&canvas);
        out.paint(context, 2, |x, y| {
            let (dx, dy) = (x - middle.0, y - middle.1);
            let inside = 1.0 - (dx * dx + dy * dy).sqrt() / reach;
            if inside <= 0.0 {
                return canvas.sample(x, y);
            }
            let (sin, cos) = (libm::sinf(turns * inside * inside), libm::cosf(turns * inside * inside));
            canvas.sample(middle.0 + dx * cos - dy * sin, middle.1 + dx * sin + dy * cos)
        })?;
        Ok(out)
    })
}
