//! Where a list of outputs goes on: after the last one seen, named by what the list is ordered by. So a page costs the
//! same however deep it is.

use uuid::Uuid;

use super::OutputAsset;
use crate::{Error, Result, place};

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
            "newest" | "-_id" => Ok(Self::Newest),
            "oldest" | "_id" => Ok(Self::Oldest),
            "like" | "-likeCount" => Ok(Self::Like),
            "view" | "-viewCount" => Ok(Self::View),
            _ => Err(Error::invalid("sort", "must be newest, oldest, like or view")),
        }
    }
}

/// A place in a list: a count where the list is ordered by one, then the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub count: i64,
    pub id: Uuid,
}

impl Place {
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
        let refused = || Error::invalid("cursor", "is not one of ours");
        match order {
            // Lists by id name the id alone, as they always did.
            Order::Newest | Order::Oldest => Ok(Self { count: 0, id: Uuid::parse_str(cursor).map_err(|_| refused())? }),
            Order::Like | Order::View => {
                place::read(cursor, order.letter()).map(|(count, id)| Self { count, id }).ok_or_else(refused)
            }
        }
    }

    /// The cursor that names this place.
    pub fn cursor(self, order: Order) -> String {
        match order {
            Order::Newest | Order::Oldest => self.id.to_string(),
            Order::Like | Order::View => place::spell(order.letter(), self.count, self.id),
        }
    }
}

impl Order {
    fn letter(self) -> &'static str {
        match self {
            Self::Newest => "n",
            Self::Oldest => "o",
            Self::Like => "l",
            Self::View => "v",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_the_list_that_gave_it_and_by_no_other() {
        let place = Place { count: 7, id: Uuid::now_v7() };
        let cursor = place.cursor(Order::Like);
        assert_eq!(Place::parse(Some(&cursor), Order::Like).expect("its own"), place);
        for other in [Order::Newest, Order::Oldest, Order::View] {
            assert!(Place::parse(Some(&cursor), other).is_err(), "{other:?} took it");
        }
        for text in ["", "x", "bDo3", "bDo3Ong"] {
            assert!(Place::parse(Some(text), Order::Like).is_err(), "{text:?} was taken");
        }
    }
}
