//! Pixel sorting: sorts runs of pixels by brightness.

use rayon::prelude::*;

use super::super::super::node::{Context, NodeError};
use super::super::super::value::ImageBatch;
use super::super::Recipe;
use super::super::draw::canvas::{Canvas, Progress};
use super::super::draw::color::{Rgb, encode, luminance};
use super::super::draw::noise::hash_unit;
use super::super::draw::{coordinate, index};
use super::super::parameters::{IMAGE, SEED, Values, choice, float};
use super::each_picture;

pub(super) const RECIPE: Recipe = Recipe {
    class: "VerdigraphPixelSort",
    display_name: "Pixel Sort",
    description: "Sorts runs of pixels by brightness, so that bright and dark drip along the picture.",
    category: super::CATEGORY,
    parameters: &[
        IMAGE,
        SEED,
        choice("direction", &["down", "up", "right", "left"], "Where bright pixels go."),
        float("low", (0.25, 0.0, 1.0), "Pixels darker than this stay where they are."),
        float("high", (0.85, 0.0, 1.0), "Pixels brighter than this stay where they are."),
        float("length", (0.35, 0.01, 1.0), "Longest run, as a part of the picture."),
    ],
    run,
};

fn run(values: &Values, context: &Context<'_>) -> Result<ImageBatch, NodeError> {
    let direction = values.choice("direction");
    let (upright, backward) = (matches!(direction, "down" | "up"), matches!(direction, "up" | "left"));
    let (low, high, length) = (values.float("low"), values.float("high"), values.float("length"));
    let seed = values.noise_seed();
    each_picture(values, context, |canvas, _| {
        let (width, height) = (canvas.width, canvas.height);
        let (len, count) = if upright { (height, width) } else { (width, height) };
        let place = |line: usize, at: usize| if upright { at * width + line } else { line * width + at };
        let mut lines: Vec<Vec<Rgb>> = (0..count)
            .into_par_iter()
            .map(|line| (0..len).map(|at| canvas.pixels.get(place(line, at)).copied().unwrap_or([0.0; 3])).collect())
            .collect();
        let longest = index(coordinate(len) * length).max(2);
        let group = count.div_ceil(16).max(1);
        let mut progress = Progress::new(context, count.div_ceil(group));
        for (step, lines) in lines.chunks_mut(group).enumerate() {
            lines.par_iter_mut().enumerate().for_each(|(number, line)| {
                sort_runs(line, (low, high), longest, backward, (step * group + number, seed));
            });
            progress.step()?;
        }
        let mut out = Canvas { width, height, pixels: canvas.pixels };
        out.pixels.par_iter_mut().enumerate().for_each(|(at, pixel)| {
            let (x, y) = (at % width, at / width);
            let (line, at) = if upright { (x, y) } else { (y, x) };
            if let Some(sorted) = lines.get(line).and_then(|line| line.get(at)) {
                *pixel = *sorted;
            }
        });
        Ok(out)
    })
}

/// Sorts every run of pixels between the limits. Run lengths are random, so that no straight edge shows.
fn sort_runs(line: &mut [Rgb], (low, high): (f32, f32), longest: usize, backward: bool, (number, seed): (usize, u32)) {
    let keys: Vec<f32> = line.iter().map(|pixel| encode(luminance(*pixel))).collect();
    let mut from = 0;
    while from < line.len() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "places are small")]
        let most = index(coordinate(longest) * (0.35 + 0.65 * hash_unit(number as i32, from as i32, seed))).max(1);
        let run = keys.iter().skip(from).take(most).take_while(|key| (low..=high).contains(*key)).count();
        if let Some(part) = line.get_mut(from..from + run) {
            part.sort_by(|a, b| luminance(*a).total_cmp(&luminance(*b)));
            if backward {
                part.reverse();
            }
        }
        from += run.max(1);
    }
}
