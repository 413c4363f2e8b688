//! Reports of what people post, and the moderators' queue.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::CaseId;
use verdigraph_core::moderation::{self, Decided, Filter, Kind, Penalty};
use verdigraph_core::{Core, Error};

use super::CursorQuery;
use crate::caller::Caller;
use crate::case_views;
use crate::described::{self, IntoParams, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::views::Cursor;
use crate::views::moderation::{CaseDetailView, CaseView, OwnReportView};
use crate::views::words::{CaseSort, CaseState, CaseVerdict, ReportKind, ReportReason};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(report, cases, find, decide))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/report").post(report))
        .service(web::resource("/admin/moderation").get(cases))
        .service(web::resource("/admin/moderation/{id}").get(find))
        .service(web::resource("/admin/moderation/{id}/decide").post(decide));
}

/// What is reported, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportBody {
    #[schema(value_type = ReportKind)]
    kind: String,
    /// The workflow, output or comment.
    id: Uuid,
    #[schema(value_type = ReportReason)]
    reason: String,
    /// What else there is to say, at most 1000 characters; not empty where the reason is `Other`.
    #[serde(default)]
    #[schema(max_length = 1000)]
    text: String,
}

/// Reports something to the moderators
///
/// Everybody has one open report of a thing: another one takes its place. Nobody reports what is their own.
#[described::path(post, path = "/api/general/report", tag = "moderation", request_body = ReportBody, responses(
    (status = 201, body = OwnReportView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "ACCOUNT_BANNED"), (status = 404, body = ErrorBody),
    (status = 422, body = ErrorBody, description = "REPORT_OWN"), (status = 429, body = ErrorBody)
))]
async fn report(core: Data<Core>, caller: Caller, Body(body): Body<ReportBody>) -> Result<HttpResponse> {
    let thing = body.kind.parse::<Kind>()?.thing(body.id);
    let report = moderation::report(&core, &caller, thing, body.reason.parse()?, &body.text).await?;
    Ok(HttpResponse::Created().json(OwnReportView::from(report)))
}

/// Which cases are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CasesQuery {
    /// All states when it is left out.
    #[param(value_type = Option<CaseState>)]
    state: Option<String>,
    /// All kinds when it is left out.
    #[param(value_type = Option<ReportKind>)]
    kind: Option<String>,
    /// `newest` (the default, by the last report) or `mostReported`.
    #[param(inline, value_type = Option<CaseSort>)]
    sort: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

impl CasesQuery {
    fn filter(&self) -> std::result::Result<Filter, Error> {
        Ok(Filter {
            state: self.state.as_deref().map(str::parse).transpose()?,
            kind: self.kind.as_deref().map(str::parse).transpose()?,
            order: self.sort.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
        })
    }
}

/// The moderators' queue
#[described::path(get, path = "/api/admin/moderation", tag = "moderation", params(CasesQuery), responses(
    (status = 200, body = Cursor<CaseView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
async fn cases(core: Data<Core>, caller: Caller, query: Query<CasesQuery>) -> Result<Json<Cursor<CaseView>>> {
    let limit = CursorQuery { cursor: None, limit: query.limit }.limit()?;
    let page = moderation::cases(&core, &caller, query.filter()?, query.cursor.as_deref(), limit).await?;
    Ok(Json(Cursor { items: case_views::cases(&core, page.items).await?, next_cursor: page.next_cursor }))
}

/// A case with its reports, the thing as it is now, and its author's history
#[described::path(get, path = "/api/admin/moderation/{id}", tag = "moderation", params(("id" = Uuid, Path)), responses(
    (status = 200, body = CaseDetailView), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<CaseId>) -> Result<Json<CaseDetailView>> {
    let detail = moderation::find(&core, &caller, *id).await?;
    Ok(Json(case_views::detail(&core, detail).await?))
}

/// A ban to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BanBody {
    /// 1, 7 or 30; for good when it is left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 30)]
    days: Option<u32>,
    /// What the person is told, 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

impl From<BanBody> for Penalty {
    fn from(body: BanBody) -> Self {
        Self { days: body.days, reason: body.reason }
    }
}

/// What a moderator decides.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideBody {
    /// The revision of the case that was looked at.
    revision: i32,
    #[schema(value_type = CaseVerdict)]
    verdict: String,
    /// A word to the author beside it, 1 to 1000 characters.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    warning: Option<String>,
    /// A ban of the author beside it.
    #[serde(default)]
    ban: Option<BanBody>,
}

/// Decides a case
///
/// The thing, its author, those who reported it and the audit log learn of it together. What is hidden is private, and
/// its author cannot publish it again until the case is restored.
#[described::path(post, path = "/api/admin/moderation/{id}/decide", tag = "moderation", request_body = DecideBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = CaseView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "CASE_CHANGED, CASE_STATE, CASE_THING_GONE, BAN_ADMIN")
))]
async fn decide(
    core: Data<Core>,
    caller: Caller,
    id: Path<CaseId>,
    Body(body): Body<DecideBody>,
) -> Result<Json<CaseView>> {
    let decided = Decided { verdict: body.verdict.parse()?, warning: body.warning, ban: body.ban.map(Penalty::from) };
    let case = moderation::decide(&core, &caller, *id, body.revision, decided).await?;
    Ok(Json(case_views::case(&core, case).await?))
}
