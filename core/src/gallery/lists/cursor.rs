//! Where a list of outputs goes on.

use uuid::Uuid;

use crate::gallery::output_asset::OutputAsset;
use crate::{Error, Result, cursor};

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
    /// Most liked first.
    Like,
    /// Most viewed first.
    View,
}

impl std::str::FromStr for Order {
    type Err = Error;

    /// Takes the words of the pages and the fields of the generic query.
    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" | "-_id" | "-createdAt" => Ok(Self::Newest),
            "oldest" | "_id" | "createdAt" => Ok(Self::Oldest),
            "like" | "-likeCount" => Ok(Self::Like),
            "view" | "-viewCount" => Ok(Self::View),
            _ => Err(Error::invalid("sort", "must be newest, oldest, like or view")),
        }
    }
}

/// What tells the cursors of orders by a count apart.
const LIKES: char = 'l';
const VIEWS: char = 'v';

/// A place in a list: a count where the list is ordered by one, then the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gallery) struct Cursor {
    pub count: i64,
    pub id: Uuid,
}

impl Cursor {
    /// Before the first item.
    pub fn first(order: Order) -> Self {
        match order {
            Order::Oldest => Self { count: 0, id: Uuid::nil() },
            Order::Newest | Order::Like | Order::View => Self { count: i64::MAX, id: Uuid::max() },
        }
    }

    pub fn of(asset: &OutputAsset, order: Order) -> Self {
        let count = match order {
            Order::Newest | Order::Oldest => 0,
            Order::Like => asset.like_count,
            Order::View => asset.view_count,
        };
        Self { count, id: asset.id.0 }
    }

    /// Reads a cursor that a list of this order gave; the beginning where there is none.
    ///
    /// # Errors
    /// [`Error::Invalid`] for any other text.
    pub fn parse(cursor: Option<&str>, order: Order) -> Result<Self> {
        let Some(cursor) = cursor else { return Ok(Self::first(order)) };
        let (count, id) = match order {
            // Lists by id name the id alone, as they always did.
            Order::Newest | Order::Oldest => (0, Uuid::parse_str(cursor).map_err(|_| cursor::refused())?),
            Order::Like => cursor::read(cursor, LIKES)?,
            Order::View => cursor::read(cursor, VIEWS)?,
        };
        Ok(Self { count, id })
    }

    /// The cursor that names this place.
    pub fn cursor(self, order: Order) -> String {
        match order {
            Order::Newest | Order::Oldest => self.id.to_string(),
            Order::Like => cursor::write(LIKES, self.count, self.id),
            Order::View => cursor::write(VIEWS, self.count, self.id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_the_list_that_gave_it_and_by_no_other() {
        let place = Cursor { count: 7, id: Uuid::now_v7() };
        let cursor = place.cursor(Order::Like);
        assert_eq!(Cursor::parse(Some(&cursor), Order::Like).expect("its own"), place);
        for other in [Order::Newest, Order::Oldest, Order::View] {
            assert!(Cursor::parse(Some(&cursor), other).is_err(), "{other:?} took it");
        }
    }
}
