//! Colors of a region as a mixture of Gaussians.

use super::grid::{Rgb, add, adjoint, dot, minus, number};

const PARTS: usize = 5;
const ROUNDS: usize = 6;
/// At most this many colors are used for a fit.
const MOST: usize = 6000;
/// Variance that is added to every component: noise, rounding to bytes, JPEG.
const FLOOR: f32 = 0.015 * 0.015;
/// Density of a color that no component explains.
const ANY: f32 = 1e-4;

#[derive(Debug, Clone, Copy)]
struct Component {
    share: f32,
    mean: Rgb,
    /// The inverse covariance: xx, xy, xz, yy, yz, zz.
    precision: [f32; 6],
    /// The density at the mean.
    peak: f32,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Mixture(Vec<Component>);

impl Mixture {
    /// Fits the mixture by expectation maximization. Starts with colors that are far from each other.
    pub(super) fn fit(colors: &[Rgb]) -> Self {
        let colors: Vec<Rgb> = colors.iter().step_by(colors.len().div_ceil(MOST).max(1)).copied().collect();
        let mut mixture = Self(starts(&colors).into_iter().map(|mean| Component::new(0.2, mean, [0.0; 6])).collect());
        for _ in 0..ROUNDS {
            let mut sums = vec![Moments::default(); mixture.0.len()];
            for color in &colors {
                for (sum, share) in sums.iter_mut().zip(mixture.shares(*color)) {
                    sum.add(*color, share);
                }
            }
            let count = number(colors.len());
            mixture.0 = sums.iter().filter(|sum| sum.weight > 0.5).map(|sum| sum.component(count)).collect();
        }
        mixture
    }

    pub(super) fn means(&self) -> impl Iterator<Item = Rgb> {
        self.0.iter().map(|part| part.mean)
    }

    /// Removes components nearly all of whose colors have the same label. At least one component stays.
    pub(super) fn without_local<L: Copy + PartialEq>(mut self, colors: &[Rgb], labels: &[Option<L>]) -> Self {
        const NEARLY_ALL: f32 = 0.9;
        let mut all = vec![0.0; self.0.len()];
        let mut by_label: Vec<(L, Vec<f32>)> = Vec::new();
        for (color, label) in colors.iter().zip(labels) {
            let shares = self.shares(*color);
            all.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += share);
            let Some(label) = label else { continue };
            match by_label.iter_mut().find(|(known, _)| known == label) {
                Some((_, sums)) => sums.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += share),
                None => by_label.push((*label, shares)),
            }
        }
        let is_local = |at: usize| {
            let all = all.get(at).copied().unwrap_or_default();
            by_label.iter().any(|(_, sums)| sums.get(at).is_some_and(|sum| *sum > NEARLY_ALL * all))
        };
        let stays: Vec<bool> = (0..self.0.len()).map(|at| !is_local(at)).collect();
        if stays.contains(&true) {
            let mut stays = stays.into_iter();
            self.0.retain(|_| stays.next().unwrap_or(true));
        }
        self
    }

    /// How much of a color each component explains.
    fn shares(&self, color: Rgb) -> Vec<f32> {
        let mut shares: Vec<f32> = self.0.iter().map(|part| part.density(color)).collect();
        let total = shares.iter().sum::<f32>() + 1e-20;
        shares.iter_mut().for_each(|share| *share /= total);
        shares
    }

    pub(super) fn log_density(&self, color: Rgb) -> f32 {
        libm::logf(ANY + self.0.iter().map(|part| part.density(color)).sum::<f32>())
    }
}

impl Component {
    fn new(share: f32, mean: Rgb, covariance: [f32; 6]) -> Self {
        let (adjoint, determinant) = adjoint(covariance, FLOOR);
        let peak = 0.063_494 / determinant.sqrt();
        Self { share, mean, precision: adjoint.map(|part| part / determinant), peak }
    }

    fn density(&self, color: Rgb) -> f32 {
        let [x, y, z] = minus(color, self.mean);
        let [xx, xy, xz, yy, yz, zz] = self.precision;
        let square = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z);
        if square > 40.0 { 0.0 } else { self.share * self.peak * libm::expf(-0.5 * square) }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    weight: f32,
    first: Rgb,
    second: [f32; 6],
}

impl Moments {
    fn add(&mut self, color: Rgb, weight: f32) {
        let [x, y, z] = color;
        self.weight += weight;
        add(&mut self.first, color, weight);
        add(&mut self.second, [x * x, x * y, x * z, y * y, y * z, z * z], weight);
    }

    fn component(&self, count: f32) -> Component {
        let [x, y, z] = self.first.map(|part| part / self.weight);
        let mut covariance = self.second.map(|part| part / self.weight);
        add(&mut covariance, [x * x, x * y, x * z, y * y, y * z, z * z], -1.0);
        Component::new(self.weight / count, [x, y, z], covariance)
    }
}

/// The first color, then again and again the color that is farthest from all chosen ones.
fn starts(colors: &[Rgb]) -> Vec<Rgb> {
    let mut chosen: Vec<Rgb> = colors.first().copied().into_iter().collect();
    let mut distances = vec![f32::INFINITY; colors.len()];
    while let Some(last) = chosen.last().copied().filter(|_| chosen.len() < PARTS) {
        let mut farthest = (FLOOR, None);
        for (distance, color) in distances.iter_mut().zip(colors) {
            let apart = minus(*color, last);
            *distance = distance.min(dot(apart, apart));
            if *distance > farthest.0 {
                farthest = (*distance, Some(*color));
            }
        }
        match farthest.1 {
            Some(color) => chosen.push(color),
            None => break,
        }
    }
    chosen
}
