//! Pencil sketch: edges and hatching on paper.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{encode, from_hex, luminance, mix};
use super::super::draw::coordinate;
use super::super::draw::field::Field;
use super::super::draw::noise::{fbm, noise};
use super::super::draw::smoothstep;
use super::super::parameters::{IMAGE, Values, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphSketch",
    display_name: "Pencil Sketch",
    description: "Redraws a picture in pencil: outlines where it changes, hatching where it is dark.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        float("outline", (1.0, 0.0, 3.0), "How strong the outlines are."),
        float("hatching", (0.8, 0.0, 1.5), "How dark the hatching is."),
        float("spacing", (6.0, 2.0, 30.0), "Distance between pencil strokes, in thousandths of the shorter side."),
        float("color", (0.0, 0.0, 1.0), "How much of the picture's colour stays, as if tinted."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let (outline, hatching, tint) = (values.float("outline"), values.float("hatching"), values.float("color"));
    let (paper, lead) = (from_hex(0xf7_f3ea), from_hex(0x2a_2a30));
    each_picture(values, context, |canvas, _| {
        let side = canvas.short_side();
        let every = (values.float("spacing") * side / 1000.0).max(2.0);
        let light = lightness(&canvas, context)?;
        let reach = (side / 900.0).max(1.0);
        let mut out = super::like(&canvas);
        out.rows(context, |y, row| {
            for (x, pixel) in row.iter_mut().enumerate() {
                let (fx, fy) = (coordinate(x) + 0.5, coordinate(y) + 0.5);
                // The line wavers a little, as if drawn by hand.
                let sway = (
                    noise(fx / side * 14.0, fy / side * 14.0, 0x11) * reach,
                    noise(fx / side * 14.0, fy / side * 14.0, 0x12) * reach,
                );
                let (px, py) = (fx + sway.0, fy + sway.1);
                let sx = light.smooth(px + reach, py) - light.smooth(px - reach, py);
                let sy = light.smooth(px, py + reach) - light.smooth(px, py - reach);
                let edge = smoothstep(0.05, 0.42, (sx * sx + sy * sy).sqrt() * 1.6) * outline;
                let dark = 1.0 - light.smooth(fx, fy);
                let mut ink = edge;
                for (layer, (angle, from)) in [(0.72_f32, 0.28_f32), (2.35, 0.52), (0.15, 0.74)].into_iter().enumerate()
                {
                    let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
                    let waver =
                        noise(fx / side * 9.0, fy / side * 9.0, 0x21 + u32::try_from(layer).unwrap_or(0)) * 0.45;
                    let place = (fx * cos + fy * sin) / every + waver;
                    let away = (place - place.floor() - 0.5).abs() * 2.0;
                    let wide = smoothstep(from - 0.12, from + 0.35, dark);
                    ink += smoothstep(1.0 - 0.85 * wide - 0.2, 1.0, away) * wide * 0.62 * hatching;
                }
                let tooth = fbm(fx * 0.55, fy * 0.55, 2, 0x31) * 0.5 + 0.5;
                let ink = (ink * (0.62 + 0.55 * tooth)).clamp(0.0, 1.0);
                #[expect(clippy::cast_possible_wrap, reason = "sides are small")]
                let own = canvas.pixel(x as i64, y as i64);
                let ground = mix(paper, own, tint * 0.75);
                *pixel = mix(ground, lead, ink);
            }
        })?;
        Ok(out)
    })
}

/// Perceived brightness, averaged over three by three pixels.
fn lightness(canvas: &Canvas, context: &Context<'_>) -> Result<Field, NodeError> {
    #[expect(clippy::cast_possible_truncation, reason = "pixel coordinates")]
    Field::compute((canvas.width, canvas.height), context, |x, y| {
        let (x, y) = (x as i64, y as i64);
        let mut sum = 0.0;
        for dy in -1..=1_i64 {
            for dx in -1..=1_i64 {
                sum += encode(luminance(canvas.pixel(x + dx, y + dy)));
            }
        }
        sum / 9.0
    })
}
