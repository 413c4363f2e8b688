//! Times and days in requests: RFC 3339, from the year 1 to 9999. RFC 3339 cannot write other years, and PostgreSQL has
//! none before -4712.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use serde::{Deserialize, Deserializer, de};
use verdigraph_core::Error;

/// A time in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub DateTime<Utc>);

const WANTED: &str = "must be a time between the years 1 and 9999, such as 2026-01-31T12:00:00Z";

impl Moment {
    /// Parses a time.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let at = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
        is_written(at.date_naive()).then_some(Self(at))
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| de::Error::custom(WANTED))
    }
}

impl From<Moment> for DateTime<Utc> {
    fn from(moment: Moment) -> Self {
        moment.0
    }
}

/// Parses a day, or the day of a time.
#[must_use]
pub fn day(text: &str) -> Option<NaiveDate> {
    date(text).or_else(|| Moment::read(text).map(|moment| moment.0.date_naive()))
}

/// Parses a day.
#[must_use]
pub fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|day| text.len() == 10 && is_written(*day))
}

/// A field that may be a day.
///
/// # Errors
/// [`Error::Invalid`] for any other text.
pub fn date_field(field: &str, text: Option<&str>) -> Result<Option<NaiveDate>, Error> {
    let parse = |text| date(text).ok_or_else(|| Error::invalid(field, "must be a day, such as 2026-01-31"));
    text.map(parse).transpose()
}

fn is_written(day: NaiveDate) -> bool {
    (1..=9999).contains(&day.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_outside_the_years_1_to_9999_is_refused() {
        for good in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-01-31T12:00:00+09:00"] {
            assert!(Moment::read(good).is_some(), "{good}");
        }
        for wrong in [
            "-4713-11-24T00:00:00Z",
            "-4714-01-01T00:00:00Z",
            "+10000-01-01T00:00:00Z",
            "+262142-12-31T23:59:59Z",
            "0001-01-01T00:00:00+09:00",
            "9999-12-31T23:59:59-01:00",
            "0000-01-01T00:00:00Z",
            "2026-01-31",
            "",
        ] {
            assert!(Moment::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn day_is_ten_characters_or_the_day_of_a_time() {
        let known = NaiveDate::from_ymd_opt(2026, 1, 31);
        assert_eq!((day("2026-01-31"), day("2026-01-31T23:59:59Z")), (known, known));
        assert_eq!((date("2026-01-31"), date("2026-01-31T23:59:59Z")), (known, None));
        for wrong in ["-4713-01-01", "+10000-01-01", "10000-01-01", "2026-02-30", "2026-1-31", "x", ""] {
            assert_eq!(day(wrong), None, "{wrong}");
        }
    }
}
