//! SQL of the sitemap.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::kind::SitemapKind;

pub(super) async fn starts(db: &PgPool, kind: SitemapKind, every: i64) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM (
             SELECT id, row_number() OVER (ORDER BY id) AS place FROM public_pages WHERE kind = $1
           ) numbered WHERE place % $2 = 1 ORDER BY id"#,
        kind.name(),
        every,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn from(
    db: &PgPool,
    kind: SitemapKind,
    first: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<(Uuid, DateTime<Utc>)>> {
    let found = sqlx::query!(
        r#"SELECT id AS "id!", at AS "at!" FROM public_pages WHERE kind = $1 AND id >= $2 ORDER BY id LIMIT $3"#,
        kind.name(),
        first,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(|row| (row.id, row.at)).collect())
}
