//! Background tasks, for admins.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use verdigraph_core::{Core, upkeep};

use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi};
use crate::views::Items;
use crate::views::upkeep::UpkeepTaskView;

#[derive(OpenApi)]
#[openapi(paths(list, run))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/upkeep").get(list))
        .service(web::resource("/admin/upkeep/{name}/run").post(run));
}

/// All background tasks, and their last runs
#[openapi::path(get, path = "/api/admin/upkeep", tag = "admin",
    responses((status = 200, body = Items<UpkeepTaskView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<UpkeepTaskView>>> {
    let items = upkeep::list(&core, &caller).await?.into_iter().map(UpkeepTaskView::from).collect();
    Ok(Json(Items { items }))
}

/// Runs a task now; if it is running, once more after that
#[openapi::path(post, path = "/api/admin/upkeep/{name}/run", tag = "admin",
    params(("name" = String, Path, max_length = 60, example = "orphaned_files")),
    responses((status = 200, body = UpkeepTaskView)))]
async fn run(core: Data<Core>, caller: Caller, name: Path<String>) -> Result<Json<UpkeepTaskView>> {
    Ok(Json(upkeep::run_now(&core, &caller, &name).await?.into()))
}
