//! SQL of counts. It reads tables of other rooms and writes nothing.

use sqlx::PgPool;

use super::profile_counts::ProfileCounts;
use crate::ids::UserId;

pub(super) async fn of_profile(db: &PgPool, user: UserId) -> sqlx::Result<ProfileCounts> {
    let row = sqlx::query!(
        r#"SELECT w.count AS "workflows!", o.count AS "images!", (w.likes + o.likes)::bigint AS "likes!"
           FROM (SELECT count(*), COALESCE(sum(like_count), 0) AS likes FROM workflows
                 WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private) w,
                (SELECT count(*), COALESCE(sum(like_count), 0) AS likes FROM output_assets
                 WHERE user_id = $1 AND deleted_at IS NULL AND NOT is_private) o"#,
        user.0
    )
    .fetch_one(db)
    .await?;
    Ok(ProfileCounts { workflows: row.workflows, images: row.images, likes: row.likes })
}
