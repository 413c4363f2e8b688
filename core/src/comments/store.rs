//! SQL of comments.

pub(super) mod filtered;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::comment::{Comment, CommentParent, Post, Reaction};
use crate::database;
use crate::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use crate::users::{PublishPermit, WritePermit};

struct Row {
    id: Uuid,
    user_id: Option<Uuid>,
    workflow_id: Option<Uuid>,
    output_asset_id: Option<Uuid>,
    parent_id: Option<Uuid>,
    content: String,
    reply_count: i64,
    like_count: i64,
    dislike_count: i64,
    is_like: Option<bool>,
    created_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    is_hidden: bool,
}

impl From<Row> for Comment {
    fn from(row: Row) -> Self {
        let post = match (row.workflow_id, row.output_asset_id) {
            (Some(id), _) => Post::Workflow(WorkflowId(id)),
            // A constraint requires one of the two.
            (None, id) => Post::OutputAsset(OutputAssetId(id.unwrap_or_default())),
        };
        Self {
            id: CommentId(row.id),
            user: row.user_id.map(UserId),
            post,
            parent: row.parent_id.map(CommentId),
            content: row.content,
            reply_count: row.reply_count,
            like_count: row.like_count,
            dislike_count: row.dislike_count,
            reaction: row.is_like.map(|is_like| if is_like { Reaction::Like } else { Reaction::Dislike }),
            created_at: row.created_at,
            edited_at: row.edited_at,
            is_hidden: row.is_hidden,
        }
    }
}

/// A comment, deleted or not.
pub(super) async fn find(db: &PgPool, id: CommentId) -> sqlx::Result<Option<Comment>> {
    find_for(db, id, None).await
}

/// A comment with a user's reaction.
pub(super) async fn find_for(db: &PgPool, id: CommentId, reader: Option<UserId>) -> sqlx::Result<Option<Comment>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT c.id, c.user_id, c.workflow_id, c.output_asset_id, c.parent_id, c.content, c.reply_count, c.like_count,
                  c.dislike_count, l.is_like AS "is_like?", c.created_at, c.edited_at,
                  c.hidden_at IS NOT NULL AS "is_hidden!"
           FROM comments c LEFT JOIN comment_likes l ON l.comment_id = c.id AND l.user_id = $2 WHERE c.id = $1"#,
        id.0,
        reader.map(|user| user.0),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// Comments of a user that are not deleted, newest first: at most `limit` older than `before`.
