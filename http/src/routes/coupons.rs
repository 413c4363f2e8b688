//! Coupons: admins make them, users redeem their codes.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use verdigraph_core::billing::{self, CouponChange, CouponCode, CouponFilter, NewCodes, NewCoupon};
use verdigraph_core::ids::{CouponId, UserId};
use verdigraph_core::list::ListQuery;
use verdigraph_core::{Core, Error};

use super::CursorQuery;
use super::auth::origin;
use crate::caller::Caller;
use crate::csv;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::present;
use crate::moment::Moment;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::coupons::{BenefitView, CouponRedemptionView, CouponUseView, CouponView};

#[derive(OpenApi)]
#[openapi(paths(list, create, change, codes, uses, redeem, own))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/coupon").get(own).post(redeem))
        .service(web::resource("/admin/coupon").get(list).post(create))
        .service(web::resource("/admin/coupon/{id}").patch(change))
        .service(web::resource("/admin/coupon/{id}/code.csv").get(codes))
        .service(web::resource("/admin/coupon/{id}/use").get(uses));
}

/// Filter of coupons.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CouponsQuery {
    /// A part of the name, or a whole code.
    #[param(max_length = 80)]
    search: Option<String>,
    /// Both by default.
    is_active: Option<bool>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Coupons, newest first (admins only)
#[openapi::path(get, path = "/api/admin/coupon", tag = "coupons", params(CouponsQuery),
    responses((status = 200, body = Cursor<CouponView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<CouponsQuery>) -> Result<Json<Cursor<CouponView>>> {
    let CouponsQuery { search, is_active, cursor, limit } = query.into_inner();
    let limit = CursorQuery { cursor: None, limit }.limit()?;
    let filter = CouponFilter { search: search.as_deref(), is_active };
    let page = billing::list_coupons(&core, &caller, ListQuery::at(filter, cursor.as_deref(), limit)).await?;
    Ok(Json(Cursor { items: page.items.into_iter().map(CouponView::from).collect(), next_cursor: page.next_cursor }))
}

/// A coupon to create. It has either a shared code or a number of codes that are used once each.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CouponBody {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    benefit: BenefitView,
    /// A shared code: 4 to 40 letters, digits and hyphens, at least 4 without hyphens. Case, spaces and hyphens do not
    /// count when codes are compared.
    #[serde(default)]
    #[schema(min_length = 4, max_length = 40, example = "WELCOME-2026")]
    code: Option<String>,
    /// So many random codes.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    code_count: Option<i32>,
    /// 1 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    uses_per_account: Option<i32>,
    /// Without a limit by default; with `codeCount` it is the number of codes.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    max_uses: Option<i32>,
    /// At once by default.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    starts_at: Option<Moment>,
    /// In the future and after `startsAt`; never by default.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    ends_at: Option<Moment>,
}

impl TryFrom<CouponBody> for NewCoupon {
    type Error = Error;

    fn try_from(body: CouponBody) -> std::result::Result<Self, Error> {
        let codes = match (body.code, body.code_count) {
            (Some(code), None) => NewCodes::Shared(code),
            (None, Some(count)) => NewCodes::Single(count),
            _ => return Err(Error::invalid("code", "either code or codeCount is needed, and not both")),
        };
        Ok(Self {
            name: body.name,
            benefit: body.benefit.try_into()?,
            codes,
            uses_per_account: body.uses_per_account.unwrap_or(1),
            max_uses: body.max_uses,
            starts_at: body.starts_at.map(Into::into),
            ends_at: body.ends_at.map(Into::into),
        })
    }
}

/// Creates a coupon with its codes (admins only)
#[openapi::path(post, path = "/api/admin/coupon", tag = "coupons", request_body = CouponBody,
    responses((status = 201, body = CouponView),
    (status = 409, description = "COUPON_CODE_TAKEN: another coupon has this code")))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<CouponBody>) -> Result<HttpResponse> {
    let coupon = billing::create_coupon(&core, &caller, body.try_into()?).await?;
    Ok(HttpResponse::Created().json(CouponView::from(coupon)))
}

/// A change of a coupon. What is left out stays; `null` removes a limit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CouponChangeBody {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80)]
    name: Option<String>,
    #[serde(default)]
    is_active: Option<bool>,
    /// At least the uses so far. It cannot be changed if each code is used once.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i32>, minimum = 1, maximum = 1_000_000_000)]
    max_uses: Option<Option<i32>>,
    /// After `startsAt`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    ends_at: Option<Option<Moment>>,
}

impl From<CouponChangeBody> for CouponChange {
    fn from(body: CouponChangeBody) -> Self {
        Self {
            name: body.name,
            is_active: body.is_active,
            max_uses: body.max_uses,
            ends_at: body.ends_at.map(|ends_at| ends_at.map(Into::into)),
        }
    }
}

