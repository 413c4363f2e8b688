//! The smooth part of a background: a quadratic surface per color, which covers plain backgrounds, gradients and
//! vignettes. The fit is robust: pixels far from the surface, such as a subject that touches the border, lose their
//! weight.

use super::grid::{Grid, Rgb, add, dot, minus};

const TERMS: usize = 6;
/// Residuals below this count as noise of the camera or of the file format.
const NOISE: f32 = 0.012;
const ROUNDS: usize = 8;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surface([Rgb; TERMS]);

/// A pixel of the background: its place as shares of the sides, and its color.
pub(super) struct Spot {
    pub(super) u: f32,
    pub(super) v: f32,
    pub(super) color: Rgb,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Spot {
    pub(super) fn of(picture: &Grid<Rgb>, at: usize) -> Self {
        let (u, v) = picture.place(at);
        Self { u, v, color: picture.data.get(at).copied().unwrap_or_default() }
    }

    /// The side along whose middle the spot lies; `None` in the corners and away from the border.
    pub(super) fn side(&self) -> Option<Side> {
        const RIM: f32 = 0.06;
        let middle = |place: f32| (0.06..0.94).contains(&place);
        match (self.u, self.v) {
            (u, v) if v > 1.0 - RIM && middle(u) => Some(Side::Bottom),
            (u, v) if v < RIM && middle(u) => Some(Side::Top),
            (u, v) if u < RIM && middle(v) => Some(Side::Left),
            (u, v) if u > 1.0 - RIM && middle(v) => Some(Side::Right),
            _ => None,
        }
    }
}

impl Surface {
    pub(super) fn at(&self, u: f32, v: f32) -> Rgb {
        let mut color = [0.0; 3];
        for (coefficients, term) in self.0.iter().zip(terms(u, v)) {
            add(&mut color, *coefficients, term);
        }
        color
    }

    /// The difference of a spot's color from the surface.
    pub(super) fn residual(&self, spot: &Spot) -> Rgb {
        minus(spot.color, self.at(spot.u, spot.v))
    }

    /// Fits the surface, and returns which spots agree with it. Starts from all spots, and from all but those along each
    /// side, because a subject that touches one side would bend the surface. The closest fit wins.
    pub(super) fn fit(spots: &[Spot]) -> (Self, Vec<bool>) {
        let mut best: Option<(f32, Self, Vec<bool>)> = None;
        for side in [None, Some(Side::Bottom), Some(Side::Top), Some(Side::Left), Some(Side::Right)] {
            let weights = spots.iter().map(|spot| f32::from(u8::from(side.is_none() || spot.side() != side)));
            let (limit, surface, agrees) = Self::refined(spots, weights.collect());
            if best.as_ref().is_none_or(|(least, ..)| limit < 0.9 * least) {
                best = Some((limit, surface, agrees));
            }
        }
        best.map(|(_, surface, agrees)| (surface, agrees)).unwrap_or_default()
    }

    fn refined(spots: &[Spot], mut weights: Vec<f32>) -> (f32, Self, Vec<bool>) {
        let mut surface = Self::weighted(spots, &weights);
        let mut limit = f32::INFINITY;
        for _ in 0..ROUNDS {
            let distances: Vec<f32> = spots.iter().map(|spot| surface.distance(spot)).collect();
            limit = 2.4 * median(&distances).max(NOISE);
            for (weight, distance) in weights.iter_mut().zip(&distances) {
                let far = distance / limit;
                *weight = 1.0 / (1.0 + far * far).powi(2);
            }
            surface = Self::weighted(spots, &weights);
        }
        (limit, surface, spots.iter().map(|spot| surface.distance(spot) < 2.0 * limit).collect())
    }

    fn distance(&self, spot: &Spot) -> f32 {
        let apart = self.residual(spot);
        dot(apart, apart).sqrt()
    }

    /// Least squares with a small penalty on every term but the constant, so that few pixels suffice.
    fn weighted(spots: &[Spot], weights: &[f32]) -> Self {
        let mut matrix = [[0.0_f64; TERMS]; TERMS];
        let mut right = [[0.0_f64; 3]; TERMS];
        for (spot, weight) in spots.iter().zip(weights) {
            let terms = terms(spot.u, spot.v);
            for ((row, right), a) in matrix.iter_mut().zip(&mut right).zip(terms) {
                let a = f64::from(a * weight);
                row.iter_mut().zip(terms).for_each(|(cell, b)| *cell += a * f64::from(b));
                right.iter_mut().zip(spot.color).for_each(|(cell, part)| *cell += a * f64::from(part));
            }
        }
        let penalty = 1e-3 * matrix[0][0] + 1e-9;
        for (term, row) in matrix.iter_mut().enumerate() {
            row[term] += if term == 0 { 1e-9 } else { penalty };
        }
        Self(solve(matrix, right))
    }
}

/// The terms are centred, so that the penalty does not pull the mean.
fn terms(u: f32, v: f32) -> [f32; TERMS] {
    let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    [1.0, x, y, x * x - 0.5, x * y, y * y - 0.5]
}

/// Gaussian elimination. The matrix is positive definite, so no pivot is needed.
#[expect(clippy::cast_possible_truncation, reason = "colors need no more")]
fn solve(mut matrix: [[f64; TERMS]; TERMS], mut right: [[f64; 3]; TERMS]) -> [Rgb; TERMS] {
    for pivot in 0..TERMS {
        let (row, value) = (matrix[pivot], right[pivot]);
        for other in 0..TERMS {
            if other != pivot {
                let factor = matrix[other][pivot] / row[pivot];
                matrix[other].iter_mut().zip(row).for_each(|(cell, from)| *cell -= factor * from);
                right[other].iter_mut().zip(value).for_each(|(cell, from)| *cell -= factor * from);
            }
        }
    }
    let mut out = [[0.0; 3]; TERMS];
    for (term, color) in out.iter_mut().enumerate() {
        *color = right[term].map(|part| (part / matrix[term][term]) as f32);
    }
    out
}

fn median(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
