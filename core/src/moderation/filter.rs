//! Which cases a list shows, which comes first, and where the list goes on.

use chrono::DateTime;
use uuid::Uuid;

use super::{Case, Kind, State};
use crate::{Error, Result, cursor};

/// Which cases a list shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    pub state: Option<State>,
    pub kind: Option<Kind>,
    pub order: Order,
}

/// Which case comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The last report.
    #[default]
    Newest,
    MostReported,
}

impl std::str::FromStr for Order {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" => Ok(Self::Newest),
            "mostReported" => Ok(Self::MostReported),
            _ => Err(Error::invalid("sort", "must be newest or mostReported")),
        }
    }
}

/// Where a list goes on: after the case with this key, and this id among those of the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    pub key: i64,
    pub id: Uuid,
}

impl Cursor {
    pub fn of(case: &Case, order: Order) -> Self {
        let key = match order {
            Order::Newest => case.reported_at.timestamp_micros(),
            Order::MostReported => case.all_reports,
        };
        Self { key, id: case.id.0 }
    }

    pub fn parse(text: &str, order: Order) -> Result<Self> {
        let (key, id) = cursor::read(text, letter(order))?;
        // A time that no calendar has is no cursor of ours.
        DateTime::from_timestamp_micros(key).ok_or_else(cursor::refused)?;
        Ok(Self { key, id })
    }

    pub fn text(self, order: Order) -> String {
        cursor::write(letter(order), self.key, self.id)
    }
}

/// What tells the cursors of the orders apart.
fn letter(order: Order) -> char {
    match order {
        Order::Newest => 'n',
        Order::MostReported => 'r',
    }
}
