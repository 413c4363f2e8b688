//! Drawing primitives of the nodes.

pub(super) mod canvas;
pub(super) mod color;
pub(super) mod field;
pub(super) mod noise;
pub(in crate::cpu) mod random;
pub(super) mod scene;

/// Converts an integer to a coordinate.
#[expect(clippy::cast_precision_loss, reason = "sides and counts stay far below 2^24")]
pub(in crate::cpu) fn coordinate(number: usize) -> f32 {
    number as f32
}

/// Converts a coordinate to an index. Negative values become zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(in crate::cpu) fn index(coordinate: f32) -> usize {
    coordinate as usize
}

/// The smooth step from 0 at `from` to 1 at `to`.
pub(in crate::cpu) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub(in crate::cpu) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
