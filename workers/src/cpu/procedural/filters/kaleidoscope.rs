//! Kaleidoscope: one wedge of a picture, mirrored around a middle.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::coordinate;
use super::super::parameters::{IMAGE, Values, float, int};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphKaleidoscope",
    display_name: "Kaleidoscope",
    description: "Mirrors one wedge of a picture around its middle.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        int("mirrors", (6, 2, 24), "How many pairs of wedges there are."),
        float("angle", (0.0, 0.0, 360.0), "Where the wedge is cut, in degrees."),
        float("zoom", (1.0, 0.25, 4.0), "How large the wedge appears."),
        float("shift", (0.15, 0.0, 1.0), "How far from the middle the wedge is taken."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let wedge = std::f32::consts::PI / coordinate(values.count("mirrors").max(1));
    let (angle, zoom, shift) = (values.float("angle").to_radians(), values.float("zoom"), values.float("shift"));
    each_picture(values, context, |canvas, _| {
        let (middle_x, middle_y) = (coordinate(canvas.width) * 0.5, coordinate(canvas.height) * 0.5);
        let away = shift * canvas.short_side() * 0.5;
        let (ox, oy) = (libm::cosf(angle) * away, libm::sinf(angle) * away);
        let mut out = super::like(&canvas);
        out.paint(context, 2, |x, y| {
            let (dx, dy) = ((x - middle_x) / zoom, (y - middle_y) / zoom);
            let radius = (dx * dx + dy * dy).sqrt();
            let turn = libm::atan2f(dy, dx).rem_euclid(2.0 * wedge);
            let turn = if turn > wedge { 2.0 * wedge - turn } else { turn } + angle;
            canvas.sample(middle_x + ox + libm::cosf(turn) * radius, middle_y + oy + libm::sinf(turn) * radius)
        })?;
        Ok(out)
    })
}
