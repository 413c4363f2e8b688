//! Guided filter: the matte as a local linear function of the colors. He, Sun and Tang, "Guided image filtering", 2010.

use super::grid::{Check, Grid, Rgb, adjoint};
use crate::cpu::node::NodeError;

/// Coefficients of red, green and blue, and a constant, such that their sum with a pixel's color is its alpha.
pub(super) fn coefficients(
    picture: &Grid<Rgb>,
    mask: &Grid<[f32; 1]>,
    radius: usize,
    smoothing: f32,
    check: Check<'_>,
) -> Result<Grid<[f32; 4]>, NodeError> {
    // Mask, colors, mask times colors, products of colors.
    let moments = picture.data.iter().zip(&mask.data).map(|(color, mask)| {
        let ([r, g, b], p) = (*color, mask[0]);
        [p, r, g, b, p * r, p * g, p * b, r * r, r * g, r * b, g * g, g * b, b * b]
    });
    let moments = Grid { width: picture.width, height: picture.height, data: moments.collect() };
    let means = moments.box_mean(radius, check)?;
    drop(moments);
    means.map(|means| solve(*means, smoothing)).box_mean(radius, check)
}

/// Solves the covariance matrix for the covariance of mask and colors.
fn solve(means: [f32; 13], smoothing: f32) -> [f32; 4] {
    let [p, r, g, b, pr, pg, pb, rr, rg, rb, gg, gb, bb] = means;
    let [x, y, z] = [pr - p * r, pg - p * g, pb - p * b];
    let covariance = [rr - r * r, rg - r * g, rb - r * b, gg - g * g, gb - g * b, bb - b * b];
    let ([xx, xy, xz, yy, yz, zz], determinant) = adjoint(covariance, smoothing);
    let slope = [
        (xx * x + xy * y + xz * z) / determinant,
        (xy * x + yy * y + yz * z) / determinant,
        (xz * x + yz * y + zz * z) / determinant,
    ];
    [slope[0], slope[1], slope[2], p - slope[0] * r - slope[1] * g - slope[2] * b]
}
