//! SQL of the files that jobs were given.

use std::collections::HashSet;

use sqlx::PgPool;

use crate::assets::ContentHash;

/// Those of these that a job names which has not ended.
pub(in super::super) async fn named(db: &PgPool, contents: &[ContentHash]) -> sqlx::Result<HashSet<ContentHash>> {
    let contents: Vec<String> = contents.iter().map(|content| content.as_str().to_owned()).collect();
    let found = sqlx::query_scalar!(
        r#"SELECT DISTINCT file.value ->> 'content' AS "content!" FROM jobs, jsonb_each(jobs.files) AS file
           WHERE jobs.files IS NOT NULL AND file.value ->> 'content' = ANY($1)"#,
        &contents,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// The contents that such jobs name after this one, in their order.
pub(in super::super) async fn all(db: &PgPool, after: &str, most: i64) -> sqlx::Result<Vec<ContentHash>> {
    let found = sqlx::query_scalar!(
        r#"SELECT DISTINCT file.value ->> 'content' AS "content!" FROM jobs, jsonb_each(jobs.files) AS file
           WHERE jobs.files IS NOT NULL AND file.value ->> 'content' > $1 ORDER BY 1 LIMIT $2"#,
        after,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}
