//! SQL of labels.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::OutputAssetId;

/// Published outputs without a label.
pub(in super::super) async fn missing(db: &PgPool, limit: i64) -> sqlx::Result<Vec<OutputAssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM output_assets WHERE deleted_at IS NULL AND NOT is_private AND label IS NULL ORDER BY id LIMIT $1",
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(OutputAssetId).collect())
}

/// Writes labels of outputs that are still public and have none.
pub(in super::super) async fn set(db: &PgPool, labels: &[(OutputAssetId, String)]) -> sqlx::Result<()> {
    let (ids, texts): (Vec<Uuid>, Vec<String>) = labels.iter().map(|(id, text)| (id.0, text.clone())).unzip();
    sqlx::query!(
        "UPDATE output_assets o SET label = found.label
         FROM UNNEST($1::uuid[], $2::text[]) AS found(id, label)
         WHERE o.id = found.id AND NOT o.is_private AND o.label IS NULL",
        &ids,
        &texts,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Public outputs, safe for work, whose labels resemble a text by letters: the most similar first, then the newest.
pub(in super::super) async fn similar(
    tx: &mut PgConnection,
    text: &str,
    limit: i64,
) -> sqlx::Result<Vec<OutputAssetId>> {
    // Only the newest matches are sorted, because a common word matches half of all labels.
    let found = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM (
             SELECT id, label FROM output_assets
             WHERE deleted_at IS NULL AND NOT is_private AND label <> '' AND NOT is_nsfw
               AND normalize($1::text, NFD) <% normalize(label, NFD)
             ORDER BY id DESC LIMIT 500
           ) latest ORDER BY word_similarity(normalize($1, NFD), normalize(label, NFD)) DESC, id DESC LIMIT $2"#,
        text,
        limit,
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(OutputAssetId).collect())
}
