//! Search in all comments, for admins.

use super::{Comment, shown, store};
use crate::ids::{CommentId, UserId};
use crate::list::{MAX_PAGE, Page};
use crate::{Caller, Core, Error, Result, names};

/// Comments that one call scans. This bounds the cost of a search without matches; the next call continues.
pub const MAX_SCANNED: i64 = 20_000;
/// Characters of a search word.
const MAX_WORD: usize = 100;

/// Comments that contain a word, of all users or of one, newest first: at most `limit` of the [`MAX_SCANNED`] comments
/// before `before`. An empty word matches all. A page may be empty although the search continues.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for a word that is
/// too long or a limit outside of 1 to [`MAX_PAGE`].
pub async fn search(
    core: &Core,
    caller: &Caller,
    (word, user): (&str, Option<UserId>),
    before: Option<CommentId>,
    limit: i64,
) -> Result<Page<Comment>> {
    caller.must_be_admin()?.read_only();
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    let word = names::search_text("keyword", word, MAX_WORD)?;
    let pattern = (!word.is_empty()).then(|| format!("%{}%", literal(&word)));
    let (mut items, end) = store::search(&core.db, pattern.as_deref(), user, before, MAX_SCANNED).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let next = if items.len() > limit {
        items.truncate(limit);
        items.last().map(|last| last.id)
    } else {
        end
    };
    let next_cursor = next.map(|id| id.to_string());
    Ok(Page { items: items.into_iter().map(|item| shown(item, caller)).collect(), next_cursor })
}

/// The word as stored HTML contains it, with the wildcards of `LIKE` escaped.
fn literal(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '%' | '_' | '\\' => {
                text.push('\\');
                text.push(c);
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_word_is_escaped_for_html_and_like() {
        assert_eq!(literal("a<b & 100%_\\"), "a&lt;b &amp; 100\\%\\_\\\\");
    }
}