pub(super) async fn of_user(
    db: &PgPool,
    user: UserId,
    before: Option<CommentId>,
    limit: i64,
) -> sqlx::Result<Vec<Comment>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, user_id, workflow_id, output_asset_id, parent_id, content, reply_count, like_count, dislike_count,
                  NULL::boolean AS "is_like?", created_at, edited_at, hidden_at IS NOT NULL AS "is_hidden!"
           FROM comments WHERE user_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3"#,
        user.0,
        before.map(|id| id.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The last place below a post or a comment, and the count of comments that are not deleted.
pub(super) async fn places(db: &PgPool, target: Uuid) -> sqlx::Result<(i64, i64)> {
    let row =
        sqlx::query!("SELECT last, living FROM comment_places WHERE target_id = $1", target).fetch_optional(db).await?;
    Ok(row.map_or((0, 0), |row| (row.last, row.living)))
}

/// Counts replies to the comments on a post, including replies to deleted comments.
pub(super) async fn replies(db: &PgPool, post: Post) -> sqlx::Result<i64> {
    let (query, id) = match post {
        Post::Workflow(id) => (
            "SELECT COALESCE(SUM(reply_count), 0)::bigint FROM comments WHERE workflow_id = $1 AND parent_id IS NULL",
            id.0,
        ),
        Post::OutputAsset(id) => (
            "SELECT COALESCE(SUM(reply_count), 0)::bigint FROM comments WHERE output_asset_id = $1 AND parent_id IS NULL",
            id.0,
        ),
    };
    sqlx::query_scalar(query).bind(id).fetch_one(db).await
}

/// Comments at these places, in order; deleted ones only where they have replies.
pub(super) async fn between(
    db: &PgPool,
    below: CommentParent,
    first: i64,
    last: i64,
    reader: Option<UserId>,
) -> sqlx::Result<Vec<Comment>> {
    let reader = reader.map(|user| user.0);
    // One statement for each index, so that each is planned for its own.
    let rows = match below {
        CommentParent::Post(Post::Workflow(id)) => {
            sqlx::query_as!(
                Row,
                r#"SELECT c.id, c.user_id, c.workflow_id, c.output_asset_id, c.parent_id, c.content, c.reply_count,
                          c.like_count, c.dislike_count, l.is_like AS "is_like?", c.created_at, c.edited_at,
                  c.hidden_at IS NOT NULL AS "is_hidden!"
                   FROM comments c LEFT JOIN comment_likes l ON l.comment_id = c.id AND l.user_id = $4
                   WHERE c.workflow_id = $1 AND c.parent_id IS NULL AND c.place BETWEEN $2 AND $3
                     AND (c.deleted_at IS NULL OR c.reply_count > 0) ORDER BY c.place"#,
                id.0,
                first,
                last,
                reader,
            )
            .fetch_all(db)
            .await?
        }
        CommentParent::Post(Post::OutputAsset(id)) => {
            sqlx::query_as!(
                Row,
                r#"SELECT c.id, c.user_id, c.workflow_id, c.output_asset_id, c.parent_id, c.content, c.reply_count,
                          c.like_count, c.dislike_count, l.is_like AS "is_like?", c.created_at, c.edited_at,
                  c.hidden_at IS NOT NULL AS "is_hidden!"
                   FROM comments c LEFT JOIN comment_likes l ON l.comment_id = c.id AND l.user_id = $4
                   WHERE c.output_asset_id = $1 AND c.parent_id IS NULL AND c.place BETWEEN $2 AND $3
                     AND (c.deleted_at IS NULL OR c.reply_count > 0) ORDER BY c.place"#,
                id.0,
                first,
                last,
                reader,
            )
            .fetch_all(db)
            .await?
        }
        CommentParent::Comment(id) => {
            sqlx::query_as!(
                Row,
                r#"SELECT c.id, c.user_id, c.workflow_id, c.output_asset_id, c.parent_id, c.content, c.reply_count,
                          c.like_count, c.dislike_count, l.is_like AS "is_like?", c.created_at, c.edited_at,
                  c.hidden_at IS NOT NULL AS "is_hidden!"
                   FROM comments c LEFT JOIN comment_likes l ON l.comment_id = c.id AND l.user_id = $4
                   WHERE c.parent_id = $1 AND c.place BETWEEN $2 AND $3 AND c.deleted_at IS NULL ORDER BY c.place"#,
                id.0,
                first,
                last,
                reader,
            )
            .fetch_all(db)
            .await?
        }
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Inserts a comment at the next place and updates the counts.
pub(super) async fn insert(tx: &mut PgConnection, _: &PublishPermit, comment: &Comment) -> sqlx::Result<()> {
    let (workflow, picture) = match comment.post {
        Post::Workflow(id) => (Some(id.0), None),
        Post::OutputAsset(id) => (None, Some(id.0)),
    };
    let target = comment.parent.map(|parent| parent.0).or(workflow).or(picture).unwrap_or_default();
    sqlx::query!(
        "WITH given AS (
           INSERT INTO comment_places AS p (target_id, last, living) VALUES ($5, 1, 1)
           ON CONFLICT (target_id) DO UPDATE SET last = p.last + 1, living = p.living + 1 RETURNING last
         ), counted AS (
           UPDATE comments SET reply_count = reply_count + 1 WHERE id = $6
         )
         INSERT INTO comments (id, user_id, workflow_id, output_asset_id, parent_id, place, content, created_at)
         SELECT $1, $2, $3, $4, $6, given.last, $7, $8 FROM given",
        comment.id.0,
        comment.user.map(|user| user.0),
        workflow,
        picture,
        target,
        comment.parent.map(|parent| parent.0),
        comment.content,
        comment.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns whether the comment existed and belonged to the user.
pub(super) async fn edit(
    tx: &mut PgConnection,
    _: &PublishPermit,
    id: CommentId,
    user: UserId,
    content: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE comments SET content = $3, edited_at = $4 WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
        id.0,
        user.0,
        content,
        now,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes a comment and updates the counts; `false` where it was deleted before.
pub(super) async fn delete(db: &mut PgConnection, comment: &Comment, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let target = match (comment.parent, comment.post) {
        (Some(parent), _) => parent.0,
        (None, post) => CommentParent::Post(post).id(),
    };
    let done = sqlx::query!(
        "WITH gone AS (
           UPDATE comments SET user_id = NULL, content = '', deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL
           RETURNING parent_id
         ), counted AS (
           UPDATE comments SET reply_count = reply_count - 1 WHERE id = (SELECT parent_id FROM gone)
         )
         UPDATE comment_places SET living = living - 1 WHERE target_id = $3 AND EXISTS (SELECT 1 FROM gone)",
        comment.id.0,
        now,
        target,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Locks a comment that is not deleted until the transaction ends.
pub(super) async fn lock(tx: &mut PgConnection, id: CommentId) -> sqlx::Result<Option<Comment>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, user_id, workflow_id, output_asset_id, parent_id, content, reply_count, like_count, dislike_count,
                  NULL::boolean AS "is_like?", created_at, edited_at, hidden_at IS NOT NULL AS "is_hidden!"
           FROM comments WHERE id = $1 AND deleted_at IS NULL FOR UPDATE"#,
        id.0,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(Into::into))
}

/// Hides a comment, or shows it again.
pub(super) async fn set_hidden(tx: &mut PgConnection, id: CommentId, since: Option<DateTime<Utc>>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE comments SET hidden_at = $2 WHERE id = $1", id.0, since).execute(tx).await?;
    Ok(())
}

/// Of the `window` comments before `before`, those that are not deleted and match, newest first. Also returns the last
/// id that was scanned, where more may follow.
pub(super) async fn search(
    db: &PgPool,
    pattern: Option<&str>,
    user: Option<UserId>,
    before: Option<CommentId>,
    window: i64,
) -> sqlx::Result<(Vec<Comment>, Option<CommentId>)> {
    let (before, user) = (before.map(|id| id.0), user.map(|user| user.0));
    let end = sqlx::query_scalar!(
        "SELECT id FROM comments WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC OFFSET $2 LIMIT 1",
        before,
        window - 1,
    )
    .fetch_optional(db)
    .await?;
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, user_id, workflow_id, output_asset_id, parent_id, content, reply_count, like_count, dislike_count,
                  NULL::boolean AS "is_like?", created_at, edited_at, hidden_at IS NOT NULL AS "is_hidden!"
           FROM comments
           WHERE ($1::uuid IS NULL OR id < $1) AND ($2::uuid IS NULL OR id >= $2) AND deleted_at IS NULL
             AND ($3::text IS NULL OR content ILIKE $3) AND ($4::uuid IS NULL OR user_id = $4)
           ORDER BY id DESC LIMIT 101"#,
        before,
        end,
        pattern,
        user,
    )
    .fetch_all(db)
    .await?;
    Ok((rows.into_iter().map(Into::into).collect(), end.map(CommentId)))
}

/// Records a reaction and updates the counts. The same reaction again is removed.
pub(super) async fn react(
    db: &PgPool,
    _: &WritePermit,
    id: CommentId,
    user: UserId,
    reaction: Reaction,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let is_like = reaction == Reaction::Like;
    let mut tx = database::begin(db).await?;
    // The comment's row is locked first, so that concurrent reactions are counted one after the other.
    sqlx::query!("SELECT 1 AS one FROM comments WHERE id = $1 FOR UPDATE", id.0).fetch_optional(&mut *tx).await?;
    let before =
        sqlx::query_scalar!("SELECT is_like FROM comment_likes WHERE comment_id = $1 AND user_id = $2", id.0, user.0)
            .fetch_optional(&mut *tx)
            .await?;
    if before == Some(is_like) {
        sqlx::query!("DELETE FROM comment_likes WHERE comment_id = $1 AND user_id = $2", id.0, user.0)
            .execute(&mut *tx)
            .await?;
    } else {
        sqlx::query!(
            "INSERT INTO comment_likes (comment_id, user_id, is_like, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (comment_id, user_id) DO UPDATE SET is_like = excluded.is_like, created_at = excluded.created_at",
            id.0,
            user.0,
            is_like,
            now,
        )
        .execute(&mut *tx)
        .await?;
    }
    let after = (before != Some(is_like)).then_some(is_like);
    let change = |which: bool| i64::from(after == Some(which)) - i64::from(before == Some(which));
    sqlx::query!(
        "UPDATE comments SET like_count = like_count + $2, dislike_count = dislike_count + $3 WHERE id = $1",
        id.0,
        change(true),
        change(false),
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}
