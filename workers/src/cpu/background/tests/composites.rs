//! Composites with known mattes: a subject of several colors in front of a plain, gradient or textured background.

use super::super::grid::{Rgb, dot, minus, mix, number};
use crate::cpu::procedural::draw::random::Random;
use crate::cpu::procedural::draw::{lerp, smoothstep};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Hard,
    Soft,
    Hair,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Plain,
    Gradient,
    Textured,
}

pub(super) struct Composite {
    pub(super) name: String,
    pub(super) ground: Ground,
    pub(super) edge: Edge,
    pub(super) side: usize,
    /// The picture, rounded to bytes as a file is.
    pub(super) samples: Vec<f32>,
    pub(super) alpha: Vec<f32>,
    /// The subject's own colors.
    pub(super) colors: Vec<Rgb>,
}

/// Thirty composites: every edge on every background, with other shapes, colors and noise each time.
pub(super) fn all(side: usize) -> Vec<Composite> {
    let mut out = Vec::new();
    for edge in [Edge::Hard, Edge::Soft, Edge::Hair] {
        for (ground, count) in [(Ground::Plain, 4), (Ground::Gradient, 3), (Ground::Textured, 3)] {
            for number in 0..count {
                let seed = 1000 + 97 * number + 31 * edge as u64 + 7 * ground as u64;
                out.push(Composite::new(side, edge, ground, number, seed));
            }
        }
    }
    out
}

impl Composite {
    pub(super) fn new(side: usize, edge: Edge, ground: Ground, kind: u64, seed: u64) -> Self {
        let mut random = Random::with_state(seed);
        let palette = Palette::new(ground, &mut random);
        let shape = Shape::new(edge, kind, &mut random);
        let alpha = shape.matte(side, &mut random);
        let (mut samples, mut colors) = (Vec::new(), Vec::new());
        for (at, alpha) in alpha.iter().enumerate() {
            let (u, v) = (number(at % side) / number(side), number(at / side) / number(side));
            let behind = palette.background(u, v, kind);
            let front = palette.subject(u, v);
            let color = mix(behind, front, *alpha);
            let grain = 0.012 * (random.unit() - 0.5);
            samples.extend(color.map(|part| ((part + grain).clamp(0.0, 1.0) * 255.0).round() / 255.0));
            colors.push(front);
        }
        Self { name: format!("{edge:?} {ground:?} {kind}"), ground, edge, side, samples, alpha, colors }
    }
}

struct Palette {
    ground: Ground,
    behind: [Rgb; 2],
    front: [Rgb; 3],
    seed: u64,
}

impl Palette {
    /// The subject's colors differ from the background's by at least 0.35 in RGB, and the two of a background by 0.2
    /// to 0.5.
    fn new(ground: Ground, random: &mut Random) -> Self {
        let first = any_color(random);
        let second = loop {
            let color = any_color(random);
            if (0.2..0.5).contains(&apart(first, color)) {
                break color;
            }
        };
        let between = mix(first, second, 0.5);
        let mut front = [[0.0; 3]; 3];
        for color in &mut front {
            *color = loop {
                let color = any_color(random);
                if [first, second, between].iter().all(|other| apart(*other, color) > 0.35) {
                    break color;
                }
            };
        }
        Self { ground, behind: [first, second], front, seed: random.next() }
    }

    fn background(&self, u: f32, v: f32, kind: u64) -> Rgb {
        let share = match (self.ground, kind) {
            (Ground::Plain, _) => 0.0,
            (Ground::Gradient, 0) => v,
            (Ground::Gradient, 1) => 0.6 * u + 0.4 * v,
            (Ground::Gradient, _) => 2.0 * ((u - 0.5) * (u - 0.5) + (v - 0.4) * (v - 0.4)),
            // Cloth with coarse and fine grain, stripes, tiles; blurred patches as behind a portrait.
            (Ground::Textured, 0) => 0.6 * noise(u * 24.0, v * 24.0, self.seed) + 0.4 * noise(u * 90.0, v * 90.0, 5),
            (Ground::Textured, 1) => 0.5 + 0.5 * (u * 60.0 + v * 20.0).sin(),
            (Ground::Textured, 3) => (noise(u * 4.0, v * 4.0, self.seed) - 0.2) * 1.7,
            (Ground::Textured, _) => {
                let tile = (u * 9.0).fract() < 0.5;
                f32::from(u8::from(tile ^ ((v * 9.0).fract() < 0.5))) * 0.8 + 0.2 * noise(u * 60.0, v * 60.0, 3)
            }
        };
        mix(self.behind[0], self.behind[1], share.clamp(0.0, 1.0))
    }

    /// Patches of three colors under a soft light, with grain.
    fn subject(&self, u: f32, v: f32) -> Rgb {
        let (a, b) = (noise(u * 5.0, v * 5.0, self.seed + 1), noise(u * 4.0, v * 4.0, self.seed + 2));
        let step = |value: f32| ((value - 0.45) * 8.0).clamp(0.0, 1.0);
        let color = mix(mix(self.front[0], self.front[1], step(a)), self.front[2], step(b));
        let light = 0.04 * (u - v) + 0.04 * (noise(u * 70.0, v * 70.0, self.seed + 3) - 0.5);
        color.map(|part| (part + light).clamp(0.0, 1.0))
    }
}

struct Shape {
    edge: Edge,
    centre: (f32, f32),
    radius: f32,
    waves: [(f32, f32, f32); 3],
    /// Half the width of a soft edge.
    blur: f32,
    /// Shoulders that reach the lower border.
    has_shoulders: bool,
    /// A hole through which the background shows.
    has_hole: bool,
}

