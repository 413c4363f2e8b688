//! Users' public profiles.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::stats::ProfileCounts;
use verdigraph_core::users::{ContactPoint, User};

use super::assets::AssetView;
use super::users::UserCard;
use crate::openapi::ToSchema;

/// A user's public profile.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Distinguishes users of the same name: `#1234`.
    pub name_tag: String,
    pub profile: Option<AssetView>,
    pub social_profile: Option<String>,
    /// Whether the account was deleted; `name` is a placeholder then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_deleted: bool,
    /// By kind: `homepage`, `instagram` (a handle) and `email`, as far as given.
    pub contact_points: BTreeMap<String, ContactPointView>,
    pub counts: ProfileCountsView,
    pub created_at: DateTime<Utc>,
}

/// A contact point.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactPointView {
    pub value: String,
    /// Its position, from 0.
    pub order: usize,
}

/// Counts of published content.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfileCountsView {
    pub workflows: i64,
    pub images: i64,
    /// Likes of both.
    pub likes: i64,
}

impl ProfileView {
    /// The view.
    #[must_use]
    pub fn new(card: UserCard, user: &User, points: Vec<ContactPoint>, counts: ProfileCounts) -> Self {
        let ProfileCounts { workflows, images, likes } = counts;
        Self {
            id: card.id,
            name: card.name,
            name_tag: user.name_tag(),
            profile: card.profile,
            social_profile: card.social_profile,
            is_deleted: card.is_deleted,
            contact_points: contact_points(points),
            counts: ProfileCountsView { workflows, images, likes },
            created_at: user.created_at,
        }
    }
}

/// Contact points by kind, each with its place.
#[must_use]
pub fn contact_points(points: Vec<ContactPoint>) -> BTreeMap<String, ContactPointView> {
    let view = |(order, point): (usize, ContactPoint)| {
        (point.kind.word().to_owned(), ContactPointView { value: point.value, order })
    };
    points.into_iter().enumerate().map(view).collect()
}
