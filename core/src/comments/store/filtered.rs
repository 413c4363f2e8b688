//! SQL of filters: one statement for each thing that comments are read by, and order. Every condition is a parameter that
//! may be left open; the one that they are read by stands there twice, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::super::comment::{Comment, Post};
use super::super::filter::Filter;
use super::Row;
use crate::filter::Order;
use crate::ids::{CommentId, UserId};
use crate::periods::{self, Periods};

/// A filter as parameters.
struct Parameters<'a> {
    filter: &'a Filter,
    ids: Vec<Uuid>,
    workflow: Option<Uuid>,
    output_asset: Option<Uuid>,
}

/// What comments are read by.
enum Anchor {
    Ids,
    Parent,
    Workflow,
    OutputAsset,
    Author,
    All,
}

impl<'a> Parameters<'a> {
    fn of(filter: &'a Filter) -> Self {
        let (workflow, output_asset) = match filter.post {
            Some(Post::Workflow(id)) => (Some(id.0), None),
            Some(Post::OutputAsset(id)) => (None, Some(id.0)),
            None => (None, None),
        };
        Self { filter, ids: filter.ids.iter().flatten().map(|id| id.0).collect(), workflow, output_asset }
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

/// What a filter finds: what is read of it, the join that this needs, the anchor, and what comes behind.
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

/// One page: after which, after how many, and how many; with what `asker` thinks of each.
pub(in super::super) async fn list(
    db: &PgPool,
    filter: &Filter,
    (order, after): (Order, CommentId),
    (skip, limit): (i64, i64),
    asker: Option<UserId>,
) -> sqlx::Result<Vec<Comment>> {
    let of = Parameters::of(filter);
    let asker = asker.map(|user| user.0);
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
                after.0,
                asker
            )
        };
    }
    let rows = match order {
        Order::Newest => page!(" AND c.id < $11 ORDER BY c.id DESC OFFSET $9 LIMIT $10"),
        Order::Oldest => page!(" AND c.id > $11 ORDER BY c.id OFFSET $9 LIMIT $10"),
    }?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// How many, up to `most`.
pub(in super::super) async fn count(db: &PgPool, filter: &Filter, most: i64) -> sqlx::Result<i64> {
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

/// How many were written in each period, by its first moment; by somebody, or by everybody.
pub(in super::super) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM comments WHERE deleted_at IS NULL", owner, periods)
}

/// How many that nobody has hidden were written in each period, by its first moment.
pub(in super::super) async fn public_counts(db: &PgPool, periods: &Periods) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM comments WHERE deleted_at IS NULL AND hidden_at IS NULL", periods, "")
}
