//! The price of a run.

/// The credits for a run time in milliseconds, in a pool that takes `rate` credits per second. A begun credit is a whole
/// one.
pub(super) fn credits_for(ran_ms: i64, rate: i64) -> i64 {
    ran_ms.saturating_mul(rate).saturating_add(999) / 1000
}

#[cfg(test)]
mod tests {
    use super::credits_for;

    #[test]
    fn begun_credit_is_a_whole_one() {
        assert_eq!([0, 1, 99, 100, 101].map(|ms| credits_for(ms, 10)), [0, 1, 1, 1, 2]);
        assert_eq!(credits_for(7_200_000, 30), 216_000);
        assert_eq!(credits_for(5000, 0), 0);
    }
}
