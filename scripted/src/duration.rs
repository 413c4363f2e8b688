//! How long prompts take whose durations vary.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use serde_json::Value;

use crate::journal::seed;

/// A prompt takes its delay once for each of its samplers, and a little more or less by its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variation {
    /// By how much it may differ.
    pub percent: u32,
    /// Another value draws other durations.
    pub seed: u64,
}

impl Variation {
    /// The duration of a prompt. The same prompt always has the same one.
    pub(crate) fn duration(self, prompt: &Value, delay: Duration) -> Duration {
        let mut hasher = DefaultHasher::new();
        (self.seed, seed(prompt)).hash(&mut hasher);
        let steps = u64::from(self.percent) * 2 + 1;
        let drawn = u32::try_from(hasher.finish() % steps).unwrap_or(self.percent);
        let percent = (100 + drawn).saturating_sub(self.percent);
        delay.saturating_mul(samplers(prompt)).saturating_mul(percent) / 100
    }
}

/// The samplers of a prompt, at least one.
fn samplers(prompt: &Value) -> u32 {
    let nodes = prompt.as_object().into_iter().flat_map(|nodes| nodes.values());
    let count = nodes.filter(|node| node.get("class_type").is_some_and(|class| class == "KSampler")).count();
    u32::try_from(count).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn prompt(samplers: usize, seed: u64) -> Value {
        let node = json!({"class_type": "KSampler", "inputs": {"seed": seed}});
        Value::Object((0..samplers).map(|id| (id.to_string(), node.clone())).collect())
    }

    #[test]
    fn duration_follows_the_samplers_and_differs_by_the_seed() {
        let delay = Duration::from_millis(100);
        let variation = Variation { percent: 30, seed: 7 };
        for (samplers, mean) in [(1, 100), (4, 400)] {
            let drawn: Vec<u128> =
                (0..1000).map(|seed| variation.duration(&prompt(samplers, seed), delay).as_millis()).collect();
            assert!(drawn.iter().all(|ms| (mean * 7 / 10..=mean * 13 / 10).contains(ms)), "{samplers}");
            let average = drawn.iter().sum::<u128>() / 1000;
            assert!((mean * 97 / 100..=mean * 103 / 100).contains(&average), "{average} ms for {samplers}");
        }
        let of = |variation: Variation| variation.duration(&prompt(1, 5), delay);
        assert_eq!(of(variation), of(variation));
        assert!((8..20).any(|seed| of(Variation { seed, ..variation }) != of(variation)), "another seed draws others");
        assert_eq!(Variation { percent: 0, seed: 1 }.duration(&json!({}), delay), delay);
    }
}
