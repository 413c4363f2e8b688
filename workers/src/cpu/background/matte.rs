//! The matte at full size: how much of each pixel is subject, and the subject's own color there.
//!
//! A pixel near the edge is a mixture of the subject's color and the background's. Both are known next to the edge and
//! continued across it, so that alpha is the pixel's place between the two. Where the two colors are too alike, or
//! their textures too strong, a guided filter of the small mask decides instead.

use super::cut::Options;
use super::field::continued;
use super::grid::{Check, Grid, Rgb, add, dot, minus, mix, number, plus, share, whole};
use super::guided;
use super::mixture::Mixture;
use super::subject::Subject;
use super::surface::{Spot, Surface};
use crate::cpu::node::NodeError;

/// Longer side of the picture in which colors are continued.
pub(super) const SIDE: usize = 1024;
/// Longer side of the picture of the guided filter.
pub(super) const GUIDE_SIDE: usize = 512;
/// How much more the subject's color nearby counts than its others.
const NEARBY: f32 = 4.0;
/// Logarithm of the density above which a color is like the background.
const LIKELY: f32 = 2.0;

/// Everything that alpha of a pixel depends on, at the reduced size.
pub(super) struct Matte {
    /// The subject's color, and its variance.
    subject: Grid<[f32; 5]>,
    /// The background's difference from the surface, and its variance.
    background: Grid<[f32; 5]>,
    /// Coefficients of the guided filter.
    guide: Grid<[f32; 4]>,
    /// 0 for certain background, 1 for certain subject, between them unknown.
    zone: Grid<[f32; 1]>,
    surface: Surface,
    /// Colors of the whole subject, for a pixel whose color the subject does not have nearby.
    palette: Vec<Rgb>,
    softness: f32,
}

pub(super) struct Pixel {
    pub(super) alpha: f32,
    pub(super) color: Rgb,
}

impl Matte {
    pub(super) fn new(
        picture: &Grid<Rgb>,
        subject: &Subject,
        options: &Options,
        check: Check<'_>,
    ) -> Result<Self, NodeError> {
        let (width, height) = (picture.width, picture.height);
        let mask = resized(&subject.mask, width, height, check)?;
        let zone = zones(picture, subject, &mask, options.keep_holes, check)?;
        let surface = subject.surface;
        let front = colors(picture, &zone, 1.0, |spot| spot.color);
        let back = colors(picture, &zone, 0.0, |spot| surface.residual(spot));
        let certain = front.data.iter().filter(|sample| sample[4] > 0.5).map(|sample| first(*sample));
        let palette = Mixture::fit(&certain.collect::<Vec<_>>()).means().collect();
        let small = picture.reduced(GUIDE_SIDE, check)?;
        let small_mask = resized(&subject.mask, small.width, small.height, check)?;
        let radius = whole(number(small.width.max(small.height)) * 0.02).max(1);
        Ok(Self {
            subject: continued(front, check)?,
            background: continued(back, check)?,
            guide: guided::coefficients(&small, &small_mask, radius, 2e-4, check)?,
            zone,
            surface,
            palette,
            softness: options.softness,
        })
    }

    pub(super) fn pixel(&self, u: f32, v: f32, color: Rgb) -> Pixel {
        let [zone] = self.zone.sample(u, v);
        if zone <= 0.001 {
            return Pixel { alpha: 0.0, color: first(self.subject.sample(u, v)) };
        }
        if zone >= 0.999 {
            return Pixel { alpha: 1.0, color };
        }
        let (front, back) = (self.subject.sample(u, v), self.background.sample(u, v));
        let behind = plus(first(back), self.surface.at(u, v));
        let (direct, front_color) = self.place(color, behind, front, variance(back));
        let between = minus(front_color, behind);
        let distance = dot(between, between).max(1e-5);
        let guide = self.guide.sample(u, v);
        let guided = guide[3] + guide[0] * color[0] + guide[1] * color[1] + guide[2] * color[2];
        let spread = variance(front) * 0.3 + variance(back) + 2e-4;
        let trust = distance / (distance + 12.0 * spread);
        let alpha = direct * trust + guided.clamp(0.0, 1.0) * (1.0 - trust);
        // Noise of the background must not leave a veil.
        let low = (2.5 * (variance(back) + 1e-5).sqrt() / distance.sqrt()).min(0.3);
        let high = 1.0 - (variance(front).min(0.01).sqrt() / distance.sqrt()).clamp(0.02, 0.2);
        let alpha = ((alpha - low) / (high - low)).clamp(0.0, 1.0);
        let alpha = soften(alpha, self.softness);
        let clean = if alpha > 0.02 {
            let own = minus(color, behind).map(|part| part / alpha.max(0.1));
            mix(plus(behind, own), front_color, 1.0 - alpha).map(|part| part.clamp(0.0, 1.0))
        } else {
            first(front)
        };
        Pixel { alpha, color: clean }
    }

