//! Random numbers that are the same on every machine and in every version.

/// A SplitMix64 generator.
#[derive(Debug, Clone)]
pub(in crate::cpu) struct Random {
    state: u64,
}

impl Random {
    pub(in super::super) fn new(seed: u64) -> Self {
        let mut random = Self::with_state(seed ^ 0x5851_f42d_4c95_7f2d);
        random.next();
        random
    }

    /// Continues from a state.
    pub(in crate::cpu) fn with_state(state: u64) -> Self {
        Self { state }
    }

    /// An independent generator for a part of the work.
    pub(in super::super) fn branch(&mut self) -> Self {
        Self::new(self.next())
    }

    pub(in crate::cpu) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Any 32 bits.
    pub(in super::super) fn whole(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// From 0 to below 1.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are exact")]
    pub(in crate::cpu) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 16_777_216.0
    }

    pub(in crate::cpu) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// A number below `len`; 0 where `len` is 0.
    pub(in super::super) fn below(&mut self, len: usize) -> usize {
        super::index(self.unit() * super::coordinate(len)).min(len.saturating_sub(1))
    }
}
