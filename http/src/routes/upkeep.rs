//! What is looked after in the background, for operators.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use verdigraph_core::{Core, upkeep};

use crate::caller::Caller;
use crate::described::{self, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::views::Items;
use crate::views::upkeep::UpkeepTaskView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, run))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/upkeep").get(list))
        .service(web::resource("/admin/upkeep/{name}/run").post(run));
}

/// Every task that is done in the background, and how its last round went
#[described::path(get, path = "/api/admin/upkeep", tag = "admin", responses(
    (status = 200, body = Items<UpkeepTaskView>), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<UpkeepTaskView>>> {
    let items = upkeep::list(&core, &caller).await?.into_iter().map(UpkeepTaskView::from).collect();
    Ok(Json(Items { items }))
}

/// Has a task done now, before it is due; where it is being done, once more after that
#[described::path(post, path = "/api/admin/upkeep/{name}/run", tag = "admin",
    params(("name" = String, Path, max_length = 60, example = "orphaned_files")), responses(
    (status = 200, body = UpkeepTaskView), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn run(core: Data<Core>, caller: Caller, name: Path<String>) -> Result<Json<UpkeepTaskView>> {
    Ok(Json(upkeep::run_now(&core, &caller, &name).await?.into()))
}
