//! Samples on a grid, and the operations on whole grids.

use crate::cpu::node::NodeError;
pub(in crate::cpu) use crate::cpu::procedural::draw::{coordinate as number, index as whole};

/// Reports an interrupt. Called once per row of a large grid.
pub(in crate::cpu) type Check<'a> = &'a dyn Fn() -> Result<(), NodeError>;

pub(in crate::cpu) type Rgb = [f32; 3];

#[derive(Debug, Clone)]
pub(in crate::cpu) struct Grid<T> {
    pub(in crate::cpu) width: usize,
    pub(in crate::cpu) height: usize,
    pub(in crate::cpu) data: Vec<T>,
}

impl<T> Grid<T> {
    /// A grid of the same size with a value for each sample.
    pub(in crate::cpu) fn map<U>(&self, value: impl Fn(&T) -> U) -> Grid<U> {
        Grid { width: self.width, height: self.height, data: self.data.iter().map(value).collect() }
    }

    /// The centre of the pixel at an index, as shares of the sides.
    pub(super) fn place(&self, at: usize) -> (f32, f32) {
        (share(at % self.width, self.width), share(at / self.width, self.height))
    }

    /// Whether the pixel at an index is one of the `rim` outermost.
    pub(in crate::cpu) fn is_rim(&self, at: usize, rim: usize) -> bool {
        let (x, y) = (at % self.width, at / self.width);
        x < rim || y < rim || x + rim >= self.width || y + rim >= self.height
    }
}

impl<const N: usize> Grid<[f32; N]> {
    pub(in crate::cpu) fn zeros(width: usize, height: usize) -> Self {
        Self { width, height, data: vec![[0.0; N]; width * height] }
    }

    /// The sample at a place; zeros outside.
    pub(in crate::cpu) fn at(&self, x: usize, y: usize) -> [f32; N] {
        self.data.get(y * self.width + x).copied().unwrap_or([0.0; N])
    }

    /// The sample at a place between pixel centres, given as a share of the sides. The border is repeated.
    pub(in crate::cpu) fn sample(&self, u: f32, v: f32) -> [f32; N] {
        let (left, right, s) = neighbours(u, self.width);
        let (top, bottom, t) = neighbours(v, self.height);
        let above = mix(self.at(left, top), self.at(right, top), s);
        mix(above, mix(self.at(left, bottom), self.at(right, bottom), s), t)
    }

    /// The mean over every pixel that a smaller grid's pixel covers. `longest` limits the longer side.
    pub(in crate::cpu) fn reduced(&self, longest: usize, check: Check<'_>) -> Result<Self, NodeError> {
        let (width, height) = fit(self.width, self.height, longest);
        let mut out = Self::zeros(width, height);
        for y in 0..height {
            check()?;
            let rows = span(y, height, self.height);
            for x in 0..width {
                let columns = span(x, width, self.width);
                let mut sum = [0.0; N];
                for row in rows.clone() {
                    let row = self.data.get(row * self.width..(row + 1) * self.width).unwrap_or(&[]);
                    for sample in row.get(columns.clone()).unwrap_or(&[]) {
                        add(&mut sum, *sample, 1.0);
                    }
                }
                let count = number(rows.len() * columns.len());
                if let Some(sample) = out.data.get_mut(y * width + x) {
                    *sample = sum.map(|part| part / count);
                }
            }
        }
        Ok(out)
    }