/// Changes a coupon (admins only)
///
/// A coupon that is not active can no longer be redeemed. What was redeemed stays.
#[openapi::path(patch, path = "/api/admin/coupon/{id}", tag = "coupons", params(("id" = Uuid, Path)),
    request_body = CouponChangeBody, responses((status = 200, body = CouponView)))]
async fn change(
    core: Data<Core>,
    caller: Caller,
    id: Path<CouponId>,
    Body(body): Body<CouponChangeBody>,
) -> Result<Json<CouponView>> {
    Ok(Json(billing::change_coupon(&core, &caller, *id, body.into()).await?.into()))
}

/// The codes of a coupon as a CSV file (admins only)
///
/// The columns are `code,usedAt,usedBy`; `usedBy` is an e-mail address. A shared code has one line without a use.
#[openapi::path(get, path = "/api/admin/coupon/{id}/code.csv", tag = "coupons", params(("id" = Uuid, Path)),
    responses((status = 200, content_type = "text/csv", body = String, description = "A file with a line per code")))]
async fn codes(core: Data<Core>, caller: Caller, id: Path<CouponId>) -> Result<HttpResponse> {
    let id = *id;
    let read = move |after: String| {
        let (core, caller) = (core.clone(), caller.0.clone());
        async move { billing::coupon_codes(&core, &caller, id, &after, csv::LINES).await }
    };
    // The first lines are read before the response begins, so that an unknown coupon is a 404.
    let first = read(String::new()).await?;
    let header = csv::line(["code", "usedAt", "usedBy"]);
    Ok(csv::file(&format!("coupon-{id}.csv"), header, first, code_line, move |last| read(last.key.clone())))
}

fn code_line(code: &CouponCode) -> String {
    let used_at = code.used_at.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true));
    csv::line([&code.code, used_at.as_deref().unwrap_or_default(), code.used_by.as_deref().unwrap_or_default()])
}

/// The uses of a coupon, newest first (admins only)
#[openapi::path(get, path = "/api/admin/coupon/{id}/use", tag = "coupons", params(("id" = Uuid, Path), CursorQuery),
    responses((status = 200, body = Cursor<CouponRedemptionView>)))]
async fn uses(
    core: Data<Core>,
    caller: Caller,
    id: Path<CouponId>,
    query: Query<CursorQuery>,
) -> Result<Json<Cursor<CouponRedemptionView>>> {
    let page = billing::coupon_uses(&core, &caller, *id, query.page()?).await?;
    let users: Vec<UserId> = page.items.iter().map(|one| one.user).collect();
    let cards = user_cards(&core, &users).await?;
    let view = |one: billing::CouponRedemption| {
        let user = cards.get(&one.user).cloned();
        CouponRedemptionView::new(one, user)
    };
    Ok(Json(Cursor { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor }))
}

/// A code to redeem.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedeemBody {
    /// Case, spaces and hyphens do not count.
    #[schema(min_length = 1, max_length = 100, example = "WELCOME-2026")]
    code: String,
}

/// Redeems the code of a coupon
///
/// At most 20 tries per account and hour, and 60 per network.
#[openapi::path(post, path = "/api/general/coupon", tag = "coupons", request_body = RedeemBody,
    responses((status = 201, body = CouponUseView), (status = 403, description = "ACCOUNT_BANNED, XSRF_MISMATCH"),
    (status = 404, description = "COUPON_UNKNOWN: there is no such code, or it is not active"),
    (status = 409, description = "COUPON_NOT_STARTED with `startsAt`, COUPON_ENDED, COUPON_USED by this account, \
     COUPON_USED_UP, COUPON_PLAN_NOT_NOW with `plan` and `until`: the account has a plan as good, or another one until \
     then, and the code was not used; COUPON_FOR_PURCHASES: it lowers the price of a purchase"),
    (status = 422, description = "CREDIT_LIMIT: an account has at most 1,000,000,000,000,000")))]
async fn redeem(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<RedeemBody>,
) -> Result<HttpResponse> {
    let used = billing::redeem_coupon(&core, &caller, &origin(&core, &request), &body.code).await?;
    Ok(HttpResponse::Created().json(CouponUseView::from(used)))
}

/// What the caller has redeemed, newest first
#[openapi::path(get, path = "/api/general/coupon", tag = "coupons", params(CursorQuery),
    responses((status = 200, body = Cursor<CouponUseView>)))]
async fn own(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<CouponUseView>>> {
    let page = billing::own_coupon_uses(&core, &caller, query.page()?).await?;
    Ok(Json(Cursor { items: page.items.into_iter().map(CouponUseView::from).collect(), next_cursor: page.next_cursor }))
}
