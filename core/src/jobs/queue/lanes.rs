//! The order of the lanes: interactive before API before training, each with a guaranteed share, and flex after all of
//! them without one.
//!
//! The first lane with waiting jobs is served. A waiting lane that was skipped is owed its share of each served job; once
//! it is owed a whole job, it goes first. Jobs that it got while the earlier lanes were empty count against its share, so
//! that a backlog which had all workers a moment ago does not delay a burst of interactive jobs.

use crate::jobs::status::Lane;

/// The most jobs that a lane is owed, so that a long neglected lane does not take all workers at once.
const MAX_OWED: i32 = 2;
/// The most jobs beyond its share that count against a lane: the size of a burst of interactive jobs.
const MAX_EXCESS: i32 = 20;

/// The lane shares of one pool.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct LaneShares {
    shares: [i32; 4],
    /// In parts of a job, of which [`LaneShares::total`] make one. Negative: the lane had more than its share.
    owed: [i32; 4],
}

impl LaneShares {
    /// The shares of all lanes but [`Lane::Flex`], which has none.
    pub fn new([interactive, api, training]: [u32; 3]) -> Self {
        // Shares are small numbers. The limit prevents an overflow of their sum.
        let limited = |share: u32| i32::try_from(share).unwrap_or(i32::MAX).min(i32::MAX / 8);
        Self { shares: [interactive, api, training, 0].map(limited), owed: [0; 4] }
    }

    /// The lanes in the order in which they are asked for the next job.
    pub fn order(&self) -> [Lane; 4] {
        let total = self.total();
        let mut order = Lane::ALL;
        // The sort is stable, so that lanes which are owed nothing keep their order.
        order.sort_by_key(|lane| std::cmp::Reverse(self.owed_to(*lane) >= total && *lane != Lane::Interactive));
        order
    }

    /// Records a claimed job of `lane`; `waiting` tells which lanes had jobs too.
    pub fn record(&mut self, lane: Lane, waiting: impl Fn(Lane) -> bool) {
        let total = self.total();
        for ((other, owed), share) in Lane::ALL.into_iter().zip(&mut self.owed).zip(self.shares) {
            if other == lane {
                *owed = (*owed - total).max(-MAX_EXCESS * total);
            } else if other > lane && waiting(other) {
                *owed = (*owed + share).min(MAX_OWED * total);
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

    /// Serves `count` jobs from the `waiting` lanes, which never run empty.
    fn serve(count: usize, waiting: [bool; 4]) -> [usize; 4] {
        let mut lanes = LaneShares::new([6, 3, 1]);
        let mut served = [0; 4];
        for _ in 0..count {
            let order = lanes.order();
            let lane = order.into_iter().find(|lane| waiting[*lane as usize]).expect("a waiting lane");
            served[lane as usize] += 1;
            lanes.record(lane, |lane| waiting[lane as usize]);
        }
        served
    }

    #[test]
    fn interactive_lane_goes_first_and_the_others_get_their_share() {
        let [interactive, api, training, _] = serve(1000, [true, true, true, false]);
        assert!(interactive > api && api > training, "{interactive} {api} {training}");
        assert!(api >= 180 && training >= 50, "a lane starves: {interactive} {api} {training}");
    }

    #[test]
    fn empty_lane_gets_no_job_and_is_owed_none() {
        assert_eq!(serve(100, [true, false, false, false]), [100, 0, 0, 0]);
        assert_eq!(serve(100, [false, false, true, false]), [0, 0, 100, 0]);
    }

    #[test]
    fn flex_lane_gets_a_job_only_where_no_other_lane_waits() {
        let [interactive, api, training, flex] = serve(1000, [true, true, true, true]);
        assert_eq!((interactive + api + training, flex), (1000, 0));
        assert_eq!(serve(100, [false, false, true, true]), [0, 0, 100, 0]);
        assert_eq!(serve(100, [false, false, false, true]), [0, 0, 0, 100]);
    }

    #[test]
    fn flex_jobs_that_had_all_workers_change_the_turns_of_no_other_lane() {
        let turns = |lanes: &mut LaneShares| -> Vec<Lane> {
            let others = |lane| lane != Lane::Flex;
            (0..50)
                .map(|_| {
                    let lane = lanes.order()[0];
                    lanes.record(lane, others);
                    lane
                })
                .collect()
        };
        let mut lanes = LaneShares::new([6, 3, 1]);
        for _ in 0..100 {
            lanes.record(Lane::Flex, |lane| lane == Lane::Flex);
        }
        assert_eq!(turns(&mut lanes), turns(&mut LaneShares::new([6, 3, 1])));
    }

    #[test]
    fn backlog_that_had_all_workers_is_not_owed_a_job_at_once() {
        let mut lanes = LaneShares::new([6, 3, 1]);
        for _ in 0..100 {
            lanes.record(Lane::Api, |lane| lane == Lane::Api);
        }
        let mut interactive = 0;
        while lanes.order().first() == Some(&Lane::Interactive) {
            lanes.record(Lane::Interactive, |lane| lane != Lane::Training);
            interactive += 1;
            assert!(interactive <= 100, "the backlog's share comes back");
        }
        assert!(interactive >= 60, "{interactive} interactive jobs, then one of the backlog that had 100 before");
    }

    #[test]
    fn interactive_jobs_on_half_of_the_workers_do_not_wait_for_a_backlog_on_the_other_half() {
        let mut lanes = LaneShares::new([6, 3, 1]);
        for burst in 1..=12 {
            for _ in 0..burst {
                assert_eq!(lanes.order().first(), Some(&Lane::Interactive), "in a burst of {burst}");
                lanes.record(Lane::Interactive, |lane| lane != Lane::Training);
            }
            for _ in 0..burst {
                lanes.record(Lane::Api, |lane| lane == Lane::Api);
            }
        }
    }

    #[test]
    fn first_lane_is_next_when_nothing_is_owed() {
        assert_eq!(LaneShares::new([6, 3, 1]).order(), Lane::ALL);
    }
}
