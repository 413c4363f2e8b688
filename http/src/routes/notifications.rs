//! The notification box, admins' notices, and mail settings.

use actix_web::http::header::LOCATION;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
#[cfg(feature = "describe")]
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use uuid::Uuid;
use verdigraph_core::ids::{NoticeId, NotificationId};
use verdigraph_core::notifications::{self, NewNotice, NotificationOrder, NotificationSettings};
use verdigraph_core::{Core, Error, names};

use super::recovery::CodeBody;
use super::{CursorQuery, next_cursor};
use crate::box_events;
use crate::caller::{Caller, auth_watch};
use crate::edge::Edge;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::notifications as views;
use crate::query::Query;
use crate::views::notifications::{
    CheckedView, CountView, NoticeView, NotificationSettingsView, NotificationView, TypeCountView,
};
use crate::views::words::{NotificationKind, NotificationKindOrAll};
use crate::views::{Cursor, Items, Page, Pagination};

/// Notifications per page of the history.
const PAGE: i64 = 20;

#[derive(OpenApi)]
#[openapi(paths(
    list,
    history,
    count_all,
    count_type,
    check,
    check_all,
    events,
    settings,
    set_settings,
    unsubscribe,
    unsubscribe_at_once,
    ask_to_unsubscribe,
    publish_notice,
    notices,
    delete_notice
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/notification-box/list/{type}/{limit}").get(list))
        .service(web::resource("/general/notification-box/history").get(history))
        .service(web::resource("/general/notification-box/count-all").get(count_all))
        .service(web::resource("/general/notification-box/count-type").get(count_type))
        .service(web::resource("/general/notification-box/check").patch(check))
        .service(web::resource("/general/notification-box/check-all/{type}").patch(check_all))
        .service(web::resource("/general/notification-box/events").get(events))
        .service(web::resource("/general/notification-settings").get(settings).patch(set_settings))
        .service(web::resource("/public/unsubscribe").post(unsubscribe))
        .service(web::resource("/public/unsubscribe/one-click").get(ask_to_unsubscribe).post(unsubscribe_at_once))
        .service(web::resource("/admin/notice").get(notices).post(publish_notice))
        .service(web::resource("/admin/notice/{id}").delete(delete_notice));
}

/// `ALL` is every type.
fn kind(word: &str) -> std::result::Result<Option<notifications::NotificationKind>, Error> {
    if word == "ALL" { Ok(None) } else { word.parse().map(Some) }
}

/// The newest notifications of a type
///
/// The specification leaves the two parts of the path open: they are the type (or ALL) and how many, 1 to 100.
#[openapi::path(get, path = "/api/general/notification-box/list/{type}/{limit}", tag = "notifications",
    params(("type" = inline(NotificationKindOrAll), Path), ("limit" = i64, Path, minimum = 1, maximum = 100)),
    responses((status = 200, body = Items<NotificationView>)))]
async fn list(core: Data<Core>, caller: Caller, path: Path<(String, i64)>) -> Result<Json<Items<NotificationView>>> {
    let (word, limit) = path.into_inner();
    let page = notifications::page(&core, &caller, kind(&word)?, 0, limit, NotificationOrder::Newest).await?;
    Ok(Json(Items { items: views(&core, &caller, page.items).await? }))
}

/// A part of the history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS`, `OTHERS`, or `ALL`, which is the default.
    #[serde(rename = "type")]
    #[param(inline, value_type = Option<NotificationKindOrAll>)]
    kind: Option<String>,
    /// 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// How many to skip.
    #[param(minimum = 0, maximum = 2_147_483_647)]
    skip: Option<i32>,
    #[param(schema_with = direction)]
    sort: Option<i8>,
}

#[cfg(feature = "describe")]
fn direction() -> Object {
    let text = "-1 for the newest first, which is the default; 1 for the oldest.";
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([-1, 1])).description(Some(text)).build()
}

/// All notifications, in pages
#[openapi::path(get, path = "/api/general/notification-box/history", tag = "notifications", params(HistoryQuery),
    responses((status = 200, body = Page<NotificationView>)))]
