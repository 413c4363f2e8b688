//! Texts of forms and rows.

use std::str::FromStr;

use uuid::Uuid;

use crate::{Error, Result, names};

/// Characters of a name of a coupon or an item.
const MAX_NAME_CHARS: usize = 80;
/// Characters of a reason.
const MAX_REASON_CHARS: usize = 200;
/// Characters of a search text.
const MAX_SEARCH_CHARS: usize = 200;

/// A name of a coupon or an item, without spaces around it.
///
/// # Errors
/// [`Error::Invalid`] without visible characters, with more than 80, or with hidden ones.
pub(super) fn visible_name(name: &str) -> Result<String> {
    let name = names::trimmed(name, 1..=MAX_NAME_CHARS);
    let name = name.filter(|name| !names::is_blank(name) && !name.chars().any(names::is_hidden));
    name.ok_or_else(|| Error::invalid("name", format!("must have 1 to {MAX_NAME_CHARS} visible characters")))
}

/// The reason that an admin gives for an act, without spaces around it.
///
/// # Errors
/// [`Error::Invalid`] without visible characters, with more than 200, or with disruptive ones.
pub(super) fn reason_text(reason: &str) -> Result<String> {
    let reason = names::trimmed(reason, 1..=MAX_REASON_CHARS).filter(|text| !names::is_blank(text));
    let reason = reason.filter(|text| !text.chars().any(names::is_disruptive));
    reason.ok_or_else(|| Error::invalid("reason", format!("must have 1 to {MAX_REASON_CHARS} characters")))
}

/// What an admin looks for: a part of a user's address, which may be an id too; nothing for a blank text.
///
/// # Errors
/// [`Error::Invalid`] for `search` if it has more than 200 characters.
pub(super) fn address_or_id(search: Option<&str>) -> Result<(Option<String>, Option<Uuid>)> {
    let text = search.map(|text| names::search_text("search", text, MAX_SEARCH_CHARS)).transpose()?;
    let text = text.filter(|text| !text.is_empty());
    let id = text.as_deref().and_then(|text| Uuid::parse_str(text).ok());
    Ok((text, id))
}

/// A word of a row. The constraints of the tables allow only known ones.
pub(super) fn word<T: FromStr<Err = Error>>(text: &str) -> sqlx::Result<T> {
    text.parse().map_err(|error: Error| sqlx::Error::Decode(error.into()))
}
