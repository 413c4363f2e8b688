//! The versions of mini apps.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use verdigraph_core::ids::WorkflowApiId;
use verdigraph_core::{Core, mini_apps};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::mini_apps::AppVersionView;

#[derive(OpenApi)]
#[openapi(paths(versions))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/general/workflow-api/{id}/version").get(versions));
}

/// The versions of one of the caller's mini apps, newest first
///
/// Each save makes one. Admins read those of all mini apps.
#[openapi::path(get, path = "/api/general/workflow-api/{id}/version", tag = "mini apps",
    params(("id" = Uuid, Path), CursorQuery), responses((status = 200, body = Cursor<AppVersionView>)))]
async fn versions(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowApiId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<AppVersionView>>> {
    let (workflow, page) = mini_apps::saved_versions(&core, &caller, *id, query.page()?).await?;
    let view = |version| AppVersionView::new(*id, &workflow, version);
    Ok(Json(Cursor { items: page.items.iter().map(view).collect(), next_cursor: page.next_cursor }))
}
