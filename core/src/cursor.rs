//! The text that names a place in a list: after the last item seen, by what the list is ordered by. So a page costs the
//! same however deep it is, and nothing is skipped or repeated when items are added.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Error, Result};

/// Names the place after an item of a list: `order` tells one order of a list from the others, `key` is the value it is
/// ordered by (microseconds since 1970, or a count).
#[must_use]
pub fn write(order: char, key: i64, id: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(format!("{order}:{key}:{id}"))
}

/// Reads what [`write`] made for the same order.
///
/// # Errors
/// [`Error::Invalid`] for any other text.
pub fn read(text: &str, order: char) -> Result<(i64, Uuid)> {
    let read = || {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let mut parts = text.split(':');
        let (letter, key, id) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        (letter.chars().eq([order]) && parts.next().is_none()).then_some((key, id))
    };
    read().ok_or_else(refused)
}

/// A key of microseconds since 1970 as a time; one that no item reaches where it is beyond what can be said.
#[must_use]
pub fn time(key: i64) -> DateTime<Utc> {
    /// Later than everything, and within what PostgreSQL and chrono both can say.
    const FAR: i64 = 9_000_000_000_000_000;
    DateTime::from_timestamp_micros(key.clamp(0, FAR)).unwrap_or_default()
}

/// What a list says of a cursor that it did not give.
pub fn refused() -> Error {
    Error::invalid("cursor", "was not given by this list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_the_order_that_gave_it_and_by_no_other() {
        let id = Uuid::now_v7();
        let cursor = write('l', -7, id);
        assert_eq!(read(&cursor, 'l').expect("its own"), (-7, id));
        assert!(read(&cursor, 'v').is_err(), "another order took it");
        for text in ["", "x", "bDo3", "bDo3Ong", &format!("{cursor}AA")] {
            assert!(read(text, 'l').is_err(), "{text:?} was taken");
        }
    }

    #[test]
    fn no_key_is_beyond_time() {
        assert!(time(i64::MAX) > time(1_800_000_000_000_000));
        assert_eq!(time(i64::MIN), DateTime::UNIX_EPOCH);
    }
}
