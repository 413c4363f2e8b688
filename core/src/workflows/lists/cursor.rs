//! Where a list goes on.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::ids::WorkflowId;
use crate::workflows::workflow::Workflow;
use crate::{Error, Result, cursor};

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The latest made first; of mini apps, the latest published.
    #[default]
    Newest,
    Oldest,
    /// Most liked first.
    Like,
    /// Most viewed first.
    View,
    /// The latest published first.
    PublishedAt,
    /// Somebody's favourites, the latest like first. Nobody can ask for it elsewhere.
    LikedAt,
    /// Basic workflows, in the order of the admins. Nobody can ask for it elsewhere.
    BasicAt,
    /// What was searched for, names first. Nobody can ask for it elsewhere.
    Found,
}

impl std::str::FromStr for Sort {
    type Err = Error;

    /// Takes the words of the pages and the fields of the generic query.
    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" | "-_id" | "-createdAt" => Ok(Self::Newest),
            "oldest" | "_id" | "createdAt" => Ok(Self::Oldest),
            "like" | "-likeCount" => Ok(Self::Like),
            "view" | "-viewCount" => Ok(Self::View),
            "publishedAt" | "-publishedAt" => Ok(Self::PublishedAt),
            _ => Err(Error::invalid("sort", "must be newest, oldest, like, view or publishedAt")),
        }
    }
}

/// A place in a list: the value it is ordered by (microseconds since 1970, or a count), then the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub sort: Sort,
    pub key: i64,
    pub id: WorkflowId,
}

impl Cursor {
    /// The place of an item in a list of this order. What the row does not tell (likes, searches) has its key from the
    /// statement instead.
    #[must_use]
    pub fn of(workflow: &Workflow, sort: Sort) -> Self {
        let key = match sort {
            Sort::Like => workflow.like_count,
            Sort::View => workflow.view_count,
            _ => workflow.published_at.map_or(0, |at| at.timestamp_micros()),
        };
        Self { sort, key, id: workflow.id }
    }

    /// Before the first item of a list in falling order.
    #[must_use]
    pub fn top(sort: Sort) -> Self {
        Self { sort, key: i64::MAX, id: WorkflowId(Uuid::max()) }
    }

    /// Before the first item of a list in rising order.
    #[must_use]
    pub fn bottom(sort: Sort) -> Self {
        Self { sort, key: i64::MIN, id: WorkflowId(Uuid::nil()) }
    }

    /// Reads a cursor that a list of this order gave.
    ///
    /// # Errors
    /// [`Error::Invalid`] for any other text.
    pub fn parse(cursor: &str, sort: Sort) -> Result<Self> {
        let (key, id) = cursor::read(cursor, sort.letter())?;
        Ok(Self { sort, key, id: WorkflowId(id) })
    }

    /// The key as a time, for lists by date; a time that no item reaches where it is none.
    #[must_use]
    pub fn at(&self) -> DateTime<Utc> {
        cursor::time(self.key)
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sort, key, id } = self;
        f.write_str(&cursor::write(sort.letter(), *key, id.0))
    }
}

impl Sort {
    fn letter(self) -> char {
        match self {
            Self::Newest => 'n',
            Self::Oldest => 'o',
            Self::Like => 'l',
            Self::View => 'v',
            Self::PublishedAt => 'p',
            Self::LikedAt => 'f',
            Self::BasicAt => 'b',
            Self::Found => 's',
        }
    }
}
