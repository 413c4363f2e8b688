//! Workers, for operators.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::fleet::{self, Change, NewWorker};
use verdigraph_core::ids::WorkerId;
use verdigraph_core::{Core, jobs};

use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::views::Items;
use crate::views::workers::WorkerView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, add, drain, pause, resume, refresh, remove))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/worker").get(list).post(add))
        .service(web::resource("/admin/worker/{id}").delete(remove))
        .service(web::resource("/admin/worker/{id}/drain").post(drain))
        .service(web::resource("/admin/worker/{id}/pause").post(pause))
        .service(web::resource("/admin/worker/{id}/resume").post(resume))
        .service(web::resource("/admin/worker/{id}/refresh").post(refresh));
}

/// Every worker and what it does
#[described::path(get, path = "/api/admin/worker", tag = "admin", responses(
    (status = 200, body = Items<WorkerView>), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<WorkerView>>> {
    let items = jobs::workers(&core, &caller).await?.into_iter().map(WorkerView::from).collect();
    Ok(Json(Items { items }))
}

/// A worker to connect to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerBody {
    /// Of this name there is one; adding it again changes its address and pool.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// The ComfyUI server's base address.
    #[schema(example = "http://10.0.0.5:8188", max_length = 300)]
    url: String,
    /// A pool of the configuration.
    #[schema(max_length = 60)]
    pool: String,
}

/// Connects to a worker
#[described::path(post, path = "/api/admin/worker", tag = "admin", request_body = WorkerBody, responses(
    (status = 201, body = WorkerView), (status = 400, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "Also SESSION_REQUIRED, for an API key"),
    (status = 422, body = ErrorBody, description = "WORKER_ADDRESS_TAKEN: a worker of another name has the address; \
     WORKER_ADDRESS_CREDENTIALS: a user or a password stands in it")
))]
async fn add(core: Data<Core>, caller: Caller, Body(body): Body<WorkerBody>) -> Result<HttpResponse> {
    let WorkerBody { name, url, pool } = body;
    let worker = fleet::add(&core, &caller, NewWorker { name, url, pool, home: None }).await?;
    Ok(HttpResponse::Created().json(WorkerView::from(worker)))
}

/// Lets a worker finish what it runs, then gives it nothing more
#[described::path(post, path = "/api/admin/worker/{id}/drain", tag = "admin", params(("id" = Uuid, Path)), responses(
    (status = 200, body = Items<WorkerView>), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn drain(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, Change::Drain).await
}

/// Keeps a worker out of work, also after a restart
#[described::path(post, path = "/api/admin/worker/{id}/pause", tag = "admin", params(("id" = Uuid, Path)), responses(
    (status = 200, body = Items<WorkerView>), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn pause(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, Change::Pause).await
}

/// Takes a drained or paused worker back into work
#[described::path(post, path = "/api/admin/worker/{id}/resume", tag = "admin", params(("id" = Uuid, Path)), responses(
    (status = 200, body = Items<WorkerView>), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn resume(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, Change::Resume).await
}

/// Asks a worker again which nodes and models it has; it is asked every few minutes anyway
#[described::path(post, path = "/api/admin/worker/{id}/refresh", tag = "admin", params(("id" = Uuid, Path)), responses(
    (status = 200, body = WorkerView), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 503, body = ErrorBody, description = "It does not answer in time")
))]
async fn refresh(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<WorkerView>> {
    Ok(Json(fleet::refresh(&core, &caller, *id).await?.into()))
}

/// Disconnects a worker for good; its running job is tried elsewhere
#[described::path(delete, path = "/api/admin/worker/{id}", tag = "admin", params(("id" = Uuid, Path)), responses(
    (status = 204), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn remove(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<HttpResponse> {
    fleet::change(&core, &caller, *id, Change::Remove).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn changed(core: &Core, caller: Caller, id: WorkerId, change: Change) -> Result<Json<Items<WorkerView>>> {
    fleet::change(core, &caller, id, change).await?;
    let items = jobs::workers(core, &caller).await?.into_iter().map(WorkerView::from).collect();
    Ok(Json(Items { items }))
}