    /// The place of a color between the background's and the subject's, and the subject's color that explains it best.
    /// The nearby color counts more than the others of the subject.
    fn place(&self, color: Rgb, behind: Rgb, front: [f32; 5], noise: f32) -> (f32, Rgb) {
        let apart = minus(color, behind);
        let width = 2.0 * (noise + 0.2 * variance(front) + 0.0016);
        let (mut total, mut alpha, mut mean) = (0.0, 0.0, [0.0; 3]);
        let nearby = std::iter::once((first(front), NEARBY));
        for (candidate, weight) in nearby.chain(self.palette.iter().map(|color| (*color, 1.0))) {
            let between = minus(candidate, behind);
            let share = (dot(apart, between) / dot(between, between).max(1e-5)).clamp(0.0, 1.0);
            let rest = minus(apart, between.map(|part| part * share));
            let weight = weight * (1e-6 + libm::expf(-dot(rest, rest) / width));
            total += weight;
            alpha += share * weight;
            add(&mut mean, candidate, weight);
        }
        (alpha / total, mean.map(|part| part / total))
    }
}

/// Zones of the picture: 0 for certain background, 1 for certain subject, 0.5 between them.
fn zones(
    picture: &Grid<Rgb>,
    subject: &Subject,
    mask: &Grid<[f32; 1]>,
    keep_holes: bool,
    check: Check<'_>,
) -> Result<Grid<[f32; 1]>, NodeError> {
    let (width, height) = (picture.width, picture.height);
    let side = number(width.max(height));
    let clean = (1.0 - noise(picture, subject, mask) / 0.05).clamp(0.0, 1.0);
    // Fine strands can be told from a smooth background far from the mask, but not from a texture.
    let reach = whole(side * (0.02 + 0.06 * clean)).max(1);
    let outer = mask.box_mean(reach, check)?;
    // The background between dense strands is no certain subject, although the small mask has no gap there.
    let mut solid = mask.clone();
    if !keep_holes {
        for (at, (solid, outer)) in solid.data.iter_mut().zip(&outer.data).enumerate() {
            if at.is_multiple_of(width) {
                check()?;
            }
            if solid[0] > 0.0 && outer[0] < 0.999 {
                let residual = subject.surface.residual(&Spot::of(picture, at));
                if subject.background.log_density(residual) > LIKELY {
                    solid[0] = 0.0;
                }
            }
        }
    }
    // Far inside, no soft edge mixes the colors. A thin subject has no such place; then nearer to the edge.
    let enough = mask.data.iter().map(|sample| sample[0]).sum::<f32>() * 0.2;
    let mut depth = whole(side * (0.022 + 0.03 * clean)).max(1);
    let inner = loop {
        let inner = solid.box_mean(depth, check)?;
        if depth == 1 || number(inner.data.iter().filter(|mean| mean[0] > 0.999).count()) > enough {
            break inner;
        }
        depth = (depth / 2).max(1);
    };
    let zone = outer.data.iter().zip(&inner.data).map(|(outer, inner)| {
        [if outer[0] < 0.001 {
            0.0
        } else if inner[0] > 0.999 {
            1.0
        } else {
            0.5
        }]
    });
    Ok(Grid { width, height, data: zone.collect() })
}

/// 0 cuts at one half, 1 leaves alpha as it is.
fn soften(alpha: f32, softness: f32) -> f32 {
    ((alpha - 0.5) / softness.max(0.02) + 0.5).clamp(0.0, 1.0)
}

fn first(sample: [f32; 5]) -> Rgb {
    [sample[0], sample[1], sample[2]]
}

/// The variance of a region's colors around a place, summed over the colors.
fn variance(sample: [f32; 5]) -> f32 {
    (sample[3] - dot(first(sample), first(sample))).max(0.0)
}

/// The colors of one zone with their squares and weights.
fn colors(picture: &Grid<Rgb>, zone: &Grid<[f32; 1]>, wanted: f32, color: impl Fn(&Spot) -> Rgb) -> Grid<[f32; 5]> {
    let pixels = zone.data.iter().enumerate().map(|(at, zone)| {
        if (zone[0] - wanted).abs() > 0.1 {
            return [0.0; 5];
        }
        let [r, g, b] = color(&Spot::of(picture, at));
        [r, g, b, r * r + g * g + b * b, 1.0]
    });
    Grid { width: picture.width, height: picture.height, data: pixels.collect() }
}

/// The standard deviation of the background from its surface, per color.
fn noise(picture: &Grid<Rgb>, subject: &Subject, mask: &Grid<[f32; 1]>) -> f32 {
    let mut sums = [0.0_f32; 2];
    for (at, mask) in mask.data.iter().enumerate().step_by(7) {
        if mask[0] < 0.01 {
            let apart = subject.surface.residual(&Spot::of(picture, at));
            add(&mut sums, [dot(apart, apart).min(0.04), 1.0], 1.0);
        }
    }
    (sums[0] / sums[1].max(1.0) / 3.0).sqrt()
}

fn resized(mask: &Grid<[f32; 1]>, width: usize, height: usize, check: Check<'_>) -> Result<Grid<[f32; 1]>, NodeError> {
    let mut out = Grid::zeros(width, height);
    for (y, row) in out.data.chunks_exact_mut(width.max(1)).enumerate() {
        check()?;
        for (x, sample) in row.iter_mut().enumerate() {
            *sample = mask.sample(share(x, width), share(y, height));
        }
    }
    Ok(out)
}
