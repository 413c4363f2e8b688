//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be null. The anchor
//! repeats one of them without the null case, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::super::comment::{Comment, Post};
use super::super::filter::CommentFilter;
use super::Row;
use crate::filter::uuids;
use crate::ids::UserId;
use crate::list::{AgeOrder, Keyset};
use crate::periods::{self, Periods};

/// A filter as parameters.
struct Parameters<'a> {
    filter: &'a CommentFilter,
    ids: Vec<Uuid>,
    workflow: Option<Uuid>,
    output_asset: Option<Uuid>,
}

/// The condition whose index a statement reads.
enum Anchor {
    Ids,
    Parent,
    Workflow,
    OutputAsset,
    Author,
    All,
}

impl<'a> Parameters<'a> {
    fn of(filter: &'a CommentFilter) -> Self {
        let (workflow, output_asset) = match filter.post {
            Some(Post::Workflow(id)) => (Some(id.0), None),
            Some(Post::OutputAsset(id)) => (None, Some(id.0)),
            None => (None, None),
        };
        Self { filter, ids: uuids(filter.ids.as_ref()), workflow, output_asset }
    }

    fn anchor(&self) -> Anchor {
        match self {
            _ if !self.ids.is_empty() => Anchor::Ids,
            _ if self.filter.parent.is_some() => Anchor::Parent,
            _ if self.workflow.is_some() => Anchor::Workflow,
            _ if self.output_asset.is_some() => Anchor::OutputAsset,
            _ if self.filter.user.is_some() => Anchor::Author,
            _ => Anchor::All,
        }
    }
}

/// `SELECT` of the comments that match: its columns, the join that these need, the anchor, and the rest of the
/// statement.
macro_rules! filtered {
    ($query:ident!($($row:ident,)? $what:literal, $join:literal), $anchor:literal, $rest:literal, $of:expr, $($more:expr),*) => {
        sqlx::$query!(
            $($row,)?
            "SELECT " + $what + " FROM comments c " + $join + "
             WHERE c.deleted_at IS NULL AND " + $anchor + "
               AND (cardinality($1::uuid[]) = 0 OR c.id = ANY($1)) AND ($2::uuid IS NULL OR c.user_id = $2)
               AND ($3::uuid IS NULL OR (c.workflow_id = $3 AND c.parent_id IS NULL))
               AND ($4::uuid IS NULL OR (c.output_asset_id = $4 AND c.parent_id IS NULL))
               AND ($5::uuid IS NULL OR c.parent_id = $5) AND ($6::bool IS NULL OR (c.parent_id IS NOT NULL) = $6)
               AND ($7::timestamptz IS NULL OR c.created_at >= $7)
               AND ($8::timestamptz IS NULL OR c.created_at < $8)" + $rest,
            &$of.ids,
            $of.filter.user.map(|user| user.0),
            $of.workflow,
            $of.output_asset,
            $of.filter.parent.map(|parent| parent.0),
            $of.filter.is_answer,
            $of.filter.created.from,
            $of.filter.created.until,
            $($more),*
        )
    };
}

/// The statement for the anchor.
macro_rules! anchored {
    ($db:expr, $fetch:ident, $query:ident!($($part:tt)*), $rest:literal, $of:expr, $($more:expr),*) => {
        match $of.anchor() {
            Anchor::Ids => filtered!($query!($($part)*), "c.id = ANY($1)", $rest, $of, $($more),*).$fetch($db).await,
            Anchor::Parent => filtered!($query!($($part)*), "c.parent_id = $5", $rest, $of, $($more),*).$fetch($db).await,
            Anchor::Workflow => {
                filtered!($query!($($part)*), "c.workflow_id = $3 AND c.parent_id IS NULL", $rest, $of, $($more),*)
                    .$fetch($db)
                    .await
            }
            Anchor::OutputAsset => {
                filtered!($query!($($part)*), "c.output_asset_id = $4 AND c.parent_id IS NULL", $rest, $of, $($more),*)
                    .$fetch($db)
                    .await
            }
            Anchor::Author => filtered!($query!($($part)*), "c.user_id = $2", $rest, $of, $($more),*).$fetch($db).await,
            Anchor::All => filtered!($query!($($part)*), "true", $rest, $of, $($more),*).$fetch($db).await,
        }
    };
}

/// A page of comments, each with the reaction of `reader`.
pub(in super::super) async fn list(
    db: &PgPool,
    filter: &CommentFilter,
    keyset: Keyset<AgeOrder>,
    reader: Option<UserId>,
) -> sqlx::Result<Vec<Comment>> {
    let of = Parameters::of(filter);
    let reader = reader.map(|user| user.0);
    let Keyset { sort, after, skip, limit } = keyset;
    macro_rules! page {
        ($rest:literal) => {
            anchored!(
                db,
                fetch_all,
                query_as!(
                    Row,
                    "c.id, c.user_id, c.workflow_id, c.output_asset_id, c.parent_id, c.content, c.reply_count,
                     c.like_count, c.dislike_count, l.is_like AS \"is_like?\", c.created_at, c.edited_at,
                     c.hidden_at IS NOT NULL AS \"is_hidden!\"",
                    "LEFT JOIN comment_likes l ON l.comment_id = c.id AND l.user_id = $12"
                ),
                $rest,
                of,
                skip,
                limit,
                after.id,
                reader
            )
        };
    }
    let rows = match sort {
        AgeOrder::Newest => page!(" AND c.id < $11 ORDER BY c.id DESC OFFSET $9 LIMIT $10"),
        AgeOrder::Oldest => page!(" AND c.id > $11 ORDER BY c.id OFFSET $9 LIMIT $10"),
    }?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Counts up to `most`.
pub(in super::super) async fn count(db: &PgPool, filter: &CommentFilter, most: i64) -> sqlx::Result<i64> {
    let of = Parameters::of(filter);
    anchored!(
        db,
        fetch_one,
        query_scalar!("count(*) AS \"count!\" FROM (SELECT 1 AS one", ""),
        " LIMIT $9) counted",
        of,
        most
    )
}

/// Counts by the start of each period, of one author or of all.
pub(in super::super) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM comments WHERE deleted_at IS NULL", owner, periods)
}

/// Counts of comments that are not hidden by the start of each period.
pub(in super::super) async fn public_counts(db: &PgPool, periods: &Periods) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM comments WHERE deleted_at IS NULL AND hidden_at IS NULL", periods, "")
}
