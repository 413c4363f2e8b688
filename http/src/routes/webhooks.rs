//! Webhooks: targets, attempts, and sending again.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use verdigraph_core::Core;
use verdigraph_core::ids::{WebhookAttemptId, WebhookConfigId, WorkflowApiId};
use verdigraph_core::webhooks::{self, ConfigChange, KINDS, NewConfig};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Items;
use crate::views::webhooks::{
    MorePages, WebhookConfigView, WebhookEventView, WebhookGroupView, WebhookHistoryPage, WebhookHistoryView,
    WebhookResentView, WebhookSecretView,
};
use crate::views::words::WebhookEventWord;

#[derive(OpenApi)]
#[openapi(paths(
    kinds,
    of_account,
    create_of_account,
    of_app,
    create_of_app,
    update,
    delete,
    new_secret,
    enable,
    test,
    resend_failed,
    resend,
    history
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/webhook-event").get(kinds))
        .service(web::resource("/general/webhook-config").get(of_account).post(create_of_account))
        .service(web::resource("/general/webhook-config/resend/workflowHistory/{historyId}").post(resend))
        .service(
            web::resource("/general/webhook-config/{id}").get(of_app).post(create_of_app).patch(update).delete(delete),
        )
        .service(web::resource("/general/webhook-config/{configId}/secret").post(new_secret))
        .service(web::resource("/general/webhook-config/{configId}/enable").post(enable))
        .service(web::resource("/general/webhook-config/{configId}/test").post(test))
        .service(web::resource("/general/webhook-config/{configId}/resend-failed").post(resend_failed))
        .service(web::resource("/general/webhook-history/{configId}").get(history));
}

/// Attempts per page by default.
const PAGE: i32 = 5;

/// The events that a webhook can receive
#[openapi::path(get, path = "/api/general/webhook-event", tag = "webhooks",
    responses((status = 200, body = Items<WebhookEventView>)))]
async fn kinds(caller: Caller) -> Result<Json<Items<WebhookEventView>>> {
    caller.signed_in()?;
    Ok(Json(Items { items: KINDS.into_iter().map(WebhookEventView::from).collect() }))
}

/// A new webhook. Both names of the events field are accepted. Missing fields are refused as empty ones, all at once.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WebhookBody {
    #[schema(min_length = 1, max_length = 100, required = true)]
    name: String,
    /// https (recommended), http or ftp. By ftp each event becomes a file `{messageId}.json` in the folder.
    #[schema(max_length = 2000, required = true)]
    webhook_url: String,
    /// Event ids, such as `job.done`.
    #[serde(alias = "webhookEvents")]
    #[schema(min_items = 1, max_items = 100, value_type = Vec<WebhookEventWord>, required = true)]
    webhook_event_ids: Vec<String>,
}

impl From<WebhookBody> for NewConfig {
    fn from(body: WebhookBody) -> Self {
        Self { name: body.name, url: body.webhook_url, kinds: body.webhook_event_ids }
    }
}

/// Changes to a webhook; missing fields stay unchanged. Both names of the events field are accepted.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WebhookChangeBody {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    #[schema(max_length = 2000)]
    webhook_url: Option<String>,
    /// Event ids, such as `job.done`.
    #[serde(alias = "webhookEventIds")]
    #[schema(min_items = 1, max_items = 100, value_type = Option<Vec<WebhookEventWord>>)]
    webhook_events: Option<Vec<String>>,
}

async fn list(core: &Core, caller: &Caller, app: Option<WorkflowApiId>) -> Result<Json<Items<WebhookConfigView>>> {
    let configs = webhooks::configs(core, caller, app).await?;
    Ok(Json(Items { items: configs.into_iter().map(WebhookConfigView::from).collect() }))
}

