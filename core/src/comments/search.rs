//! All comments, for admins to look through.

use super::{Comment, MAX_PAGE, shown, store};
use crate::ids::{CommentId, UserId};
use crate::{Caller, Core, Error, Result, names};

/// Comments that one call looks at: what is said nowhere costs no more than this, and the next call goes on.
pub const SEARCHED: i64 = 20_000;
/// Characters of what is looked for.
const MAX_WORD: usize = 100;

/// A page of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    pub items: Vec<Comment>,
    /// Where the search goes on; there may be none found in between.
    pub next: Option<CommentId>,
}

/// Comments of everybody, or of one person, that have this word (any, for an empty one), newest first: at most
/// `limit` of the [`SEARCHED`] that came before `before`.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for a word that is too
/// long or a limit outside of 1 to [`MAX_PAGE`].
pub async fn search(
    core: &Core,
    caller: &Caller,
    (word, user): (&str, Option<UserId>),
    before: Option<CommentId>,
    limit: i64,
) -> Result<Searched> {
    caller.must_be_admin()?.to_read();
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    let word = names::words("keyword", word, MAX_WORD)?;
    let pattern = (!word.is_empty()).then(|| format!("%{}%", literal(&word)));
    let (mut items, end) = store::search(&core.db, pattern.as_deref(), user, before, SEARCHED).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let next = if items.len() > limit {
        items.truncate(limit);
        items.last().map(|last| last.id)
    } else {
        end
    };
    Ok(Searched { items: items.into_iter().map(|item| shown(item, caller)).collect(), next })
}

/// The word as it stands in stored HTML, without signs that a pattern would read.
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
    fn a_word_is_looked_for_as_it_is_stored() {
        assert_eq!(literal("a<b & 100%_\\"), "a&lt;b &amp; 100\\%\\_\\\\");
    }
}
