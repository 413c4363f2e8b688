//! Colors of a region continued over the whole picture: a pyramid of weighted means. A pixel outside takes the mean of
//! the region's nearest pixels.

use super::grid::{Check, Grid, add, share};
use crate::cpu::node::NodeError;

/// Continues the first `N - 1` samples. The last sample of each pixel is its weight: 0 outside of the region.
pub(super) fn continued<const N: usize>(region: Grid<[f32; N]>, check: Check<'_>) -> Result<Grid<[f32; N]>, NodeError> {
    if region.data.len() <= 1 {
        return Ok(region);
    }
    let mut weighted = region;
    // Weighted sums, so that the mean over covered pixels is a mean over the region only.
    for sample in &mut weighted.data {
        let weight = weight(*sample);
        *sample = sample.map(|part| part * weight);
        if let Some(last) = sample.last_mut() {
            *last = weight;
        }
    }
    let (width, height) = (weighted.width, weighted.height);
    let mut half = weighted.reduced(width.max(height) / 2, check)?;
    for sample in &mut half.data {
        *sample = normal(*sample);
    }
    let coarse = continued(half, check)?;
    for (y, row) in weighted.data.chunks_exact_mut(width.max(1)).enumerate() {
        check()?;
        for (x, sample) in row.iter_mut().enumerate() {
            let own = weight(*sample);
            if own < 1.0 {
                let far = coarse.sample(share(x, width), share(y, height));
                let far = far.map(|part| part * (1.0 - own));
                add(sample, far, 1.0);
            }
            if let Some(last) = sample.last_mut() {
                *last = 1.0;
            }
        }
    }
    Ok(weighted)
}

fn weight<const N: usize>(sample: [f32; N]) -> f32 {
    sample.last().copied().unwrap_or_default()
}

/// Divides the sums by their weight. A weight of a quarter is already full: the region is near.
fn normal<const N: usize>(sums: [f32; N]) -> [f32; N] {
    let total = weight(sums);
    let mut sample = if total > 1e-6 { sums.map(|part| part / total) } else { sums };
    if let Some(last) = sample.last_mut() {
        *last = (total * 4.0).min(1.0);
    }
    sample
}
