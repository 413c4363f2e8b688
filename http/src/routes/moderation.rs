//! Reports and the moderation queue.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::CaseId;
use verdigraph_core::list::ListQuery;
use verdigraph_core::moderation::{self, CaseDecision, CaseFilter, CaseOrder, Penalty, ReportTargetKind};
use verdigraph_core::{Core, Error};

use super::CursorQuery;
use crate::caller::Caller;
use crate::case_views;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::moderation::{CaseDetailView, CaseView, OwnReportView};
use crate::views::words::{CaseSort, CaseState, CaseVerdict, ReportKind, ReportReason};

#[derive(OpenApi)]
#[openapi(paths(report, cases, find, decide))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/report").post(report))
        .service(web::resource("/admin/moderation").get(cases))
        .service(web::resource("/admin/moderation/{id}").get(find))
        .service(web::resource("/admin/moderation/{id}/decide").post(decide));
}

/// A report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportBody {
    #[schema(value_type = ReportKind)]
    kind: String,
    /// The workflow, output or comment.
    id: Uuid,
    #[schema(value_type = ReportReason)]
    reason: String,
    /// Further details, at most 1000 characters; required if the reason is `Other`.
    #[serde(default)]
    #[schema(max_length = 1000)]
    text: String,
}

/// Reports an object to the moderators
///
/// A user has one open report of an object: another one replaces it. Users cannot report their own objects.
#[openapi::path(post, path = "/api/general/report", tag = "moderation", request_body = ReportBody,
    responses((status = 201, body = OwnReportView), (status = 403, description = "ACCOUNT_BANNED"), (status = 404),
    (status = 422, description = "REPORT_OWN")))]
async fn report(core: Data<Core>, caller: Caller, Body(body): Body<ReportBody>) -> Result<HttpResponse> {
    let thing = body.kind.parse::<ReportTargetKind>()?.thing(body.id);
    let report = moderation::report(&core, &caller, thing, body.reason.parse()?, &body.text).await?;
    Ok(HttpResponse::Created().json(OwnReportView::from(report)))
}

/// Filter of cases.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CasesQuery {
    /// All states by default.
    #[param(value_type = Option<CaseState>)]
    state: Option<String>,
    /// All kinds by default.
    #[param(value_type = Option<ReportKind>)]
    kind: Option<String>,
    /// `newest` (the default, by the last report) or `mostReported`.
    #[param(inline, value_type = Option<CaseSort>)]
    sort: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

impl CasesQuery {
    fn read(&self) -> std::result::Result<ListQuery<'_, CaseFilter, CaseOrder>, Error> {
        let limit = CursorQuery { cursor: None, limit: self.limit }.limit()?;
        let filter = CaseFilter {
            state: self.state.as_deref().map(str::parse).transpose()?,
            kind: self.kind.as_deref().map(str::parse).transpose()?,
        };
        let sort = self.sort.as_deref().map(str::parse).transpose()?.unwrap_or_default();
        Ok(ListQuery::at(filter, self.cursor.as_deref(), limit).sorted(sort))
    }
}

/// The moderators' queue
#[openapi::path(get, path = "/api/admin/moderation", tag = "moderation", params(CasesQuery),
    responses((status = 200, body = Cursor<CaseView>)))]
async fn cases(core: Data<Core>, caller: Caller, query: Query<CasesQuery>) -> Result<Json<Cursor<CaseView>>> {
    let page = moderation::cases(&core, &caller, query.read()?).await?;
    Ok(Json(Cursor { items: case_views::cases(&core, page.items).await?, next_cursor: page.next_cursor }))
}

/// A case with its reports, the current state of the object, and its author's history
#[openapi::path(get, path = "/api/admin/moderation/{id}", tag = "moderation", params(("id" = Uuid, Path)),
    responses((status = 200, body = CaseDetailView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<CaseId>) -> Result<Json<CaseDetailView>> {
    let detail = moderation::find(&core, &caller, *id).await?;
    Ok(Json(case_views::detail(&core, detail).await?))
}

/// A new ban.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BanBody {
    /// 1, 7 or 30; permanent by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 30)]
    days: Option<u32>,
    /// The reason shown to the user, 1 to 1000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

impl From<BanBody> for Penalty {
    fn from(body: BanBody) -> Self {
        Self { days: body.days, reason: body.reason }
    }
}

/// A decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideBody {
    /// The revision of the case that the moderator saw.
    revision: i32,
    #[schema(value_type = CaseVerdict)]
    verdict: String,
    /// A warning to the author, 1 to 1000 characters.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    warning: Option<String>,
    /// A ban of the author.
    #[serde(default)]
    ban: Option<BanBody>,
}

/// Decides a case
///
/// Object, author, reporters and audit log are updated together. A hidden object is private, and its author cannot
/// publish it until the case is restored.
#[openapi::path(post, path = "/api/admin/moderation/{id}/decide", tag = "moderation", request_body = DecideBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = CaseView),
    (status = 409, description = "CASE_CHANGED, CASE_STATE, CASE_THING_GONE, BAN_ADMIN")))]
async fn decide(
    core: Data<Core>,
    caller: Caller,
    id: Path<CaseId>,
    Body(body): Body<DecideBody>,
) -> Result<Json<CaseView>> {
    let decided =
        CaseDecision { verdict: body.verdict.parse()?, warning: body.warning, ban: body.ban.map(Penalty::from) };
    let case = moderation::decide(&core, &caller, *id, body.revision, decided).await?;
    Ok(Json(case_views::case(&core, case).await?))
}
