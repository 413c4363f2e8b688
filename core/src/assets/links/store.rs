//! SQL of the key that signs addresses.

use sqlx::PgPool;

/// The key of the installation; `fresh` becomes it if there is none.
pub(super) async fn key(db: &PgPool, fresh: &[u8]) -> sqlx::Result<Vec<u8>> {
    if let Some(key) = sqlx::query_scalar!("SELECT key FROM file_link_keys").fetch_optional(db).await? {
        return Ok(key);
    }
    sqlx::query!("INSERT INTO file_link_keys (key) VALUES ($1) ON CONFLICT (one) DO NOTHING", fresh)
        .execute(db)
        .await?;
    sqlx::query_scalar!("SELECT key FROM file_link_keys").fetch_one(db).await
}
