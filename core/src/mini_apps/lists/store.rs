//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be null. The anchor
//! repeats one of them without the null case, so that the statement is planned for its index.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use sqlx::types::Json;
use uuid::Uuid;

use super::filter::MiniAppFilter;
use crate::filter::{Anchor, ReadScope, uuids};
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::list::{AgeOrder, Keyset};
use crate::mini_apps::form::entries::{Inputs, Outputs};
use crate::mini_apps::form::field::Field;
use crate::mini_apps::store::App;
use crate::periods::{self, Periods};

/// `SELECT` of the mini apps that match: its columns, the anchor, and the rest of the statement.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        sqlx::query!(
            "SELECT " + $what + " FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
             WHERE a.deleted_at IS NULL AND w.deleted_at IS NULL AND " + $anchor + "
               AND ($1::bool OR NOT w.is_private OR w.user_id = $2)
               AND (cardinality($3::uuid[]) = 0 OR a.id = ANY($3))
               AND (cardinality($4::uuid[]) = 0 OR a.workflow_id = ANY($4))
               AND ($5::uuid IS NULL OR w.user_id = $5) AND ($6::bool IS NULL OR w.is_private = $6)
               AND ($7::bool IS NULL OR w.is_nsfw = $7) AND ($8::timestamptz IS NULL OR a.created_at >= $8)
               AND ($9::timestamptz IS NULL OR a.created_at < $9)" + $rest,
            $scope.is_admin,
            $scope.viewer.map(|user| user.0),
            &uuids($filter.ids.as_ref()),
            &uuids($filter.workflows.as_ref()),
            $scope.owner.map(|user| user.0),
            $filter.is_private,
            $filter.is_nsfw,
            $filter.created.from,
            $filter.created.until,
            $($more),*
        )
    };
}

/// The statement for the anchor, with its rows mapped.
macro_rules! anchored {
    ($db:expr, $row:expr, $what:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        match $scope.anchor {
            Anchor::Ids if $filter.ids.is_some() => {
                filtered!($what, "a.id = ANY($3)", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Ids => {
                filtered!($what, "a.workflow_id = ANY($4)", $rest, $scope, $filter $(, $more)*)
                    .map($row)
                    .fetch_all($db)
                    .await
            }
            Anchor::Owner => {
                filtered!($what, "w.user_id = $5", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Public => {
                filtered!($what, "NOT w.is_private", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::All => filtered!($what, "true", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await,
        }
    };
}

pub(in crate::mini_apps) async fn list(
    db: &PgPool,
    scope: &ReadScope,
    filter: &MiniAppFilter,
    keyset: Keyset<AgeOrder>,
) -> sqlx::Result<Vec<App>> {
    let Keyset { sort, after, skip, limit } = keyset;
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
                scope,
                filter,
                skip,
                limit,
                after.id
            )
        };
    }
    match sort {
        AgeOrder::Newest => page!(" AND a.id < $12 ORDER BY a.id DESC OFFSET $10 LIMIT $11"),
        AgeOrder::Oldest => page!(" AND a.id > $12 ORDER BY a.id OFFSET $10 LIMIT $11"),
    }
}

/// Counts up to `most`.
pub(in crate::mini_apps) async fn count(
    db: &PgPool,
    scope: &ReadScope,
    filter: &MiniAppFilter,
    most: i64,
) -> sqlx::Result<i64> {
    let found = anchored!(
        db,
        |row| row.count,
        "count(*) AS \"count!\" FROM (SELECT 1 AS one",
        " LIMIT $10) counted",
        scope,
        filter,
        most
    )?;
    Ok(found.into_iter().sum())
}

/// The parts of a version that lists show.
pub(in crate::mini_apps) struct Shape {
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub fields: Vec<Field>,
}

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

/// Counts by the start of each period, of one owner or of all.
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

/// Counts of those on published workflows by the start of each period.
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