impl Shape {
    fn new(edge: Edge, kind: u64, random: &mut Random) -> Self {
        let mut waves = [(0.0, 0.0, 0.0); 3];
        for (wave, times) in waves.iter_mut().zip([2.0, 3.0, 5.0]) {
            *wave = (times, random.between(0.02, 0.1), random.between(0.0, std::f32::consts::TAU));
        }
        let blur = if edge == Edge::Soft { random.between(0.008, 0.025) } else { 0.0 };
        let is_hair = edge == Edge::Hair;
        Self {
            edge,
            centre: (random.between(0.45, 0.55), if is_hair { 0.42 } else { random.between(0.46, 0.54) }),
            radius: if is_hair { 0.2 } else { random.between(0.24, 0.32) },
            waves,
            blur,
            has_shoulders: is_hair && kind.is_multiple_of(2),
            has_hole: edge == Edge::Hard && kind % 2 == 1,
        }
    }

    /// Distance from the outline, positive inside.
    fn depth(&self, u: f32, v: f32) -> f32 {
        let (x, y) = (u - self.centre.0, v - self.centre.1);
        let angle = y.atan2(x);
        let wave: f32 = self.waves.iter().map(|(times, size, at)| size * (times * angle + at).cos()).sum();
        let far = x.hypot(y);
        let mut depth = self.radius * (1.0 + wave) - far;
        if self.has_hole {
            depth = depth.min(far - self.radius * 0.35);
        }
        if self.has_shoulders {
            let (x, y) = ((u - self.centre.0) / 0.38, (v - 1.02) / 0.38);
            depth = depth.max((1.0 - x.hypot(y)) * 0.38);
        }
        depth
    }

    fn matte(&self, side: usize, random: &mut Random) -> Vec<f32> {
        let pixel = 1.0 / number(side);
        let width = self.blur.max(0.5 * pixel);
        let mut alpha = Vec::with_capacity(side * side);
        for at in 0..side * side {
            let (u, v) = ((number(at % side) + 0.5) * pixel, (number(at / side) + 0.5) * pixel);
            let t = (self.depth(u, v) / width * 0.5 + 0.5).clamp(0.0, 1.0);
            alpha.push(if self.blur > 0.0 { smoothstep(0.0, 1.0, t) } else { t });
        }
        if self.edge == Edge::Hair {
            for _ in 0..160 {
                self.strand(&mut alpha, side, random);
            }
        }
        alpha
    }

    /// A strand that leaves the outline, bends, and thins out.
    fn strand(&self, alpha: &mut [f32], side: usize, random: &mut Random) {
        let start = random.between(-3.6, 0.5);
        let (mut x, mut y) = (self.centre.0, self.centre.1);
        let mut angle = start;
        while self.depth(x, y) > 0.01 && x > 0.02 && x < 0.98 && y > 0.02 {
            (x, y) = (x + 0.004 * angle.cos(), y + 0.004 * angle.sin());
        }
        let (length, bend) = (random.between(0.04, 0.13), random.between(-9.0, 9.0));
        // A strand is one and a half pixels wide at 512 pixels, and never thinner than one.
        let (thick, opaque) = ((number(side) / 512.0).max(0.66) * 1.5, random.between(0.6, 1.0));
        let step = 0.4 / number(side);
        let mut gone = 0.0;
        while gone < length {
            let width = thick * (1.0 - 0.6 * gone / length);
            stamp(alpha, side, (x * number(side), y * number(side)), width, opaque);
            (x, y) = (x + step * angle.cos(), y + step * angle.sin());
            angle += bend * step;
            gone += step;
        }
    }
}

/// Covers the pixels around a point of a strand.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places inside the picture")]
fn stamp(alpha: &mut [f32], side: usize, (x, y): (f32, f32), width: f32, opaque: f32) {
    let reach = width * 0.5 + 1.0;
    for row in (y - reach).max(0.0) as usize..=((y + reach).max(0.0) as usize).min(side - 1) {
        for column in (x - reach).max(0.0) as usize..=((x + reach).max(0.0) as usize).min(side - 1) {
            let far = (number(column) + 0.5 - x).hypot(number(row) + 0.5 - y);
            let cover = (width * 0.5 + 0.5 - far).clamp(0.0, 1.0) * width.min(1.0) * opaque;
            let pixel = &mut alpha[row * side + column];
            *pixel = pixel.max(cover);
        }
    }
}

fn any_color(random: &mut Random) -> Rgb {
    std::array::from_fn(|_| random.between(0.05, 0.95))
}

fn apart(a: Rgb, b: Rgb) -> f32 {
    let apart = minus(a, b);
    dot(apart, apart).sqrt()
}

/// Smooth noise from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells of a small lattice")]
fn noise(x: f32, y: f32, seed: u64) -> f32 {
    let corner = |x: f32, y: f32| {
        Random::with_state(seed ^ (x as u64).wrapping_mul(0x9e37_79b9) ^ (y as u64).wrapping_mul(0x85eb_ca6b_1234_5677))
            .unit()
    };
    let (left, top) = (x.floor(), y.floor());
    let (s, t) = (smoothstep(0.0, 1.0, x - left), smoothstep(0.0, 1.0, y - top));
    let above = lerp(corner(left, top), corner(left + 1.0, top), s);
    let below = lerp(corner(left, top + 1.0), corner(left + 1.0, top + 1.0), s);
    lerp(above, below, t)
}