async fn create(core: &Core, caller: &Caller, app: Option<WorkflowApiId>, body: WebhookBody) -> Result<HttpResponse> {
    let (config, secret) = webhooks::create(core, caller, app, body.into()).await?;
    Ok(HttpResponse::Created().json(WebhookConfigView { secret: Some(secret), ..config.into() }))
}

/// The caller's webhooks for all jobs of their account
#[openapi::path(get, path = "/api/general/webhook-config", tag = "webhooks",
    responses((status = 200, body = Items<WebhookConfigView>)))]
async fn of_account(core: Data<Core>, caller: Caller) -> Result<Json<Items<WebhookConfigView>>> {
    list(&core, &caller, None).await
}

/// Creates a webhook for all jobs of the caller's account
///
/// Messages are signed as in Standard Webhooks, by the `secret` of this response, which is shown only once. Each is
/// delivered at least once, in order within a job, with at most ten attempts over a day. 2xx is success, 410 disables
/// the webhook, and `Retry-After` is respected.
#[openapi::path(post, path = "/api/general/webhook-config", tag = "webhooks", request_body = WebhookBody,
    responses((status = 201, body = WebhookConfigView),
    (status = 422, description = "WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT")))]
async fn create_of_account(core: Data<Core>, caller: Caller, Body(body): Body<WebhookBody>) -> Result<HttpResponse> {
    create(&core, &caller, None, body).await
}

/// The webhooks of one of the caller's workflow APIs; `id` is the workflow API's
#[openapi::path(get, path = "/api/general/webhook-config/{id}", tag = "webhooks", params(("id" = Uuid, Path)),
    responses((status = 200, body = Items<WebhookConfigView>)))]
async fn of_app(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<Json<Items<WebhookConfigView>>> {
    list(&core, &caller, Some(*id)).await
}

/// Creates a webhook for the caller's jobs of one of their workflow APIs; `id` is the workflow API's
///
/// Otherwise as the webhooks of the account.
#[openapi::path(post, path = "/api/general/webhook-config/{id}", tag = "webhooks", params(("id" = Uuid, Path)),
    request_body = WebhookBody, responses((status = 201, body = WebhookConfigView),
    (status = 422, description = "WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT")))]
async fn create_of_app(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowApiId>,
    Body(body): Body<WebhookBody>,
) -> Result<HttpResponse> {
    create(&core, &caller, Some(*id), body).await
}

/// Changes one of the caller's webhooks; `id` is the webhook's
#[openapi::path(patch, path = "/api/general/webhook-config/{id}", tag = "webhooks", params(("id" = Uuid, Path)),
    request_body = WebhookChangeBody, responses((status = 200, body = WebhookConfigView),
    (status = 422, description = "WEBHOOK_URL_REFUSED")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<WebhookConfigId>,
    Body(body): Body<WebhookChangeBody>,
) -> Result<Json<WebhookConfigView>> {
    let change = ConfigChange { name: body.name, url: body.webhook_url, kinds: body.webhook_events };
    Ok(Json(webhooks::update(&core, &caller, *id, change).await?.into()))
}

/// Deletes one of the caller's webhooks with its history; `id` is the webhook's
#[openapi::path(delete, path = "/api/general/webhook-config/{id}", tag = "webhooks", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<WebhookConfigId>) -> Result<HttpResponse> {
    webhooks::delete(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Creates a new secret; the previous one signs too for a day
///
/// This holds for each of up to five secrets that are replaced within a day.
#[openapi::path(post, path = "/api/general/webhook-config/{configId}/secret", tag = "webhooks",
    params(("configId" = Uuid, Path)), responses((status = 200, body = WebhookSecretView)))]
async fn new_secret(core: Data<Core>, caller: Caller, id: Path<WebhookConfigId>) -> Result<Json<WebhookSecretView>> {
    let made = webhooks::new_secret(&core, &caller, *id).await?;
    Ok(Json(WebhookSecretView { secret: made.secret, old_until: made.old_until }))
}

