//! Halftone: a picture as dots of ink on paper.

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::Canvas;
use super::super::draw::color::{Rgb, from_hex, luminance, mix};
use super::super::draw::smoothstep;
use super::super::parameters::{IMAGE, Values, choice, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphHalftone",
    display_name: "Halftone",
    description: "Prints a picture as dots that grow with the ink they need, in four inks or in black.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        float("dot", (8.0, 2.0, 64.0), "Distance between dots, in pixels."),
        float("angle", (15.0, 0.0, 90.0), "How far the first screen is turned, in degrees."),
        choice("inks", &["color", "black"], "Cyan, magenta, yellow and black, or black alone."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let (dot, angle) = (values.float("dot"), values.float("angle"));
    let color = values.choice("inks") == "color";
    let paper = from_hex(0xf8_f3e7);
    let inks: &[(Rgb, f32)] = &[
        ([0.02, 0.45, 0.80], angle),
        ([0.80, 0.03, 0.30], angle + 60.0),
        ([0.98, 0.78, 0.02], angle - 15.0),
        ([0.015, 0.014, 0.018], angle + 30.0),
    ];
    each_picture(values, context, |canvas, _| {
        let mut out = super::like(&canvas);
        out.paint(context, 2, |x, y| {
            let mut result = paper;
            for (number, (ink, angle)) in inks.iter().enumerate() {
                if !color && number != 3 {
                    continue;
                }
                let (cos, sin) = (libm::cosf(angle.to_radians()), libm::sinf(angle.to_radians()));
                let (u, v) = ((x * cos + y * sin) / dot, (y * cos - x * sin) / dot);
                let (mu, mv) = (u.floor() + 0.5, v.floor() + 0.5);
                let middle = ((mu * cos - mv * sin) * dot, (mu * sin + mv * cos) * dot);
                let need = amount(&canvas, middle, number, color);
                // The area of the dot is the share of ink; above about 0.78 dots flow together.
                let radius = (need / std::f32::consts::PI).sqrt() * (1.0 + 0.32 * smoothstep(0.6, 1.0, need));
                let away = ((u - mu) * (u - mu) + (v - mv) * (v - mv)).sqrt();
                let cover = smoothstep(radius + 0.5 / dot, radius - 0.5 / dot, away);
                let printed = [result[0] * ink[0], result[1] * ink[1], result[2] * ink[2]];
                result = mix(result, printed, if need > 0.004 { cover } else { 0.0 });
            }
            result
        })?;
        Ok(out)
    })
}

/// The ink that a place needs, 0 to 1.
fn amount(canvas: &Canvas, middle: (f32, f32), ink: usize, color: bool) -> f32 {
    let pixel = canvas.sample(middle.0, middle.1).map(super::super::draw::color::encode);
    if !color {
        return 1.0 - super::super::draw::color::encode(luminance(canvas.sample(middle.0, middle.1)));
    }
    let black = 1.0 - pixel[0].max(pixel[1]).max(pixel[2]);
    let key = black * black;
    match pixel.get(ink) {
        Some(part) => ((1.0 - part - key) / (1.0 - key).max(0.05)).clamp(0.0, 1.0),
        None => key,
    }
}
