//! Balance, statement, and grants by operators.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::{EntryId, UserId};
use verdigraph_core::ledger::{self, Balance, GrantKind, NewGrant};
use verdigraph_core::{Caller as CoreCaller, Core, Error, names, users};

use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::moment::Moment;
use crate::views::Cursor;
use crate::views::credits::{BalanceView, CreditView, EntryView, GrantView};
use crate::views::words::GrantWord;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(balance, entries, grant))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/credit").get(balance))
        .service(web::resource("/general/credit/entries").get(entries))
        .service(web::resource("/admin/credit/grant").post(grant));
}

/// The caller's balance and grants
#[described::path(get, path = "/api/general/credit", tag = "credits", responses(
    (status = 200, body = CreditView), (status = 401, body = ErrorBody)
))]
async fn balance(core: Data<Core>, caller: Caller) -> Result<Json<CreditView>> {
    let balance = allowed_balance(&core, &caller).await?;
    let grants = ledger::grants(&core, &caller).await?;
    Ok(Json(CreditView { balance: balance.into(), grants: grants.into_iter().map(GrantView::from).collect() }))
}

/// The caller's balance, with the allowance of a month that has begun since they were here last.
pub(super) async fn allowed_balance(core: &Core, caller: &CoreCaller) -> std::result::Result<Balance, Error> {
    let user = users::current(core, caller).await?;
    if let Some(plan) = core.settings.plan(&user.plan) {
        ledger::allow(core, user.id, plan).await?;
    }
    ledger::balance(core, caller).await
}

/// The caller's statement, newest first
#[described::path(get, path = "/api/general/credit/entries", tag = "credits", params(CursorQuery), responses(
    (status = 200, body = Cursor<EntryView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn entries(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<EntryView>>> {
    let limit = query.limit()?;
    let mut entries = ledger::entries(&core, &caller, query.before::<EntryId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut entries, limit, |entry| entry.id.0);
    Ok(Json(Cursor { items: entries.into_iter().map(EntryView::from).collect(), next_cursor }))
}

/// What a grant is called by those who give it.
pub fn kind_of(word: &str) -> Option<GrantKind> {
    Some(match word {
        "Operator" => GrantKind::Operator,
        "Coupon" => GrantKind::Coupon,
        "Plan" => GrantKind::Plan,
        "Purchase" => GrantKind::Purchase,
        _ => return None,
    })
}

/// Credits that an operator gives to somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantBody {
    /// Who gets them.
    user: Uuid,
    /// 1 to 1,000,000,000,000.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    amount: i64,
    /// `Operator` (the default), `Coupon`, `Plan` or `Purchase`.
    #[serde(default)]
    #[schema(value_type = Option<GrantWord>)]
    kind: Option<String>,
    /// When what is left of them goes, in the future; never when left out.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    expires_at: Option<Moment>,
    /// What they are for. The same reason gives the same person credits once.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Gives credits to a person (operators only)
#[described::path(post, path = "/api/admin/credit/grant", tag = "admin", request_body = GrantBody, responses(
    (status = 201, body = BalanceView, description = "The person's balance after it"),
    (status = 400, body = ErrorBody), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody, description = "There is no such person"),
    (status = 409, body = ErrorBody, description = "GRANT_REASON_USED: the reason gave the person another amount before"),
    (status = 422, body = ErrorBody, description = "CREDIT_LIMIT: an account has at most 1,000,000,000,000,000")
))]
async fn grant(core: Data<Core>, caller: Caller, Body(body): Body<GrantBody>) -> Result<HttpResponse> {
    let kind = body.kind.as_deref().map_or(Some(GrantKind::Operator), kind_of);
    let kind = kind.ok_or_else(|| Error::invalid("kind", "must be Operator, Coupon, Plan or Purchase"))?;
    let wrong = || Error::invalid("reason", "must have 1 to 200 characters");
    let reason = names::trimmed(&body.reason, 1..=200).filter(|reason| !reason.contains('\0')).ok_or_else(wrong)?;
    let source = format!("operator:{reason}");
    let new = NewGrant { kind, source, amount: body.amount, expires_at: body.expires_at.map(Into::into) };
    let balance = ledger::grant_by_operator(&core, &caller, UserId(body.user), new).await?;
    Ok(HttpResponse::Created().json(BalanceView::from(balance)))
}
