//! Which lane is asked first: interactive before API before training, each with a guaranteed share.
//!
//! The first lane with waiting jobs is served. A lane that was passed over while the lanes before it were served
//! collects what its share of each of those jobs would have been; when that makes a whole job, it goes first once.

use super::Lane;

/// The shares of one pool.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    shares: [u32; 3],
    owed: [u32; 3],
}

impl Lanes {
    pub fn new(shares: [u32; 3]) -> Self {
        Self { shares, owed: [0; 3] }
    }

    /// The lanes in the order in which they are asked for the next job.
    pub fn order(&self) -> [Lane; 3] {
        let total = self.total();
        let mut order = Lane::ALL;
        // Stable: where nothing is owed, the order of the queue stands.
        order.sort_by_key(|lane| std::cmp::Reverse(self.owed_to(*lane) >= total && *lane != Lane::Interactive));
        order
    }

    /// A job of `lane` was taken while `waiting` lanes had jobs too.
    pub fn took(&mut self, lane: Lane, waiting: impl Fn(Lane) -> bool) {
        let total = self.total();
        for ((other, owed), share) in Lane::ALL.into_iter().zip(&mut self.owed).zip(self.shares) {
            if other == lane {
                *owed = owed.saturating_sub(total);
            } else if other > lane && waiting(other) {
                *owed = (*owed + share).min(2 * total);
            } else if !waiting(other) {
                *owed = 0;
            }
        }
    }

    fn owed_to(&self, lane: Lane) -> u32 {
        Lane::ALL.into_iter().zip(self.owed).find(|(other, _)| *other == lane).map_or(0, |(_, owed)| owed)
    }

    fn total(&self) -> u32 {
        self.shares.iter().sum::<u32>().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves `count` jobs from lanes that never run dry, where `waiting`.
    fn serve(count: usize, waiting: [bool; 3]) -> [usize; 3] {
        let mut lanes = Lanes::new([6, 3, 1]);
        let mut served = [0; 3];
        for _ in 0..count {
            let order = lanes.order();
            let lane = order.into_iter().find(|lane| waiting[*lane as usize]).expect("a lane that waits");
            served[lane as usize] += 1;
            lanes.took(lane, |lane| waiting[lane as usize]);
        }
        served
    }

    #[test]
    fn interactive_goes_first_and_the_others_get_their_share() {
        let [interactive, api, training] = serve(1000, [true, true, true]);
        assert!(interactive > api && api > training, "{interactive} {api} {training}");
        assert!(api >= 180 && training >= 50, "nobody starves: {interactive} {api} {training}");
    }

    #[test]
    fn an_empty_lane_takes_nothing_and_saves_nothing_up() {
        assert_eq!(serve(100, [true, false, false]), [100, 0, 0]);
        assert_eq!(serve(100, [false, false, true]), [0, 0, 100]);
    }

    #[test]
    fn a_job_of_the_first_lane_is_next_when_nothing_is_owed() {
        assert_eq!(Lanes::new([6, 3, 1]).order(), Lane::ALL);
    }
}
