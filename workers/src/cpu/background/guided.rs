//! Guided filter: the matte as a local linear function of the colors. He, Sun and Tang, "Guided image filtering", 2010.

use super::grid::{Check, Grid, Rgb};
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
    let mut means = moments.box_mean(radius, check)?;
    drop(moments);
    let solved = means.data.iter_mut().map(|means| solve(*means, smoothing)).collect();
    Grid { width: picture.width, height: picture.height, data: solved }.box_mean(radius, check)
}

/// Solves the covariance matrix for the covariance of mask and colors.
fn solve(means: [f32; 13], smoothing: f32) -> [f32; 4] {
    let [p, r, g, b, pr, pg, pb, rr, rg, rb, gg, gb, bb] = means;
    let right = [pr - p * r, pg - p * g, pb - p * b];
    let (xx, xy, xz) = (rr - r * r + smoothing, rg - r * g, rb - r * b);
    let (yy, yz, zz) = (gg - g * g + smoothing, gb - g * b, bb - b * b + smoothing);
    let (a, d, e) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let determinant = (xx * a + xy * d + xz * e).max(smoothing * smoothing * smoothing);
    let [x, y, z] = right;
    let slope = [
        (a * x + d * y + e * z) / determinant,
        (d * x + (xx * zz - xz * xz) * y + (xy * xz - xx * yz) * z) / determinant,
        (e * x + (xy * xz - xx * yz) * y + (xx * yy - xy * xy) * z) / determinant,
    ];
    [slope[0], slope[1], slope[2], p - slope[0] * r - slope[1] * g - slope[2] * b]
}
