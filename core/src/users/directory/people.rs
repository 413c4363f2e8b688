//! Search for users: for admins by name, address, id and session address, and for everyone by name.

use uuid::Uuid;

use super::sighting::Sighting;
use super::store;
use crate::ids::UserId;
use crate::list::{RankedPart, RankedRange};
use crate::users::user::User;
use crate::{Caller, Core, Error, Result, database, names, users};

/// Users of the largest page.
pub const MAX_PEOPLE: i64 = 100;
/// Characters of a search word.
const MAX_WORD: usize = 254;

/// Users whose name or e-mail address contains this word, or whose id it is; all for an empty word. The newest first:
/// at most `limit` before `before`, without deleted users.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for a word that is
/// longer than any address, or a limit outside of 1 to [`MAX_PEOPLE`].
pub async fn people(core: &Core, caller: &Caller, word: &str, before: Option<UserId>, limit: i64) -> Result<Vec<User>> {
    caller.must_be_admin()?.read_only();
    let word = checked("keyword", word, limit)?;
    if let Ok(id) = word.parse::<UserId>() {
        return match users::store::find(&core.db, &[id]).await?.pop() {
            Some(user) if before.is_none() => Ok(vec![user]),
            _ => Ok(Vec::new()),
        };
    }
    let start = (!word.is_empty()).then(|| pattern_of(&word.to_lowercase()));
    Ok(store::people::list(&core.db, start.as_deref(), before, limit).await?)
}

/// Sessions of all users, or those from one IP address, the newest first: at most `limit` before `before`.
///
/// # Errors
/// As [`people`].
pub async fn sightings(
    core: &Core,
    caller: &Caller,
    address: &str,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Sighting>> {
    caller.must_be_admin()?.read_only();
    let address = checked("address", address, limit)?;
    Ok(store::people::sightings(&core.db, Some(address.as_str()).filter(|address| !address.is_empty()), before, limit)
        .await?)
}

/// Counts the valid sessions of a user.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin.
pub async fn session_count(core: &Core, caller: &Caller, user: UserId) -> Result<i64> {
    caller.must_be_admin()?.read_only();
    Ok(store::people::sessions(&core.db, user, core.clock.now()).await?)
}

fn checked(field: &str, word: &str, limit: i64) -> Result<String> {
    if !(1..=MAX_PEOPLE + 1).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PEOPLE}")));
    }
    names::search_text(field, word, MAX_WORD)
}

/// A `LIKE` pattern for texts that contain a word, with its wildcards escaped.
fn pattern_of(word: &str) -> String {
    let mut pattern = String::with_capacity(word.len() + 2);
    pattern.push('%');
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// Users whose names match a text: names that contain it first, then names that resemble it.
pub async fn similar(core: &Core, text: &str, range: RankedRange) -> Result<RankedPart<UserId>> {
    let text = text.trim().to_lowercase();
    if text.is_empty() {
        return Ok(RankedPart::default());
    }
    let mut tx = database::begin(&core.db).await?;
    database::lower_word_similarity(&mut tx).await?;
    let found = store::people::similar(&mut tx, &text, &pattern_of(&text), range.reach()).await?;
    tx.commit().await?;
    Ok(range.cut(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_patterns_stand_for_themselves() {
        assert_eq!(pattern_of("50%_a\\b"), "%50\\%\\_a\\\\b%");
    }
}
