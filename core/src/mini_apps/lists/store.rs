//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be left open; the
//! anchor's stands there twice, so that the statement is planned for its index.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use sqlx::types::Json;
use uuid::Uuid;

use super::filter::Filter;
use crate::filter::{Anchor, Order, Reach};
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::mini_apps::form::entries::{Inputs, Outputs};
use crate::mini_apps::form::field::Field;
use crate::mini_apps::store::App;
use crate::periods::{self, Periods};

/// A filter as parameters.
struct Parameters<'a> {
    reach: &'a Reach,
    filter: &'a Filter,
    ids: Vec<Uuid>,
    workflows: Vec<Uuid>,
}

impl<'a> Parameters<'a> {
    fn of(reach: &'a Reach, filter: &'a Filter) -> Self {
        let ids = filter.ids.iter().flatten().map(|id| id.0).collect();
        let workflows = filter.workflows.iter().flatten().map(|id| id.0).collect();
        Self { reach, filter, ids, workflows }
    }
}

/// `SELECT` of what a filter reaches. What stands before it, the anchor, and what comes behind.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        sqlx::query!(
            "SELECT " + $what + " FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
             WHERE a.deleted_at IS NULL AND w.deleted_at IS NULL AND " + $anchor + "
               AND ($1::bool OR NOT w.is_private OR w.user_id = $2)
               AND (cardinality($3::uuid[]) = 0 OR a.id = ANY($3))
               AND (cardinality($4::uuid[]) = 0 OR a.workflow_id = ANY($4))
               AND ($5::uuid IS NULL OR w.user_id = $5) AND ($6::bool IS NULL OR w.is_private = $6)
               AND ($7::bool IS NULL OR w.is_nsfw = $7) AND ($8::timestamptz IS NULL OR a.created_at >= $8)
               AND ($9::timestamptz IS NULL OR a.created_at < $9)" + $rest,
            $of.reach.is_admin,
            $of.reach.viewer.map(|user| user.0),
            &$of.ids,
            &$of.workflows,
            $of.reach.owner.map(|user| user.0),
            $of.filter.is_private,
            $of.filter.is_nsfw,
            $of.filter.created.from,
            $of.filter.created.until,
            $($more),*
        )
    };
}

/// The statement for the anchor, and its rows as they are wanted.
macro_rules! anchored {
    ($db:expr, $row:expr, $what:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        match $of.reach.anchor {
            Anchor::Ids if $of.filter.ids.is_some() => {
                filtered!($what, "a.id = ANY($3)", $rest, $of $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Ids => {
                filtered!($what, "a.workflow_id = ANY($4)", $rest, $of $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Owner => filtered!($what, "w.user_id = $5", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
            Anchor::Public => filtered!($what, "NOT w.is_private", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
            Anchor::All => filtered!($what, "true", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
        }
    };
}

/// One page: beyond which id, after how many, and how many.
pub(in crate::mini_apps) async fn list(
    db: &PgPool,
    reach: &Reach,
    filter: &Filter,
    (order, after): (Order, Uuid),
    (skip, limit): (i64, i64),
) -> sqlx::Result<Vec<App>> {
    let of = Parameters::of(reach, filter);
    macro_rules! page {
        ($rest:literal) => {
            anchored!(
                db,
                |row| App {
                    id: WorkflowApiId(row.id),
                    workflow: WorkflowId(row.workflow_id),
                    current: WorkflowApiVersionId(row.current_version_id),
                    created_at: row.created_at,
                    updated_at: row.updated_at,
                },
                "a.id, a.workflow_id, a.current_version_id, a.created_at, a.updated_at",
                $rest,
                of,
                skip,
                limit,
                after
            )
        };
    }
    match order {
        Order::Newest => page!(" AND a.id < $12 ORDER BY a.id DESC OFFSET $10 LIMIT $11"),
        Order::Oldest => page!(" AND a.id > $12 ORDER BY a.id OFFSET $10 LIMIT $11"),
    }
}

/// How many, up to `most`.
pub(in crate::mini_apps) async fn count(db: &PgPool, reach: &Reach, filter: &Filter, most: i64) -> sqlx::Result<i64> {
    let of = Parameters::of(reach, filter);
    let found = anchored!(
        db,
        |row| row.count,
        "count(*) AS \"count!\" FROM (SELECT 1 AS one",
        " LIMIT $10) counted",
        of,
        most
    )?;
    Ok(found.into_iter().sum())
}

/// What a list shows of a version.
pub(in crate::mini_apps) struct Shape {
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub fields: Vec<Field>,
}

/// The entries and the fields of versions.
pub(in crate::mini_apps) async fn shapes(
    db: &PgPool,
    versions: &[Uuid],
) -> sqlx::Result<HashMap<WorkflowApiVersionId, Shape>> {
    let rows = sqlx::query!(
        r#"SELECT id, inputs AS "inputs: Json<Inputs>", outputs AS "outputs: Json<Outputs>",
                  fields AS "fields: Json<Vec<Field>>"
           FROM workflow_api_versions WHERE id = ANY($1)"#,
        versions,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let shape = Shape { inputs: row.inputs.0, outputs: row.outputs.0, fields: row.fields.0 };
            (WorkflowApiVersionId(row.id), shape)
        })
        .collect())
}

/// How many were made in each period, by its first moment; somebody's, or everybody's.
pub(in crate::mini_apps) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(
        db,
        "FROM workflow_apis a WHERE deleted_at IS NULL
         AND EXISTS (SELECT FROM workflows w WHERE w.id = a.workflow_id AND w.deleted_at IS NULL)",
        owner,
        periods
    )
}

/// How many of those that everybody can see were made in each period, by its first moment.
pub(in crate::mini_apps) async fn public_counts(
    db: &PgPool,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(
        @ db,
        "FROM workflow_apis a WHERE deleted_at IS NULL
         AND EXISTS (SELECT FROM workflows w WHERE w.id = a.workflow_id AND w.deleted_at IS NULL AND NOT w.is_private)",
        periods,
        ""
    )
}