async fn history(core: Data<Core>, caller: Caller, query: Query<HistoryQuery>) -> Result<Json<Page<NotificationView>>> {
    let kind = query.kind.as_deref().map(kind).transpose()?.flatten();
    let (limit, skip) = (query.limit.unwrap_or(PAGE), query.skip.map_or(0, i64::from));
    let order = match query.sort.unwrap_or(-1) {
        -1 => NotificationOrder::Newest,
        1 => NotificationOrder::Oldest,
        _ => return Err(Error::invalid("sort", "must be -1 or 1").into()),
    };
    let page = notifications::page(&core, &caller, kind, skip, limit, order).await?;
    let pagination = Pagination::new(skip / limit.max(1) + 1, limit, page.total);
    Ok(Json(Page { items: views(&core, &caller, page.items).await?, pagination }))
}

/// Unread notifications, in all and of each type
#[openapi::path(get, path = "/api/general/notification-box/count-all", tag = "notifications",
    responses((status = 200, body = CountView)))]
async fn count_all(core: Data<Core>, caller: Caller) -> Result<Json<CountView>> {
    Ok(Json(notifications::unread(&core, &caller).await?.into()))
}

/// The type to count.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CountQuery {
    /// A type, or `ALL`.
    #[serde(rename = "type")]
    #[param(inline, value_type = NotificationKindOrAll)]
    kind: String,
    /// Whether to return the number of pages too.
    #[serde(default)]
    pagination: bool,
}

/// Unread notifications of a type
#[openapi::path(get, path = "/api/general/notification-box/count-type", tag = "notifications", params(CountQuery),
    responses((status = 200, body = TypeCountView)))]
async fn count_type(core: Data<Core>, caller: Caller, query: Query<CountQuery>) -> Result<Json<TypeCountView>> {
    let of = kind(&query.kind)?;
    let unread = notifications::unread(&core, &caller).await?;
    let count = of.map_or(unread.all, |kind| unread.of(kind));
    let pagination = match query.pagination {
        true => Some(Pagination::new(1, PAGE, notifications::total(&core, &caller, of).await?)),
        false => None,
    };
    Ok(Json(TypeCountView { kind: query.kind.clone(), count, pagination }))
}

/// Notifications to mark as read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    #[schema(max_items = 100)]
    ids: Vec<CheckedId>,
}

/// One notification.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckedId {
    id: Uuid,
    /// Its type; ids are enough, but clients of the specification send it.
    #[serde(rename = "type", default)]
    #[schema(value_type = Option<NotificationKindOrAll>)]
    kind: Option<String>,
}

/// Marks notifications as read
#[openapi::path(patch, path = "/api/general/notification-box/check", tag = "notifications", request_body = CheckBody,
    responses((status = 200, body = CheckedView)))]
async fn check(core: Data<Core>, caller: Caller, Body(body): Body<CheckBody>) -> Result<Json<CheckedView>> {
    for word in body.ids.iter().filter_map(|seen| seen.kind.as_deref()) {
        kind(word)?;
    }
    let ids: Vec<NotificationId> = body.ids.into_iter().map(|seen| NotificationId(seen.id)).collect();
    Ok(Json(CheckedView { checked_count: notifications::check(&core, &caller, &ids).await? }))
}

/// Marks all notifications of a type as read
#[openapi::path(patch, path = "/api/general/notification-box/check-all/{type}", tag = "notifications",
    params(("type" = inline(NotificationKindOrAll), Path, description = "A type, or ALL")),
    responses((status = 200, body = CheckedView)))]
async fn check_all(core: Data<Core>, caller: Caller, word: Path<String>) -> Result<Json<CheckedView>> {
    let checked_count = notifications::check_all(&core, &caller, kind(&word)?).await?;
    Ok(Json(CheckedView { checked_count }))
}

/// Events of the notification box, as server-sent events
///
/// `count` with the number of unread notifications, at the start and after each change.
#[openapi::path(get, path = "/api/general/notification-box/events", tag = "notifications",
    responses((status = 200, description = "text/event-stream")))]
async fn events(core: Data<Core>, edge: Data<Edge>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    let stream = edge.streams.open(&*core.shared, caller.signed_in()?).await?;
    let permit = stream.of(auth_watch(&core, &request).await?);
    box_events::stream(core.get_ref().clone(), caller, permit, edge.stopping()).await
}

/// The types of notifications that the caller gets by mail
#[openapi::path(get, path = "/api/general/notification-settings", tag = "notifications",
    responses((status = 200, body = NotificationSettingsView)))]
