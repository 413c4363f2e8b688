//! SQL of the input files of jobs.

use std::collections::HashSet;

use sqlx::PgPool;

use crate::assets::ContentHash;

/// The contents among these that an unfinished job uses.
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

/// The contents that unfinished jobs use, in order, after `after`.
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
