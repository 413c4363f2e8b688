//! ImageAddNoise: the normal noise that `torch.randn` draws on CPU for a seed. Within 1 of 255: torch's vectorised
//! logarithm and sine round differently.

use super::scale::image_of;
use super::tensor::shape_of;
use crate::cpu::node::{Context, Inputs, NodeError, Outcome};
use crate::cpu::value::ImageBatch;

/// torch draws 16 values at once. Fewer are drawn one by one in double precision.
const GROUP: usize = 16;

#[expect(clippy::cast_possible_truncation, reason = "torch multiplies in float32, and seeds are 64 bits")]
pub(super) fn add(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let image = inputs.image("image")?;
    let strength = inputs.float("strength")? as f32;
    // The noise, and the result.
    context.reserve(2 * context.check_size(image.batch, image.height, image.width, image.channels)?)?;
    let noise = normal(context, inputs.int("seed")? as u32, image.data.len())?;
    let data = image.data.iter().zip(noise).map(|(sample, noise)| (sample + strength * noise).clamp(0.0, 1.0));
    image_of(ImageBatch { data: data.collect(), ..shape_of(image) })
}

/// Values with mean 0 and deviation 1. Uses only the seed's low 32 bits.
fn normal(context: &Context<'_>, seed: u32, len: usize) -> Result<Vec<f32>, NodeError> {
    context.check()?;
    let mut generator = Twister::new(seed);
    Ok(if len < GROUP { few(&mut generator, len) } else { many_values(&mut generator, len) })
}

/// At least one group of values.
fn many_values(generator: &mut Twister, len: usize) -> Vec<f32> {
    let mut values: Vec<f32> = (0..len).map(|_| generator.uniform()).collect();
    values.chunks_exact_mut(GROUP).for_each(transform);
    if !len.is_multiple_of(GROUP) {
        // The last group is drawn again, over the end of the previous one.
        let last = values.get_mut(len - GROUP..).unwrap_or(&mut []);
        last.iter_mut().for_each(|value| *value = generator.uniform());
        transform(last);
    }
    values
}

/// Box-Muller: the first half of a group are the radii, the second half the angles.
fn transform(group: &mut [f32]) {
    let (first, second) = group.split_at_mut(GROUP / 2);
    for (radius, angle) in first.iter_mut().zip(second) {
        let length = (-2.0 * (1.0 - *radius).ln()).sqrt();
        let (sine, cosine) = (std::f32::consts::TAU * *angle).sin_cos();
        *radius = length * cosine;
        *angle = length * sine;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "torch draws doubles and keeps floats")]
fn few(generator: &mut Twister, len: usize) -> Vec<f32> {
    let mut values = Vec::with_capacity(len + 1);
    while values.len() < len {
        let angle = std::f64::consts::TAU * generator.uniform_double();
        let length = (-2.0 * (-generator.uniform_double()).ln_1p()).sqrt();
        values.push((length * angle.cos()) as f32);
        values.push((length * angle.sin()) as f32);
    }
    values.truncate(len);
    values
}

/// The Mersenne Twister of Matsumoto and Nishimura, 32 bits.
struct Twister {
    state: Vec<u32>,
    next: usize,
}

impl Twister {
    const LEN: usize = 624;
    const MIDDLE: usize = 397;

    fn new(seed: u32) -> Self {
        let mut state = Vec::with_capacity(Self::LEN);
        let mut last = seed;
        state.push(last);
        for index in (1_u32..).take(Self::LEN - 1) {
            last = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(index);
            state.push(last);
        }
        Self { state, next: Self::LEN }
    }

    fn draw(&mut self) -> u32 {
        if self.next >= Self::LEN {
            self.twist();
        }
        let mut value = self.state.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        value ^= value >> 11;
        value ^= (value << 7) & 0x9d2c_5680;
        value ^= (value << 15) & 0xefc6_0000;
        value ^ (value >> 18)
    }

    fn twist(&mut self) {
        for at in 0..Self::LEN {
            let low = self.state[(at + 1) % Self::LEN];
            let mixed = (self.state[at] & 0x8000_0000) | (low & 0x7fff_ffff);
            let odd = if low & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + Self::MIDDLE) % Self::LEN] ^ (mixed >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// From 0 (inclusive) to 1 (exclusive), in steps of 2^-24.
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit a float")]
    fn uniform(&mut self) -> f32 {
        (self.draw() & 0x00ff_ffff) as f32 / 16_777_216.0
    }

    /// From 0 (inclusive) to 1 (exclusive), in steps of 2^-53.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    fn uniform_double(&mut self) -> f64 {
        let high = u64::from(self.draw()) << 32;
        let bits = high | u64::from(self.draw());
        (bits & ((1 << 53) - 1)) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twister_matches_published_numbers() {
        let mut generator = Twister::new(5489);
        assert_eq!(generator.draw(), 3_499_211_612);
        let tenthousandth = (1..10_000).map(|_| generator.draw()).last();
        assert_eq!(tenthousandth, Some(4_123_659_995));
    }

    /// Recorded from `torch.randn` after `torch.manual_seed(42)`.
    #[test]
    fn noise_matches_torch() {
        let few_values = [0.336_690_4, 0.128_809_4, 0.234_462_37];
        let mut generator = Twister::new(42);
        assert_close(&few(&mut generator, 3), &few_values);

        let many = [
            1.926_915_3,
            1.487_284_1,
            0.900_717_2,
            -2.105_521,
            -0.758_131_15,
            1.078_317_6,
            0.800_800_56,
            1.680_620_6,
            0.355_859_9,
            -0.686_623,
            -0.493_356_35,
            0.241_487_79,
            -0.231_624_32,
            0.041_759_49,
            -0.251_575_3,
            0.859_858_5,
            -0.309_726_77,
            -0.395_710_5,
            0.803_409_34,
            -0.621_595_4,
        ];
        let mut generator = Twister::new(42);
        assert_close(&many_values(&mut generator, many.len()), &many);
    }

    fn assert_close(drawn: &[f32], wanted: &[f32]) {
        assert_eq!(drawn.len(), wanted.len());
        for (drawn, wanted) in drawn.iter().zip(wanted) {
            assert!((drawn - wanted).abs() < 1e-6, "torch draws {wanted}, not {drawn}");
        }
    }
}
