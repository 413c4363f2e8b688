//! The conditions of filters. Each names its place when it is invalid.

use std::fmt;

use chrono::TimeDelta;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use uuid::Uuid;
use verdigraph_core::assets::AssetKind;
use verdigraph_core::filter::TimeRange;

use crate::moment::Moment;

/// One id or several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ids(pub Vec<Uuid>);

impl<Id: From<Uuid>> From<Ids> for Vec<Id> {
    fn from(ids: Ids) -> Self {
        ids.0.into_iter().map(Id::from).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct In {
    #[serde(rename = "$in")]
    ids: Vec<Uuid>,
}

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;

        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Ids;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id, or {\"$in\": [ids]}")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Ids, E> {
                Ok(Ids(vec![Uuid::parse_str(text).map_err(E::custom)?]))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Ids, A::Error> {
                Ok(Ids(In::deserialize(MapAccessDeserializer::new(map))?.ids))
            }
        }

        deserializer.deserialize_any(OneOrSeveral)
    }
}

/// Kinds of files, as entities and as cards name them.
#[derive(Debug, Clone, Copy, Deserialize)]
pub enum Kind {
    #[serde(alias = "image")]
    Image,
    #[serde(alias = "video")]
    Video,
    #[serde(alias = "audio")]
    Audio,
    #[serde(alias = "text")]
    Text,
    #[serde(alias = "file")]
    File,
}

impl From<Kind> for AssetKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Image => Self::Image,
            Kind::Video => Self::Video,
            Kind::Audio => Self::Audio,
            Kind::Text => Self::Text,
            Kind::File => Self::File,
        }
    }
}

/// A time range, to the microsecond as PostgreSQL stores times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "bounds, such as {\"$gte\": \"2026-01-01T00:00:00Z\"}")]
pub struct Range {
    #[serde(rename = "$gt")]
    after: Option<Moment>,
    #[serde(rename = "$gte")]
    from: Option<Moment>,
    #[serde(rename = "$lt")]
    before: Option<Moment>,
    #[serde(rename = "$lte")]
    to: Option<Moment>,
}

impl From<Range> for TimeRange {
    fn from(range: Range) -> Self {
        let own = |Moment(at): Moment| at;
        let next = |Moment(at): Moment| at.checked_add_signed(TimeDelta::microseconds(1)).unwrap_or(at);
        Self {
            from: range.from.map(own).into_iter().chain(range.after.map(next)).max(),
            until: range.before.map(own).into_iter().chain(range.to.map(next)).min(),
        }
    }
}

/// Whether a value exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "{\"$exists\": true} or {\"$exists\": false}")]
pub struct Exists {
    #[serde(rename = "$exists")]
    pub exists: bool,
}

/// Tells a field that is `null` from a missing one.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(value).map(Some)
}
