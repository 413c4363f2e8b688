//! Reproducible random choices: each is a pure function of the seed, the kind of choice and a number.

use uuid::Uuid;

/// The kind of choice. Each has an independent sequence.
#[derive(Debug, Clone, Copy)]
#[repr(u64)]
pub(super) enum Draw {
    Author = 1,
    IsPrivate,
    IsNsfw,
    Words,
    Length,
    Size,
    Views,
    Content,
    Tags,
    FirstLiker,
    LikedAt,
    Answers,
    IsDeleted,
    Liked,
    Notified,
}

/// The kind of object. Ids of different kinds never collide.
#[derive(Debug, Clone, Copy)]
#[repr(u64)]
pub(super) enum Kind {
    Person = 1,
    Portrait,
    Cover,
    Workflow,
    Picture,
    Job,
    Comment,
    Like,
    Notification,
    Notice,
}

/// Random choices for one seed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeededRandom(pub u64);

impl SeededRandom {
    /// Sixty-four random bits.
    pub fn roll(self, draw: Draw, number: u64) -> u64 {
        let salted = self.0 ^ (draw as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed(mixed(salted).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// From 0 (inclusive) to `limit` (exclusive); 0 if the limit is 0.
    pub fn below(self, draw: Draw, number: u64, limit: u64) -> u64 {
        self.roll(draw, number) % limit.max(1)
    }

    /// From 0 (inclusive) to 1 (exclusive).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a float exactly")]
    pub fn share(self, draw: Draw, number: u64) -> f64 {
        (self.roll(draw, number) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with this probability.
    pub fn happens(self, draw: Draw, number: u64, probability: f64) -> bool {
        self.share(draw, number) < probability
    }
}

/// The final mixing of SplitMix64.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The `number`-th id of a kind: a version 7 UUID, so that ids sort by time.
pub(super) fn id(kind: Kind, at_us: i64, number: u64) -> Uuid {
    let at_ms = u128::try_from(at_us / 1000).unwrap_or_default() & 0xffff_ffff_ffff;
    let (version, variant) = (0x7_u128 << 76, 0x2_u128 << 62);
    Uuid::from_u128((at_ms << 80) | version | (u128::from(kind as u16) << 64) | variant | u128::from(number))
}

/// Distributes `total` by weights, at most `most` each, with an exact sum. The sum is smaller if the maxima do not
/// allow more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts of at most some millions"
)]
pub(super) fn distribute(total: u64, weights: &[f32], most: u32) -> Vec<u32> {
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    let each = if sum > 0.0 { total as f64 / sum } else { 0.0 };
    let mut distributed: Vec<u32> =
        weights.iter().map(|weight| ((f64::from(*weight) * each) as u32).min(most)).collect();
    let mut left = total.saturating_sub(distributed.iter().map(|count| u64::from(*count)).sum());
    while left > 0 {
        let before = left;
        for (count, weight) in distributed.iter_mut().zip(weights) {
            if left > 0 && *weight > 0.0 && *count < most {
                *count += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    distributed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distribution_is_exact_within_the_maximum() {
        let weights = [8.0, 4.0, 0.0, 2.0, 1.0];
        let distributed = distribute(1000, &weights, 400);
        assert_eq!(distributed.iter().sum::<u32>(), 1000);
        assert!(distributed[0] == 400 && distributed[2] == 0 && distributed[1] > distributed[3], "{distributed:?}");
        assert_eq!(distribute(50, &weights, 10).iter().sum::<u32>(), 40, "there was room for so many only");
        assert_eq!(distribute(5, &[], 10), Vec::<u32>::new());
    }

    #[test]
    fn ids_sort_by_time_and_contain_it() {
        let (early, late) = (id(Kind::Comment, 1_700_000_000_000_000, 9), id(Kind::Comment, 1_700_000_000_001_000, 1));
        assert!(early < late);
        assert_eq!(early.get_version_num(), 7);
        assert_eq!(early.get_timestamp().expect("a time").to_unix().0, 1_700_000_000);
        assert_ne!(id(Kind::Cover, 5_000, 1), id(Kind::Portrait, 5_000, 1));
    }

    #[test]
    fn seed_repeats_its_numbers() {
        let rolls =
            |seed| (0..50).map(|number| SeededRandom(seed).below(Draw::Author, number, 1000)).collect::<Vec<_>>();
        assert_eq!(rolls(1), rolls(1));
        assert_ne!(rolls(1), rolls(2));
        let happened = (0..10_000).filter(|number| SeededRandom(3).happens(Draw::IsNsfw, *number, 0.25)).count();
        assert!((2_300..2_700).contains(&happened), "{happened} of 10,000");
    }
}
