//! What can be measured of a picture, in words: light, color, where the detail is, texture, sharpness.

use super::palette::{Lab, chroma};
use crate::cpu::background::grid::{Grid, number};

pub(super) fn format(width: usize, height: usize) -> &'static str {
    let ratio = number(width) / number(height.max(1));
    match ratio {
        _ if ratio > 2.2 => "panoramic format",
        _ if ratio > 1.15 => "landscape format",
        _ if ratio > 0.87 => "square format",
        _ if ratio > 0.45 => "portrait format",
        _ => "tall narrow format",
    }
}

pub(super) fn light(labs: &[Lab]) -> Vec<&'static str> {
    let mut lights: Vec<f32> = labs.iter().map(|lab| lab[0]).collect();
    lights.sort_by(f32::total_cmp);
    let at = |share: usize| lights.get(lights.len().saturating_sub(1) * share / 100).copied().unwrap_or_default();
    let mean = mean(labs, |lab| lab[0]);
    let brightness = match mean {
        _ if mean < 0.25 => "very dark",
        _ if mean < 0.45 => "dark",
        _ if mean < 0.68 => "medium brightness",
        _ if mean < 0.85 => "bright",
        _ => "very bright",
    };
    let range = at(95) - at(5);
    let contrast = match range {
        _ if range < 0.04 => "no contrast",
        _ if range < 0.25 => "low contrast",
        _ if range < 0.6 => "medium contrast",
        _ => "high contrast",
    };
    vec![brightness, contrast]
}

pub(super) fn colors(labs: &[Lab]) -> Vec<&'static str> {
    let strength = mean(labs, chroma);
    let (red, yellow) = (mean(labs, |lab| lab[1]), mean(labs, |lab| lab[2]));
    if strength < 0.012 {
        return vec!["monochrome"];
    }
    let mut words = vec![match strength {
        _ if strength < 0.05 => "muted colours",
        _ if strength < 0.12 => "natural colours",
        _ => "vivid colours",
    }];
    match yellow + 0.5 * red {
        tone if tone > 0.035 => words.push("warm tones"),
        tone if tone < -0.035 => words.push("cool tones"),
        _ => {}
    }
    words
}

/// The strength of the edges at each pixel: the larger step of brightness to the right or down.
pub(super) fn edges(lights: &Grid<[f32; 1]>, step: usize) -> Grid<[f32; 1]> {
    let (width, height) = (lights.width.saturating_sub(step), lights.height.saturating_sub(step));
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let strength = |(x, y)| {
        let [own] = lights.at(x, y);
        [(lights.at(x + step, y)[0] - own).abs().max((lights.at(x, y + step)[0] - own).abs())]
    };
    Grid { width, height, data: places.map(strength).collect() }
}

/// Steps of brightness below this are noise.
const NOISE: f32 = 0.01;

/// Where the detail is, on a grid of three by three.
pub(super) fn composition(edges: &Grid<[f32; 1]>) -> Vec<&'static str> {
    const PLACES: [&str; 9] = [
        "detail in the upper left",
        "detail at the top",
        "detail in the upper right",
        "detail on the left",
        "detail in the centre",
        "detail on the right",
        "detail in the lower left",
        "detail at the bottom",
        "detail in the lower right",
    ];
    let (width, height) = (edges.width, edges.height);
    let mut cells = [0.0_f32; 9];
    for (at, [edge]) in edges.data.iter().enumerate() {
        let (x, y) = (at % width * 3 / width, at / width * 3 / height);
        if let Some(cell) = cells.get_mut(y * 3 + x) {
            *cell += (edge - NOISE).max(0.0);
        }
    }
    let total: f32 = cells.iter().sum();
    if total / number((width * height).max(1)) < 0.0002 {
        return vec!["an even surface without detail"];
    }
    let share = |at: usize| cells.get(at).copied().unwrap_or_default() / total;
    let most = (0..9).max_by(|a, b| share(*a).total_cmp(&share(*b))).unwrap_or(4);
    let sum = |list: [usize; 3]| list.into_iter().map(share).sum::<f32>();
    let halves = [
        (sum([0, 1, 2]), "detail in the upper part"),
        (sum([6, 7, 8]), "detail in the lower part"),
        (sum([0, 3, 6]), "detail on the left side"),
        (sum([2, 5, 8]), "detail on the right side"),
    ];
    let mut words = Vec::new();
    if share(most) > 0.4 {
        words.extend(PLACES.get(most).copied());
    } else if let Some((_, word)) = halves.iter().find(|(share, _)| *share > 0.6) {
        words.push(*word);
    } else if share(most) < 0.2 {
        words.push("detail everywhere");
    }
    words
}

/// Texture of the whole picture, and whether the background along the border is plain.
pub(super) fn texture(edges: &Grid<[f32; 1]>, labs: &Grid<Lab>) -> Vec<&'static str> {
    let strong = edges.data.iter().filter(|edge| edge[0] > 0.03).count();
    let busy = number(strong) / number(edges.data.len().max(1));
    let mut words = vec![match busy {
        _ if busy < 0.03 => "smooth",
        _ if busy < 0.12 => "little texture",
        _ if busy < 0.35 => "textured",
        _ => "busy texture",
    }];
    let rim = labs.width.max(labs.height).div_ceil(16);
    let outside = labs.data.iter().enumerate().filter(|(at, _)| labs.is_rim(*at, rim)).map(|(_, lab)| *lab);
    let outside: Vec<Lab> = outside.collect();
    if spread(&outside) < 0.03 && spread(&labs.data) > 0.06 {
        words.push("plain background");
    }
    words
}

/// The root mean square distance from the mean color.
fn spread(labs: &[Lab]) -> f32 {
    let part = |index: usize| {
        let of = |lab: Lab| lab.get(index).copied().unwrap_or_default();
        let middle = mean(labs, of);
        mean(labs, |lab| (of(lab) - middle) * (of(lab) - middle))
    };
    (part(0) + part(1) + part(2)).sqrt()
}

/// How much of a strong edge lies between two neighbouring pixels, whose edges are `nearest`.
pub(super) fn sharpness(lights: &Grid<[f32; 1]>, nearest: &Grid<[f32; 1]>) -> Option<&'static str> {
    let strongest = |edges: &Grid<[f32; 1]>| {
        let mut strengths: Vec<f32> = edges.data.iter().map(|edge| edge[0]).collect();
        strengths.sort_by(f32::total_cmp);
        strengths.get(strengths.len().saturating_sub(1) * 995 / 1000).copied().unwrap_or_default()
    };
    let (near, far) = (strongest(nearest), strongest(&edges(lights, 8)));
    if far < 0.08 {
        return None;
    }
    Some(match near / far {
        share if share < 0.22 => "blurred",
        share if share < 0.45 => "soft focus",
        _ => "sharp",
    })
}

/// Whether the left side mirrors the right one.
pub(super) fn is_symmetric(lights: &Grid<[f32; 1]>) -> bool {
    let middle = mean(&lights.data, |light| light[0]);
    let deviation = mean(&lights.data, |light| (light[0] - middle).abs());
    let places = (0..lights.data.len()).map(|at| (at % lights.width, at / lights.width));
    let apart: f32 = places.map(|(x, y)| (lights.at(x, y)[0] - lights.at(lights.width - 1 - x, y)[0]).abs()).sum();
    deviation > 0.03 && apart / number(lights.data.len()) < 0.3 * deviation
}

fn mean<T: Copy>(values: &[T], of: impl Fn(T) -> f32) -> f32 {
    values.iter().map(|value| of(*value)).sum::<f32>() / number(values.len().max(1))
}
