//! Outputs for tests.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;

use super::NewOutputAsset;
use crate::assets::{ContentHash, EmbeddedMetadata, MediaType};
use crate::ids::{JobId, OutputAssetId, UserId};

/// A private PNG of 64 × 48 pixels from a job of its own, kept for 30 days from `now`.
#[must_use]
pub fn output(user: UserId, now: DateTime<Utc>) -> NewOutputAsset {
    let id = OutputAssetId::new();
    NewOutputAsset {
        id,
        user,
        job: JobId::new(),
        node_id: "9".to_owned(),
        position: 0,
        content: ContentHash::of(id.0.as_bytes()),
        media: MediaType::Png,
        size_bytes: 1234,
        width: Some(64),
        height: Some(48),
        ran_ms: 700,
        blur_hash: None,
        duration_ms: None,
        embedded: EmbeddedMetadata::None,
        name: None,
        created_at: now,
        expires_at: now + TimeDelta::days(30),
    }
}

pub async fn insert(db: &PgPool, outputs: &[NewOutputAsset]) {
    let mut connection = db.acquire().await.expect("a connection");
    super::insert_batch(&mut connection, outputs).await.expect("outputs that can be kept");
}
