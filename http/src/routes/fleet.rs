//! Workers, for admins.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::fleet::{self, NewWorker, WorkerAction};
use verdigraph_core::ids::WorkerId;
use verdigraph_core::{Core, jobs};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::Items;
use crate::views::fleet::WorkerView;

#[derive(OpenApi)]
#[openapi(paths(list, add, drain, pause, resume, refresh, remove))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/worker").get(list).post(add))
        .service(web::resource("/admin/worker/{id}").delete(remove))
        .service(web::resource("/admin/worker/{id}/drain").post(drain))
        .service(web::resource("/admin/worker/{id}/pause").post(pause))
        .service(web::resource("/admin/worker/{id}/resume").post(resume))
        .service(web::resource("/admin/worker/{id}/refresh").post(refresh));
}

/// All workers and their states
#[openapi::path(get, path = "/api/admin/worker", tag = "admin", responses((status = 200, body = Items<WorkerView>)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<Items<WorkerView>>> {
    let items = jobs::workers(&core, &caller).await?.into_iter().map(WorkerView::from).collect();
    Ok(Json(Items { items }))
}

/// A worker to connect to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerBody {
    /// A unique name; adding it again changes the worker's address and pool.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// The ComfyUI server's base address.
    #[schema(example = "http://10.0.0.5:8188", max_length = 300)]
    url: String,
    /// A configured pool.
    #[schema(max_length = 60)]
    pool: String,
}

/// Connects to a worker
#[openapi::path(post, path = "/api/admin/worker", tag = "admin", request_body = WorkerBody,
    responses((status = 201, body = WorkerView),
    (status = 403, description = "FORBIDDEN, or SESSION_REQUIRED for an API key"),
    (status = 422, description = "WORKER_ADDRESS_TAKEN: a worker of another name has the address; \
     WORKER_ADDRESS_CREDENTIALS: a user or a password stands in it")))]
async fn add(core: Data<Core>, caller: Caller, Body(body): Body<WorkerBody>) -> Result<HttpResponse> {
    let WorkerBody { name, url, pool } = body;
    let worker = fleet::add(&core, &caller, NewWorker { name, url, pool, home: None }).await?;
    Ok(HttpResponse::Created().json(WorkerView::from(worker)))
}

/// Lets a worker finish its job, then gives it no more
#[openapi::path(post, path = "/api/admin/worker/{id}/drain", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 200, body = Items<WorkerView>)))]
async fn drain(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, WorkerAction::Drain).await
}

/// Takes a worker out of service, also after a restart
#[openapi::path(post, path = "/api/admin/worker/{id}/pause", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 200, body = Items<WorkerView>)))]
async fn pause(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, WorkerAction::Pause).await
}

/// Puts a drained or paused worker back into service
#[openapi::path(post, path = "/api/admin/worker/{id}/resume", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 200, body = Items<WorkerView>)))]
async fn resume(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<Items<WorkerView>>> {
    changed(&core, caller, *id, WorkerAction::Resume).await
}

/// Reads a worker's nodes and models again, which otherwise happens every few minutes
#[openapi::path(post, path = "/api/admin/worker/{id}/refresh", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkerView), (status = 503, description = "The worker does not answer in time")))]
async fn refresh(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<Json<WorkerView>> {
    Ok(Json(fleet::refresh(&core, &caller, *id).await?.into()))
}

/// Removes a worker; its running job is retried elsewhere
#[openapi::path(delete, path = "/api/admin/worker/{id}", tag = "admin", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn remove(core: Data<Core>, caller: Caller, id: Path<WorkerId>) -> Result<HttpResponse> {
    fleet::change(&core, &caller, *id, WorkerAction::Remove).await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn changed(core: &Core, caller: Caller, id: WorkerId, change: WorkerAction) -> Result<Json<Items<WorkerView>>> {
    fleet::change(core, &caller, id, change).await?;
    let items = jobs::workers(core, &caller).await?.into_iter().map(WorkerView::from).collect();
    Ok(Json(Items { items }))
}
