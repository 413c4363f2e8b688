//! Gradient noise over hashed grid points.

/// A hash of a grid point.
pub(in super::super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = seed ^ x.cast_unsigned().wrapping_mul(0x9e37_79b1) ^ y.cast_unsigned().wrapping_mul(0x85eb_ca77);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// A hash of a grid point, from 0 to below 1.
#[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
pub(in super::super) fn hash_unit(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / 16_777_216.0
}

/// Unit vectors in sixteen directions.
const DIRECTIONS: [(f32, f32); 16] = [
    (1.0, 0.0),
    (0.923_879_5, 0.382_683_43),
    (0.707_106_77, 0.707_106_77),
    (0.382_683_43, 0.923_879_5),
    (0.0, 1.0),
    (-0.382_683_43, 0.923_879_5),
    (-0.707_106_77, 0.707_106_77),
    (-0.923_879_5, 0.382_683_43),
    (-1.0, 0.0),
    (-0.923_879_5, -0.382_683_43),
    (-0.707_106_77, -0.707_106_77),
    (-0.382_683_43, -0.923_879_5),
    (0.0, -1.0),
    (0.382_683_43, -0.923_879_5),
    (0.707_106_77, -0.707_106_77),
    (0.923_879_5, -0.382_683_43),
];

fn corner(x: i32, y: i32, dx: f32, dy: f32, seed: u32) -> f32 {
    let (gx, gy) = DIRECTIONS[(hash(x, y, seed) & 15) as usize];
    gx * dx + gy * dy
}

/// Smooth noise, about -1 to 1, with one feature per unit.
#[expect(clippy::cast_possible_truncation, reason = "coordinates are small")]
pub(in super::super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (fx, fy) = (x.floor(), y.floor());
    let (ix, iy) = (fx as i32, fy as i32);
    let (dx, dy) = (x - fx, y - fy);
    let fade = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (fade(dx), fade(dy));
    let top = super::lerp(corner(ix, iy, dx, dy, seed), corner(ix + 1, iy, dx - 1.0, dy, seed), u);
    let bottom =
        super::lerp(corner(ix, iy + 1, dx, dy - 1.0, seed), corner(ix + 1, iy + 1, dx - 1.0, dy - 1.0, seed), u);
    super::lerp(top, bottom, v) * 1.45
}

/// Octaves of noise, each rotated and half as strong as the one before; about -1 to 1.
pub(in super::super) fn fbm(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 1.0, 0.0);
    let (mut x, mut y) = (x, y);
    for octave in 0..octaves {
        sum += noise(x, y, seed.wrapping_add(octave.wrapping_mul(0x9e37))) * weight;
        total += weight;
        weight *= 0.5;
        (x, y) = ((0.8 * x - 0.6 * y) * 2.0 + 17.3, (0.6 * x + 0.8 * y) * 2.0 - 9.1);
    }
    sum / total * 1.3
}

/// Octaves of folded noise: sharp crests, from 0 to about 1.
pub(in super::super) fn ridged(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut total, mut above) = (0.0, 1.0, 0.0, 1.0);
    let (mut x, mut y) = (x, y);
    for octave in 0..octaves {
        let crest = 1.0 - noise(x, y, seed.wrapping_add(octave.wrapping_mul(0x51ed))).abs();
        let crest = crest * crest * above;
        sum += crest * weight;
        total += weight;
        above = crest.clamp(0.0, 1.0);
        weight *= 0.5;
        (x, y) = ((0.8 * x - 0.6 * y) * 2.03 + 5.7, (0.6 * x + 0.8 * y) * 2.03 + 31.4);
    }
    sum / total
}
