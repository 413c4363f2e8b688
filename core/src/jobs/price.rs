//! The price of a run.

/// The parts of a credit that one percent of a credit a second costs in a millisecond.
const PARTS: i128 = 100_000;

/// What a run costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price {
    /// Credits a second in the pool.
    pub rate: i64,
    /// The part of it that the job's price class costs.
    pub percent: i16,
}

impl Price {
    /// The credits for a run time in milliseconds. A begun credit is a whole one.
    pub fn credits(self, ran_ms: i64) -> i64 {
        let parts = i128::from(ran_ms).saturating_mul(self.parts_per_ms()).saturating_add(PARTS - 1);
        i64::try_from(parts / PARTS).unwrap_or(i64::MAX)
    }

    /// The longest run in milliseconds that costs at most these credits; without an end where a run is free.
    pub fn longest_ms(self, credits: i64) -> i64 {
        let parts = i128::from(credits) * PARTS;
        parts.checked_div(self.parts_per_ms()).and_then(|ms| i64::try_from(ms).ok()).unwrap_or(i64::MAX)
    }

    pub fn is_free(self) -> bool {
        self.parts_per_ms() == 0
    }

    fn parts_per_ms(self) -> i128 {
        i128::from(self.rate) * i128::from(self.percent)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WHOLE: Price = Price { rate: 10, percent: 100 };

    #[test]
    fn begun_credit_is_a_whole_one() {
        assert_eq!([0, 1, 99, 100, 101].map(|ms| WHOLE.credits(ms)), [0, 1, 1, 1, 2]);
        assert_eq!(Price { rate: 30, ..WHOLE }.credits(7_200_000), 216_000);
        assert_eq!(Price { rate: 0, ..WHOLE }.credits(5000), 0);
    }

    #[test]
    fn percent_lowers_the_price_of_the_whole_run_before_it_is_rounded_up() {
        let flex = Price { percent: 60, ..WHOLE };
        assert_eq!([0, 1, 166, 167, 1000, 10_000].map(|ms| flex.credits(ms)), [0, 1, 1, 2, 6, 60]);
        assert_eq!(Price { rate: 1, percent: 1 }.credits(100_000), 1);
    }

    #[test]
    fn free_run_and_run_for_endless_credits_have_no_end() {
        let free = Price { rate: 0, ..WHOLE };
        assert!(free.is_free() && !WHOLE.is_free());
        assert_eq!((free.longest_ms(1), WHOLE.longest_ms(i64::MAX)), (i64::MAX, i64::MAX));
        assert_eq!(Price { rate: i64::MAX, ..WHOLE }.credits(i64::MAX), i64::MAX);
    }

    proptest! {
        #[test]
        fn run_costs_no_more_than_is_held_for_it_and_a_longer_one_does(
            rate in 1_i64..1000, percent in 1_i16..=100, credits in 0_i64..1_000_000,
        ) {
            let price = Price { rate, percent };
            let ms = price.longest_ms(credits);
            prop_assert!(price.credits(ms) <= credits && price.credits(ms + 1) > credits);
            let whole = Price { percent: 100, ..price };
            prop_assert!(price.credits(ms) <= whole.credits(ms));
        }

        #[test]
        fn hold_of_the_most_that_a_run_may_cost_is_never_exceeded(
            rate in 0_i64..1000, percent in 1_i16..=100, ran in 0_i64..100_000_000, rest in 0_i64..100_000_000,
        ) {
            let price = Price { rate, percent };
            prop_assert!(price.credits(ran) <= price.credits(ran + rest));
        }
    }
}
