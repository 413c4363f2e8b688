//! Random walker with priors: every pixel takes the prior of the pixels that a random walk reaches from it, and a walk
//! rarely crosses an edge of the picture. Grady, "Multilabel random walker image segmentation using prior models", 2005.
//!
//! The result solves `(L + strength) x = strength * prior`, with `L` the Laplacian of the four-connected grid. The
//! matrix is positive definite; conjugate gradients solve it in one thread, so that the result is the same anywhere.

use super::grid::{Check, Grid, Rgb, dot, minus, number};
use crate::cpu::node::NodeError;

const MAX_ROUNDS: usize = 120;
const TOLERANCE: f32 = 1e-3;

pub(super) struct Walker {
    width: usize,
    /// Weights of the link to the right and to the one below.
    right: Vec<f32>,
    below: Vec<f32>,
}

impl Walker {
    pub(super) fn new(picture: &Grid<Rgb>) -> Self {
        let Grid { width, height, data } = picture;
        let steps = |offset: usize, linked: &dyn Fn(usize) -> bool| -> Vec<f32> {
            let step = |at: usize| {
                let (Some(a), Some(b)) = (data.get(at), data.get(at + offset).filter(|_| linked(at))) else {
                    return -1.0;
                };
                let apart = minus(*a, *b);
                dot(apart, apart)
            };
            (0..data.len()).map(step).collect()
        };
        let right = steps(1, &|at| at % width + 1 < *width);
        let below = steps(*width, &|at| at / width + 1 < *height);
        let known = || right.iter().chain(&below).filter(|step| **step >= 0.0);
        // The contrast at which a link loses its weight follows the picture's own, as in GrabCut.
        let mean = known().sum::<f32>() / number(known().count().max(1));
        let weight = |step: f32| if step < 0.0 { 0.0 } else { 0.02 + libm::expf(-step / (2.0 * mean + 1e-5)) };
        let width = *width;
        Self {
            width,
            right: right.iter().map(|step| weight(*step)).collect(),
            below: below.iter().map(|step| weight(*step)).collect(),
        }
    }

    pub(super) fn spread(&self, prior: &[f32], strength: f32, check: Check<'_>) -> Result<Vec<f32>, NodeError> {
        let mut x = prior.to_vec();
        let mut image = self.apply(&x, strength);
        let mut residual: Vec<f32> = prior.iter().zip(&image).map(|(prior, image)| strength * prior - image).collect();
        let mut direction = residual.clone();
        let mut square = inner(&residual, &residual);
        let enough = TOLERANCE * TOLERANCE * strength * strength * number(prior.len());
        for _ in 0..MAX_ROUNDS {
            check()?;
            if square <= enough {
                break;
            }
            image = self.apply(&direction, strength);
            let step = square / inner(&direction, &image).max(1e-30);
            x.iter_mut().zip(&direction).for_each(|(x, direction)| *x += step * direction);
            residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
            let next = inner(&residual, &residual);
            let keep = next / square;
            direction.iter_mut().zip(&residual).for_each(|(old, residual)| *old = residual + keep * *old);
            square = next;
        }
        Ok(x)
    }

    /// The matrix times a vector.
    fn apply(&self, x: &[f32], strength: f32) -> Vec<f32> {
        let mut out: Vec<f32> = x.iter().map(|value| strength * value).collect();
        for (weights, offset) in [(&self.right, 1), (&self.below, self.width)] {
            for (at, weight) in weights.iter().enumerate().take(x.len().saturating_sub(offset)) {
                let flow = weight * (x.get(at).unwrap_or(&0.0) - x.get(at + offset).unwrap_or(&0.0));
                if let Some(value) = out.get_mut(at) {
                    *value += flow;
                }
                if let Some(value) = out.get_mut(at + offset) {
                    *value -= flow;
                }
            }
        }
        out
    }
}

fn inner(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