async fn settings(core: Data<Core>, caller: Caller) -> Result<Json<NotificationSettingsView>> {
    Ok(Json(notifications::settings(&core, &caller).await?.mailed.into()))
}

/// The types to get by mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettingsBody {
    #[schema(value_type = Vec<NotificationKind>, max_items = 100)]
    mailed_types: Vec<String>,
}

/// Changes the types of notifications that the caller gets by mail
#[openapi::path(patch, path = "/api/general/notification-settings", tag = "notifications",
    request_body = SettingsBody, responses((status = 200, body = NotificationSettingsView)))]
async fn set_settings(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<SettingsBody>,
) -> Result<Json<NotificationSettingsView>> {
    let mailed = body
        .mailed_types
        .iter()
        .map(|word| word.parse())
        .collect::<std::result::Result<Vec<notifications::NotificationKind>, Error>>()?;
    Ok(Json(notifications::set_settings(&core, &caller, NotificationSettings { mailed }).await?.mailed.into()))
}

/// Ends mail about notifications, by the code of such a mail; no sign-in needed
#[openapi::path(post, path = "/api/public/unsubscribe", tag = "notifications", request_body = CodeBody,
    responses((status = 204), (status = 422, description = "UNSUBSCRIBE_LINK_INVALID")))]
async fn unsubscribe(core: Data<Core>, Body(body): Body<CodeBody>) -> Result<HttpResponse> {
    notifications::unsubscribe(&core, &body.code).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Longest code, in characters.
const MAX_CODE: usize = 500;

/// A mail's code in the query.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodeQuery {
    #[param(value_type = String, max_length = 500)]
    code: SecretString,
}

/// Ends the letters about notifications, for mail programs (RFC 8058)
#[openapi::path(post, path = "/api/public/unsubscribe/one-click", tag = "notifications", params(CodeQuery),
    responses((status = 204), (status = 422, description = "UNSUBSCRIBE_LINK_INVALID")))]
async fn unsubscribe_at_once(core: Data<Core>, query: Query<CodeQuery>) -> Result<HttpResponse> {
    notifications::unsubscribe(&core, &query.code).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Redirects a browser that opens the mail's address to the unsubscribe page
///
/// Opening an address must not change anything: virus scanners open it too.
#[openapi::path(get, path = "/api/public/unsubscribe/one-click", tag = "notifications", params(CodeQuery),
    responses((status = 303, description = "To the page")))]
async fn ask_to_unsubscribe(query: Query<CodeQuery>) -> Result<HttpResponse> {
    let code = names::search_text("code", query.code.expose_secret(), MAX_CODE)?;
    let code: String = code.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, format!("/unsubscribe#code={code}"))).finish())
}

/// A notice in both languages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoticeBody {
    /// 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    title_en: String,
    #[schema(min_length = 1, max_length = 100)]
    title_ko: String,
    /// HTML; it is sanitized.
    #[schema(min_length = 1, max_length = 65_536)]
    content_en: String,
    #[schema(min_length = 1, max_length = 65_536)]
    content_ko: String,
}

/// Publishes a notice to all users
#[openapi::path(post, path = "/api/admin/notice", tag = "notifications", request_body = NoticeBody,
    responses((status = 201, body = NoticeView), (status = 409, description = "MODERATION_LOCKED")))]
async fn publish_notice(core: Data<Core>, caller: Caller, Body(body): Body<NoticeBody>) -> Result<HttpResponse> {
    let NoticeBody { title_en, title_ko, content_en, content_ko } = body;
    let new = NewNotice { title_en, title_ko, content_en, content_ko };
    let notice = notifications::publish_notice(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(NoticeView::from(notice)))
}

/// Notices, newest first
#[openapi::path(get, path = "/api/admin/notice", tag = "notifications", params(CursorQuery),
    responses((status = 200, body = Cursor<NoticeView>)))]
async fn notices(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<NoticeView>>> {
    let limit = query.limit()?;
    let mut notices = notifications::notices(&core, &caller, query.before::<NoticeId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut notices, limit, |notice| notice.id.0);
    Ok(Json(Cursor { items: notices.into_iter().map(NoticeView::from).collect(), next_cursor }))
}

/// Deletes a notice from all boxes
#[openapi::path(delete, path = "/api/admin/notice/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete_notice(core: Data<Core>, caller: Caller, id: Path<NoticeId>) -> Result<HttpResponse> {
    notifications::delete_notice(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