    /// The mean over a square of `2 * radius + 1` pixels, cut at the border. Costs the same for any radius.
    pub(in crate::cpu) fn box_mean(&self, radius: usize, check: Check<'_>) -> Result<Self, NodeError> {
        let along = self.row_mean(radius, check)?;
        let mut out = Self::zeros(self.width, self.height);
        let mut sums = vec![[0.0; N]; self.width];
        let row = |y: usize| along.data.get(y * self.width..(y + 1) * self.width).unwrap_or(&[]);
        for y in 0..=radius.min(self.height.saturating_sub(1)) {
            sums.iter_mut().zip(row(y)).for_each(|(sum, sample)| add(sum, *sample, 1.0));
        }
        for y in 0..self.height {
            check()?;
            let count = number((y + radius + 1).min(self.height) - y.saturating_sub(radius));
            let target = out.data.get_mut(y * self.width..(y + 1) * self.width).unwrap_or_default();
            target.iter_mut().zip(&sums).for_each(|(to, sum)| *to = sum.map(|part| part / count));
            sums.iter_mut().zip(row(y + radius + 1)).for_each(|(sum, sample)| add(sum, *sample, 1.0));
            if let Some(left) = y.checked_sub(radius) {
                sums.iter_mut().zip(row(left)).for_each(|(sum, sample)| add(sum, *sample, -1.0));
            }
        }
        Ok(out)
    }

    fn row_mean(&self, radius: usize, check: Check<'_>) -> Result<Self, NodeError> {
        let mut out = Self::zeros(self.width, self.height);
        if self.width == 0 {
            return Ok(out);
        }
        for (source, target) in self.data.chunks_exact(self.width).zip(out.data.chunks_exact_mut(self.width)) {
            check()?;
            let mut sum = [0.0; N];
            source.iter().take(radius + 1).for_each(|sample| add(&mut sum, *sample, 1.0));
            for (x, to) in target.iter_mut().enumerate() {
                let count = number((x + radius + 1).min(self.width) - x.saturating_sub(radius));
                *to = sum.map(|part| part / count);
                if let Some(sample) = source.get(x + radius + 1) {
                    add(&mut sum, *sample, 1.0);
                }
                if let Some(sample) = x.checked_sub(radius).and_then(|x| source.get(x)) {
                    add(&mut sum, *sample, -1.0);
                }
            }
        }
        Ok(out)
    }
}

/// The size with the same shape whose longer side is at most `longest`.
pub(in crate::cpu) fn fit(width: usize, height: usize, longest: usize) -> (usize, usize) {
    let side = width.max(height);
    if side <= longest {
        return (width, height);
    }
    ((width * longest / side).max(1), (height * longest / side).max(1))
}

/// The source pixels that pixel `at` of `len` covers.
pub(in crate::cpu) fn span(at: usize, len: usize, source: usize) -> std::ops::Range<usize> {
    let from = at * source / len.max(1);
    from..((at + 1) * source).div_ceil(len.max(1)).min(source)
}

fn neighbours(share: f32, len: usize) -> (usize, usize, f32) {
    let place = (share * number(len) - 0.5).clamp(0.0, number(len.saturating_sub(1)));
    let before = whole(place);
    (before, (before + 1).min(len.saturating_sub(1)), place - number(before))
}

/// The place of a pixel's centre as a share of a side.
pub(in crate::cpu) fn share(at: usize, len: usize) -> f32 {
    (number(at) + 0.5) / number(len)
}

pub(in crate::cpu) fn add<const N: usize>(sum: &mut [f32; N], sample: [f32; N], weight: f32) {
    for (sum, part) in sum.iter_mut().zip(sample) {
        *sum += part * weight;
    }
}

pub(in crate::cpu) fn mix<const N: usize>(mut a: [f32; N], b: [f32; N], share: f32) -> [f32; N] {
    for (a, b) in a.iter_mut().zip(b) {
        *a += (b - *a) * share;
    }
    a
}

pub(in crate::cpu) fn minus(a: Rgb, b: Rgb) -> Rgb {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(in crate::cpu) fn plus(a: Rgb, b: Rgb) -> Rgb {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(in crate::cpu) fn dot(a: Rgb, b: Rgb) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The adjoint and the determinant of a covariance: xx, xy, xz, yy, yz, zz. `noise` is added to each variance, so that
/// the determinant is not zero.
pub(super) fn adjoint(covariance: [f32; 6], noise: f32) -> ([f32; 6], f32) {
    let [xx, xy, xz, yy, yz, zz] = covariance;
    let (xx, yy, zz) = (xx + noise, yy + noise, zz + noise);
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let determinant = (xx * a + xy * b + xz * c).max(noise * noise * noise);
    ([a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy], determinant)
}
