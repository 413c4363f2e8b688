//! What the filters of all rooms have in common: ranges of time, how far and how deep they go, and which rows a
//! statement begins with.
//!
//! Each room has a `Filter` of its own, a closed list of typed conditions, and joins it with what the caller may see.
//! Its statements are checked ones: every condition is a parameter that may be left open, and there is one statement
//! for each [`Anchor`] and order, so that each is planned for the index that serves it.

use chrono::{DateTime, Utc};

use crate::ids::UserId;
use crate::{Caller, Error, Result};

/// Ids that one filter may name.
pub const MAX_IDS: usize = 500;
/// Items that a list may pass over; what lies deeper is reached by a cursor, which costs the same at every depth.
pub const MAX_SKIP: i64 = 10_000;
/// Up to here things are counted.
pub const MAX_COUNT: i64 = 100_000;

/// Whether what is not safe for work is in a list: the specification's visibility filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nsfw {
    /// Both.
    View,
    /// Left out.
    #[default]
    Hide,
    /// Nothing else.
    Only,
}

impl Nsfw {
    /// The mark that things must have, where it is one.
    pub(crate) fn mark(self) -> Option<bool> {
        match self {
            Self::View => None,
            Self::Hide => Some(false),
            Self::Only => Some(true),
        }
    }
}

impl std::str::FromStr for Nsfw {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "View" => Ok(Self::View),
            "Hide" => Ok(Self::Hide),
            "Only" => Ok(Self::Only),
            _ => Err(Error::invalid("nsfw", "must be View, Hide or Only")),
        }
    }
}

/// The order of a list that is one of age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
}

impl std::str::FromStr for Order {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" | "-_id" | "-createdAt" => Ok(Self::Newest),
            "oldest" | "_id" | "createdAt" => Ok(Self::Oldest),
            _ => Err(Error::invalid("sort", "must be newest or oldest")),
        }
    }
}

/// Which page of a filtered list by age is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    pub order: Order,
    /// Where the page before said that the list goes on; `None` for the first.
    pub cursor: Option<&'a str>,
    /// Items to pass over, up to [`MAX_SKIP`].
    pub skip: i64,
    /// Items, 1 to the largest page of the list.
    pub limit: i64,
}

/// A range of time: from one moment on, and up to, but without, another one. Open ends reach everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

/// What a statement reads its rows by: the narrowest that a filter allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Those that were named.
    Ids,
    /// One person's.
    Owner,
    /// What everybody may see.
    Public,
    /// Everything there is.
    All,
}

/// Which things of people a filter reaches for a caller: what is public, what is their own, and all for admins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    pub anchor: Anchor,
    /// The one whose things are asked for.
    pub owner: Option<UserId>,
    /// Whose private things may be shown.
    pub viewer: Option<UserId>,
    /// Whether everybody's may.
    pub is_admin: bool,
}

impl Reach {
    /// The reach of a filter that names ids (or does not), an owner, and whether things are private. Nobody but an admin
    /// sees what others keep private, so that to ask for private things alone is to ask for one's own.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest who asks for private things; [`Error::Invalid`] for more than [`MAX_IDS`].
    pub fn of(caller: &Caller, ids: Option<usize>, owner: Option<UserId>, is_private: Option<bool>) -> Result<Self> {
        if ids.is_some_and(|count| count > MAX_IDS) {
            return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")));
        }
        let is_about_own = is_private == Some(true) && ids.is_none() && owner.is_none() && !caller.admin;
        let owner = if is_about_own { Some(caller.signed_in()?) } else { owner };
        let anchor = match (ids, owner, caller.admin) {
            (Some(_), ..) => Anchor::Ids,
            (None, Some(_), _) => Anchor::Owner,
            (None, None, true) => Anchor::All,
            (None, None, false) => Anchor::Public,
        };
        Ok(Self { anchor, owner, viewer: caller.user, is_admin: caller.admin })
    }
}

/// Refuses to pass over more than [`MAX_SKIP`] items, or over any where a cursor says already where the list goes on.
///
/// # Errors
/// [`Error::Invalid`], naming what to do instead.
pub fn check_skip(skip: i64, cursor: Option<&str>) -> Result<()> {
    if !(0..=MAX_SKIP).contains(&skip) {
        let message = format!("must be between 0 and {MAX_SKIP}; go on with nextCursor instead");
        return Err(Error::invalid("options.skip", message));
    }
    if skip > 0 && cursor.is_some() {
        return Err(Error::invalid("options.skip", "cannot be used together with a cursor"));
    }
    Ok(())
}

/// The items at these places of a list that stands in memory.
#[must_use]
pub fn cut<T>(items: Vec<T>, skip: i64, limit: i64) -> Vec<T> {
    let size = |value: i64| usize::try_from(value).unwrap_or(0);
    items.into_iter().skip(size(skip)).take(size(limit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_things_of_others_are_reached_by_admins_alone() {
        let (ann, bob) = (UserId::new(), UserId::new());
        let (guest, caller, admin) = (Caller::guest(), Caller::customer(ann), Caller::system());
        let anchor = |caller: &Caller, ids, owner, private| Reach::of(caller, ids, owner, private).map(|r| r.anchor);
        assert_eq!(anchor(&guest, None, None, None).ok(), Some(Anchor::Public));
        assert!(matches!(anchor(&guest, None, None, Some(true)), Err(Error::LoginRequired)));
        let own = Reach::of(&caller, None, None, Some(true)).expect("one's own");
        assert_eq!((own.anchor, own.owner, own.is_admin), (Anchor::Owner, Some(ann), false));
        let other = Reach::of(&caller, None, Some(bob), Some(true)).expect("somebody else's");
        assert_eq!((other.owner, other.viewer, other.is_admin), (Some(bob), Some(ann), false), "who looks stays known");
        assert_eq!(anchor(&admin, None, None, Some(true)).ok(), Some(Anchor::All));
        assert_eq!(anchor(&caller, Some(1), Some(bob), None).ok(), Some(Anchor::Ids));
        assert!(anchor(&caller, Some(MAX_IDS + 1), None, None).is_err());
    }

    #[test]
    fn a_list_is_not_passed_over_for_ever() {
        assert!(check_skip(0, Some("x")).is_ok());
        assert!(check_skip(MAX_SKIP, None).is_ok());
        for (skip, cursor) in [(-1, None), (MAX_SKIP + 1, None), (i64::MAX, None), (1, Some("x"))] {
            assert!(check_skip(skip, cursor).is_err(), "{skip} {cursor:?}");
        }
        assert_eq!(cut(vec![1, 2, 3, 4], 1, 2), [2, 3]);
        assert!(cut(vec![1], 5, 2).is_empty());
    }
}
