//! The price of a run.

/// The longest run in milliseconds that costs at most these credits; without an end where a run is free.
pub(super) fn ms_for(credits: i64, rate: i64) -> i64 {
    if rate == 0 { i64::MAX } else { credits.saturating_mul(1000) / rate }
}

/// The credits for a run time in milliseconds, in a pool that takes `rate` credits per second. A begun credit is a whole
/// one.
pub(super) fn credits_for(ran_ms: i64, rate: i64) -> i64 {
    ran_ms.saturating_mul(rate).saturating_add(999) / 1000
}

#[cfg(test)]
mod tests {
    use super::{credits_for, ms_for};

    #[test]
    fn begun_credit_is_a_whole_one() {
        assert_eq!([0, 1, 99, 100, 101].map(|ms| credits_for(ms, 10)), [0, 1, 1, 1, 2]);
        assert_eq!(credits_for(7_200_000, 30), 216_000);
        assert_eq!(credits_for(5000, 0), 0);
    }

    #[test]
    fn longest_run_for_credits_costs_no_more_and_a_longer_one_does() {
        for rate in [1, 3, 7, 10, 30, 999] {
            for credits in [1, 2, 59, 1000, 216_000] {
                let ms = ms_for(credits, rate);
                assert!(credits_for(ms, rate) <= credits && credits_for(ms + 1, rate) > credits, "{credits} at {rate}");
            }
        }
        assert_eq!((ms_for(1, 0), ms_for(i64::MAX, 2)), (i64::MAX, i64::MAX / 2));
    }
}
