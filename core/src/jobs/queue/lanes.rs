//! Which lane is asked first: interactive before API before training, each with a guaranteed share.
//!
//! The first lane with waiting jobs is served. A lane that was passed over while the lanes before it were served
//! collects what its share of each of those jobs would have been; when that makes a whole job, it goes first once.
//! Jobs that it got while nobody before it waited count against that: a backlog that had the workers to itself a
//! moment ago is not owed one before people who come back, nor in the middle of a burst of them.

use crate::jobs::status::Lane;

/// How many jobs a lane may be owed at most: what it missed long ago does not push people aside all at once.
const OWED: i32 = 2;
/// How many jobs beyond its share are remembered. As many as a burst of people may need: a lane that had most of the
/// workers over the last seconds is owed nothing because ten people came in a row.
const BEYOND: i32 = 20;

/// The shares of one pool.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Lanes {
    shares: [i32; 3],
    /// In parts of a job, of which [`Lanes::total`] make one; below zero where a lane had more than its share.
    owed: [i32; 3],
}

impl Lanes {
    pub fn new(shares: [u32; 3]) -> Self {
        // A share is a small number of a setting; one beyond all sense counts as the largest.
        Self { shares: shares.map(|share| i32::try_from(share).unwrap_or(i32::MAX).min(i32::MAX / 8)), owed: [0; 3] }
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
                *owed = (*owed - total).max(-BEYOND * total);
            } else if other > lane && waiting(other) {
                *owed = (*owed + share).min(OWED * total);
            } else if !waiting(other) {
                *owed = (*owed).min(0);
            }
        }
    }

    fn owed_to(&self, lane: Lane) -> i32 {
        Lane::ALL.into_iter().zip(self.owed).find(|(other, _)| *other == lane).map_or(0, |(_, owed)| owed)
    }

    fn total(&self) -> i32 {
        self.shares.iter().sum::<i32>().max(1)
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
    fn a_backlog_that_had_the_workers_to_itself_is_not_owed_a_job_at_once() {
        let mut lanes = Lanes::new([6, 3, 1]);
        for _ in 0..100 {
            lanes.took(Lane::Api, |lane| lane == Lane::Api);
        }
        let mut people = 0;
        while lanes.order().first() == Some(&Lane::Interactive) {
            lanes.took(Lane::Interactive, |lane| lane != Lane::Training);
            people += 1;
            assert!(people <= 100, "the backlog's share comes back");
        }
        assert!(people >= 60, "{people} people's jobs and then one of the backlog that had 100 before");
    }

    #[test]
    fn people_who_take_half_of_the_workers_never_wait_for_a_backlog_that_has_the_other_half() {
        let mut lanes = Lanes::new([6, 3, 1]);
        for burst in 1..=12 {
            for _ in 0..burst {
                assert_eq!(lanes.order().first(), Some(&Lane::Interactive), "in a burst of {burst}");
                lanes.took(Lane::Interactive, |lane| lane != Lane::Training);
            }
            for _ in 0..burst {
                lanes.took(Lane::Api, |lane| lane == Lane::Api);
            }
        }
    }

    #[test]
    fn a_job_of_the_first_lane_is_next_when_nothing_is_owed() {
        assert_eq!(Lanes::new([6, 3, 1]).order(), Lane::ALL);
    }
}
