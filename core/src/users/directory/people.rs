//! People as operators find them: by name, address or id, and by where they were seen.

use uuid::Uuid;

use super::sighting::Sighting;
use super::store;
use crate::ids::UserId;
use crate::users::user::User;
use crate::{Caller, Core, Error, Result, database, names, users};

/// The largest page.
pub const MAX_PEOPLE: i64 = 100;
/// Characters of what is looked for.
const MAX_WORD: usize = 254;

/// People whose name or e-mail address has this word in it, or whose id it is; everybody for an empty one. The
/// newest first: at most `limit` who came before `before`. Who left is not among them.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for a word that is
/// longer than any address, or a limit outside of 1 to [`MAX_PEOPLE`].
pub async fn people(core: &Core, caller: &Caller, word: &str, before: Option<UserId>, limit: i64) -> Result<Vec<User>> {
    caller.must_be_admin()?.to_read();
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

/// Sessions of all people, or those of one address of the network, the newest first: at most `limit` from before
/// `before`.
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
    caller.must_be_admin()?.to_read();
    let address = checked("address", address, limit)?;
    Ok(store::people::sightings(&core.db, Some(address.as_str()).filter(|address| !address.is_empty()), before, limit)
        .await?)
}

/// How many sessions of somebody are live.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin.
pub async fn session_count(core: &Core, caller: &Caller, user: UserId) -> Result<i64> {
    caller.must_be_admin()?.to_read();
    Ok(store::people::sessions(&core.db, user, core.clock.now()).await?)
}

fn checked(field: &str, word: &str, limit: i64) -> Result<String> {
    if !(1..=MAX_PEOPLE + 1).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PEOPLE}")));
    }
    names::words(field, word, MAX_WORD)
}

/// A pattern for what has this word in it, whatever signs are in the word.
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

/// People whom a text names, for everybody: those with it in their names first, then those whose names are like it.
///
/// # Errors
/// Database errors.
pub async fn similar(core: &Core, text: &str, limit: i64) -> Result<Vec<UserId>> {
    let text = text.trim().to_lowercase();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut tx = core.db.begin().await?;
    database::be_lenient(&mut tx).await?;
    let found = store::people::similar(&mut tx, &text, &pattern_of(&text), limit.clamp(1, 100)).await?;
    tx.commit().await?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_patterns_stand_for_themselves() {
        assert_eq!(pattern_of("50%_a\\b"), "%50\\%\\_a\\\\b%");
    }
}
