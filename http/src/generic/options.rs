//! The `options` of a list: order and page.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use verdigraph_core::Error;
use verdigraph_core::list::ListQuery;

use super::read;
use crate::routes::MAX_LIMIT;

/// Items of a page by default.
const DEFAULT_LIMIT: i64 = 20;

/// Parsed `options`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    pub sort: Option<Sort>,
    pub limit: Option<i64>,
    pub skip: Option<i64>,
    pub cursor: Option<String>,
}

/// A sort order: a word, with a minus in front for descending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort(pub String);

impl Options {
    /// The query of a list, with the page that the options name.
    pub fn query<F, S>(&self, filter: F, sort: S, limit: i64) -> ListQuery<'_, F, S> {
        ListQuery { filter, sort, cursor: self.cursor.as_deref(), skip: self.skip(), limit }
    }

    /// Parses the text.
    pub fn read(text: Option<&str>) -> Result<Self, Error> {
        text.map_or_else(|| Ok(Self::default()), |text| read("options", text))
    }

    /// The order as the resource defines it.
    pub fn order<T: FromStr<Err = Error>>(&self) -> Result<Option<T>, Error> {
        self.sort.as_ref().map(|Sort(word)| word.parse()).transpose().map_err(|error| match error {
            Error::Invalid { field, message } => Error::invalid(format!("options.{field}"), message),
            other => other,
        })
    }

    /// The number of items to return.
    pub fn limit(&self) -> Result<i64, Error> {
        match self.limit.unwrap_or(DEFAULT_LIMIT) {
            limit @ 1..=MAX_LIMIT => Ok(limit),
            _ => Err(Error::invalid("options.limit", format!("must be between 1 and {MAX_LIMIT}"))),
        }
    }

    /// The number of items to return if the filter names ids: by default all of them, up to the maximum.
    pub fn limit_of(&self, named: Option<usize>) -> Result<i64, Error> {
        match (self.limit, named) {
            (None, Some(_)) => Ok(MAX_LIMIT),
            _ => self.limit(),
        }
    }

    /// The number of items to skip.
    #[must_use]
    pub fn skip(&self) -> i64 {
        self.skip.unwrap_or(0)
    }
}

impl<'de> Deserialize<'de> for Sort {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrField;

        impl<'de> Visitor<'de> for WordOrField {
            type Value = Sort;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word, such as \"-createdAt\", or one field, such as {\"createdAt\": -1}")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Sort, E> {
                Ok(Sort(word.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sort, A::Error> {
                let Some((field, direction)) = map.next_entry::<String, i64>()? else {
                    return Err(de::Error::custom("names no field"));
                };
                if map.next_key::<String>()?.is_some() {
                    return Err(de::Error::custom("lists are ordered by one field"));
                }
                match direction {
                    1 => Ok(Sort(field)),
                    -1 => Ok(Sort(format!("-{field}"))),
                    _ => Err(de::Error::custom("a direction is 1 or -1")),
                }
            }
        }

        deserializer.deserialize_any(WordOrField)
    }
}
