//! A place in a list, as cursors spell it: a letter for the order, the value that the list is ordered by, and the id of
//! the last item seen. So a page costs the same however deep it is, and nothing is skipped or repeated when items are
//! added.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The cursor of a place in the list whose order has this letter.
#[must_use]
pub fn spell(letter: &str, key: i64, id: Uuid) -> String {
    URL_SAFE_NO_PAD.encode(format!("{letter}:{key}:{id}"))
}

/// Key and id of a cursor that a list of this order gave; `None` for any other text.
#[must_use]
pub fn read(cursor: &str, letter: &str) -> Option<(i64, Uuid)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let mut parts = text.split(':');
    let (own, key, id) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (own == letter && parts.next().is_none()).then_some((key, id))
}

/// A key of microseconds since 1970 as a time; later than everything where it is beyond what can be said.
#[must_use]
pub fn time(key: i64) -> DateTime<Utc> {
    /// Within what PostgreSQL and chrono both can say.
    const FAR: i64 = 9_000_000_000_000_000;
    DateTime::from_timestamp_micros(key.clamp(0, FAR)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_the_order_that_gave_it_and_by_no_other() {
        let id = Uuid::now_v7();
        let cursor = spell("n", -7, id);
        assert_eq!(read(&cursor, "n"), Some((-7, id)));
        assert_eq!(read(&cursor, "o"), None);
        for text in ["", "x", "bjox", "bjoxOngg", "ü"] {
            assert_eq!(read(text, "n"), None, "{text:?} was taken");
        }
        assert_eq!(read(&URL_SAFE_NO_PAD.encode(format!("n:1:{id}:more")), "n"), None);
    }

    #[test]
    fn no_key_is_beyond_time() {
        assert!(time(i64::MAX) > time(1_800_000_000_000_000));
        assert_eq!(time(i64::MIN), DateTime::UNIX_EPOCH);
    }
}
