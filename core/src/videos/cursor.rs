//! The two orders of the list, and places in it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::video::Video;
use crate::ids::VideoId;
use crate::{Error, Result, cursor};

/// The order of the list, by the day on which videos came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
}

impl std::str::FromStr for Order {
    type Err = Error;

    /// Takes the words of the pages and the fields of the generic query.
    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" | "-youtubeCreatedAt" => Ok(Self::Newest),
            "oldest" | "youtubeCreatedAt" => Ok(Self::Oldest),
            _ => Err(Error::invalid("sort", "must be newest or oldest")),
        }
    }
}

impl Order {
    fn letter(self) -> char {
        match self {
            Self::Newest => 'n',
            Self::Oldest => 'o',
        }
    }
}

/// After which row the page begins.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub at: DateTime<Utc>,
    pub id: VideoId,
}

impl Cursor {
    pub fn first(order: Order) -> Self {
        match order {
            Order::Newest => Self { at: cursor::time(i64::MAX), id: VideoId(Uuid::max()) },
            Order::Oldest => Self { at: cursor::time(0), id: VideoId(Uuid::nil()) },
        }
    }

    pub fn of(video: &Video) -> Self {
        Self { at: video.youtube_created_at, id: video.id }
    }

    pub fn read(text: &str, order: Order) -> Result<Self> {
        let (key, id) = cursor::read(text, order.letter())?;
        Ok(Self { at: cursor::time(key), id: VideoId(id) })
    }

    pub fn cursor(self, order: Order) -> String {
        cursor::write(order.letter(), self.at.timestamp_micros(), self.id.0)
    }
}
