//! What the filters of all rooms share.
//!
//! Each room has a filter type of its own, a closed list of typed conditions, and combines it with what the caller may
//! see. Its statements are checked: every condition is a parameter that may be null, and there is one statement for
//! each [`Anchor`] and order, so that each is planned for the index that serves it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::ids::UserId;
use crate::{Caller, Error, Result};

/// Ids that one filter may name.
pub const MAX_IDS: usize = 500;

/// Whether a list has items that are not safe for work: the specification's visibility filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nsfw {
    /// Both kinds.
    View,
    #[default]
    Hide,
    Only,
}

impl Nsfw {
    /// The value of `is_nsfw` that items must have; `None` for both.
    pub(crate) fn flag(self) -> Option<bool> {
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

/// A range of time with `from` included and `until` excluded. `None` is an open end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeRange {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

/// The condition whose index a statement reads: the narrowest that a filter allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Ids,
    Owner,
    Public,
    All,
}

/// Which rows a filter may read for a caller: public ones, the caller's own, and all for admins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadScope {
    pub anchor: Anchor,
    /// The owner that the filter asks for.
    pub owner: Option<UserId>,
    /// The user whose private rows may be read.
    pub viewer: Option<UserId>,
    /// Whether all private rows may be read.
    pub is_admin: bool,
}

impl ReadScope {
    /// `ids` is the count of ids that the filter names. Only admins see private rows of others, so a filter for private
    /// rows without an owner means the caller's own.
    ///
    /// # Errors
    /// [`Error::LoginRequired`] for a guest who asks for private rows; [`Error::Invalid`] for more than [`MAX_IDS`].
    pub fn of(caller: &Caller, ids: Option<usize>, owner: Option<UserId>, is_private: Option<bool>) -> Result<Self> {
        if ids.is_some_and(|count| count > MAX_IDS) {
            return Err(too_many_ids("filter._id"));
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

/// Checks the ids of a filter and returns whether it can match: an empty list of ids matches no row.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_IDS`].
pub(crate) fn check_ids<T>(ids: Option<&Vec<T>>) -> Result<bool> {
    match ids {
        Some(ids) if ids.len() > MAX_IDS => Err(too_many_ids("filter._id")),
        ids => Ok(ids.is_none_or(|ids| !ids.is_empty())),
    }
}

pub(crate) fn too_many_ids(field: &str) -> Error {
    Error::invalid(field, format!("may name {MAX_IDS} ids at most"))
}

/// Ids as a parameter of a statement; empty where the filter names none.
pub(crate) fn uuids<T: Copy + Into<Uuid>>(ids: Option<&Vec<T>>) -> Vec<Uuid> {
    ids.into_iter().flatten().map(|id| (*id).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_admins_read_private_rows_of_others() {
        let (ann, bob) = (UserId::new(), UserId::new());
        let (guest, caller, admin) = (Caller::guest(), Caller::customer(ann), Caller::system());
        let anchor =
            |caller: &Caller, ids, owner, private| ReadScope::of(caller, ids, owner, private).map(|r| r.anchor);
        assert_eq!(anchor(&guest, None, None, None).ok(), Some(Anchor::Public));
        assert!(matches!(anchor(&guest, None, None, Some(true)), Err(Error::LoginRequired)));
        let own = ReadScope::of(&caller, None, None, Some(true)).expect("the caller's own");
        assert_eq!((own.anchor, own.owner, own.is_admin), (Anchor::Owner, Some(ann), false));
        let other = ReadScope::of(&caller, None, Some(bob), Some(true)).expect("another user's");
        assert_eq!((other.owner, other.viewer, other.is_admin), (Some(bob), Some(ann), false), "the viewer is kept");
        assert_eq!(anchor(&admin, None, None, Some(true)).ok(), Some(Anchor::All));
        assert_eq!(anchor(&caller, Some(1), Some(bob), None).ok(), Some(Anchor::Ids));
        assert!(anchor(&caller, Some(MAX_IDS + 1), None, None).is_err());
    }
}
