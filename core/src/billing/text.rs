//! Texts of forms and rows.

use std::str::FromStr;

use crate::{Error, Result, names};

/// Characters of a name of a coupon or an item.
const MAX_NAME_CHARS: usize = 80;

/// A name of a coupon or an item, without spaces around it.
///
/// # Errors
/// [`Error::Invalid`] without visible characters, with more than 80, or with hidden ones.
pub(super) fn visible_name(name: &str) -> Result<String> {
    let name = names::trimmed(name, 1..=MAX_NAME_CHARS);
    let name = name.filter(|name| !names::is_blank(name) && !name.chars().any(names::is_hidden));
    name.ok_or_else(|| Error::invalid("name", format!("must have 1 to {MAX_NAME_CHARS} visible characters")))
}

/// A word of a row. The constraints of the tables allow only known ones.
pub(super) fn word<T: FromStr<Err = Error>>(text: &str) -> sqlx::Result<T> {
    text.parse().map_err(|error: Error| sqlx::Error::Decode(error.into()))
}