/// Enables a disabled webhook
#[openapi::path(post, path = "/api/general/webhook-config/{configId}/enable", tag = "webhooks",
    params(("configId" = Uuid, Path)), responses((status = 200, body = WebhookConfigView)))]
async fn enable(core: Data<Core>, caller: Caller, id: Path<WebhookConfigId>) -> Result<Json<WebhookConfigView>> {
    Ok(Json(webhooks::enable(&core, &caller, *id).await?.into()))
}

/// Sends a test event to one of the caller's webhooks; at most 60 an hour
#[openapi::path(post, path = "/api/general/webhook-config/{configId}/test", tag = "webhooks",
    params(("configId" = Uuid, Path)), responses((status = 202, body = WebhookGroupView),
    (status = 422, description = "WEBHOOK_DISABLED")))]
async fn test(core: Data<Core>, caller: Caller, id: Path<WebhookConfigId>) -> Result<HttpResponse> {
    let group_id = webhooks::test(&core, &caller, *id).await?;
    Ok(HttpResponse::Accepted().json(WebhookGroupView { group_id }))
}

/// The start of a period.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResendBody {
    /// Events that were given up since then, whenever they were first sent.
    since: DateTime<Utc>,
}

/// Sends all given-up events of a webhook again, up to 10,000
#[openapi::path(post, path = "/api/general/webhook-config/{configId}/resend-failed", tag = "webhooks",
    params(("configId" = Uuid, Path)), request_body = ResendBody, responses((status = 200, body = WebhookResentView),
    (status = 422, description = "WEBHOOK_DISABLED")))]
async fn resend_failed(
    core: Data<Core>,
    caller: Caller,
    id: Path<WebhookConfigId>,
    Body(body): Body<ResendBody>,
) -> Result<Json<WebhookResentView>> {
    Ok(Json(WebhookResentView { count: webhooks::resend_failed(&core, &caller, *id, body.since).await? }))
}

/// Sends the event of an attempt once more, unless it was sent ten times
#[openapi::path(post, path = "/api/general/webhook-config/resend/workflowHistory/{historyId}", tag = "webhooks",
    params(("historyId" = Uuid, Path)), responses((status = 202, body = WebhookGroupView),
    (status = 422, description = "WEBHOOK_ATTEMPTS, WEBHOOK_DISABLED")))]
async fn resend(core: Data<Core>, caller: Caller, id: Path<WebhookAttemptId>) -> Result<HttpResponse> {
    let group_id = webhooks::resend(&core, &caller, *id).await?;
    Ok(HttpResponse::Accepted().json(WebhookGroupView { group_id }))
}

/// A page of the history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WebhookHistoryQuery {
    /// The page number, from 1 (the default).
    #[param(minimum = 1, maximum = 10000)]
    page: Option<i32>,
    /// 1 to 100; 5 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i32>,
    /// An exact match: a job, a `groupId`, an event's id or name, `Success`, `Failed`, or a status.
    #[param(max_length = 200)]
    search: Option<String>,
}

/// Attempts of one of the caller's webhooks, the latest first
#[openapi::path(get, path = "/api/general/webhook-history/{configId}", tag = "webhooks",
    params(("configId" = Uuid, Path), WebhookHistoryQuery), responses((status = 200, body = WebhookHistoryPage)))]
async fn history(
    core: Data<Core>,
    caller: Caller,
    id: Path<WebhookConfigId>,
    query: Query<WebhookHistoryQuery>,
) -> Result<Json<WebhookHistoryPage>> {
    let (number, limit) = (query.page.unwrap_or(1), query.limit.unwrap_or(PAGE));
    let place = (i64::from(number), i64::from(limit));
    let page = webhooks::history(&core, &caller, *id, place, query.search.as_deref()).await?;
    Ok(Json(WebhookHistoryPage {
        data: page.items.into_iter().map(WebhookHistoryView::from).collect(),
        pagination: MorePages { page: number, has_more: page.next_cursor.is_some() },
    }))
}
