//! Orders: buyers make, complete, cancel and refund their own; admins see all and refund.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Deserialize;
use verdigraph_core::billing::{
    self, GivenOrder, HistoryLine, HistoryOrder, Order, OrderFilter, OrderStatus, PaymentType, Purchase,
};
use verdigraph_core::ids::{OrderId, ShopItemId, UserId};
use verdigraph_core::list::ListQuery;
use verdigraph_core::{Code, Core, Error};

use super::CursorQuery;
use super::auth::origin;
use crate::caller::Caller;
use crate::csv;
use crate::error::Result;
use crate::extract::Body;
use crate::moment;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::orders::{AdminOrderView, OrderView, PurchaseQuoteView};
use crate::views::words::{CountryWord, OrderProviderWord, OrderStatusWord, PaymentTypeWord, ProductKindWord};

#[derive(OpenApi)]
#[openapi(paths(own, buy, quote, find, complete, cancel, refund_own, list, file, find_any, refund))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/order").get(own).post(buy))
        // Before the ids, which would match it.
        .service(web::resource("/general/order/quote").post(quote))
        .service(web::resource("/general/order/{id}").get(find))
        .service(web::resource("/general/order/{id}/complete").post(complete))
        .service(web::resource("/general/order/{id}/cancel").post(cancel))
        .service(web::resource("/general/order/{id}/refund").post(refund_own))
        .service(web::resource("/admin/order").get(list))
        .service(web::resource("/admin/order.csv").get(file))
        .service(web::resource("/admin/order/{id}").get(find_any))
        .service(web::resource("/admin/order/{id}/refund").post(refund));
}

/// The caller's orders, newest first
///
/// With what the caller was given by coupons and by admins, as `type` says.
#[openapi::path(get, path = "/api/general/order", tag = "orders", params(CursorQuery),
    responses((status = 200, body = Cursor<OrderView>)))]
async fn own(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<OrderView>>> {
    let page = billing::own_orders(&core, &caller, query.page()?).await?;
    Ok(Json(Cursor { items: page.items.into_iter().map(OrderView::from).collect(), next_cursor: page.next_cursor }))
}

/// A purchase.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderBody {
    #[schema(value_type = Uuid)]
    item_id: ShopItemId,
    /// The billing country. It decides the currency: won in Korea, US dollars elsewhere.
    #[schema(value_type = CountryWord)]
    country: String,
    /// Of a coupon that lowers the price. Case, spaces and hyphens do not count.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, example = "SPRING-2026")]
    code: Option<String>,
    /// The price that the buyer has seen. The order is refused if it is another one now; without it, any price is taken.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    amount: Option<i64>,
    /// Whether the buyer agrees to the terms.
    is_agreed: bool,
}

/// Orders an item
///
/// The buyer pays at `payAt` of the order, and comes back to the order in the account. At most 60 orders per account and
/// hour. A code is used with the order, and can be used again if the order ends without a payment; its tries are counted
/// as those of redeemed codes.
#[openapi::path(post, path = "/api/general/order", tag = "orders", request_body = OrderBody,
    responses((status = 201, body = OrderView), (status = 403, description = "ACCOUNT_BANNED, XSRF_MISMATCH"),
    (status = 404, description = "NOT_FOUND: no such item is offered; COUPON_UNKNOWN: there is no such code, or it is not \
     active"),
    (status = 409, description = "BUYING_NOT_SET_UP: not in this currency, or nothing is sold here; PRICE_CHANGED with \
     `amount` and `currency`; NO_PAYMENT_METHOD; COUPON_NOT_FOR_PURCHASES, COUPON_NOT_STARTED with `startsAt`, \
     COUPON_ENDED, COUPON_USED by this account, COUPON_USED_UP"),
    (status = 422, description = "TERMS_NOT_AGREED"),
    (status = 503, description = "The payment provider does not answer; nothing was charged")))]
async fn buy(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<OrderBody>,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let OrderBody { item_id: item, country, code, amount: shown, is_agreed } = body;
    let purchase = Purchase { item, country: country.parse()?, code, shown, origin: origin(&core, &request) };
    if !is_agreed {
        return Err(Error::refused(Code::TermsNotAgreed, "please agree to the required terms and conditions").into());
    }
    let order = billing::buy(&core, &caller, &purchase).await?;
    Ok(HttpResponse::Created().json(OrderView::from(order)))
}

/// A purchase to quote.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PurchaseQuoteBody {
    #[schema(value_type = Uuid)]
    item_id: ShopItemId,
    #[schema(value_type = CountryWord)]
    country: String,
    /// Of a coupon that lowers the price.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, example = "SPRING-2026")]
    code: Option<String>,
}

/// What a purchase costs and gives, before it is ordered
///
/// At most 20 tries of codes per account and hour, and 60 per network.
#[openapi::path(post, path = "/api/general/order/quote", tag = "orders", request_body = PurchaseQuoteBody,
    responses((status = 200, body = PurchaseQuoteView),
    (status = 404, description = "NOT_FOUND: no such item is offered; COUPON_UNKNOWN: there is no such code, or it is not \
     active"),
    (status = 409, description = "BUYING_NOT_SET_UP, COUPON_NOT_FOR_PURCHASES, COUPON_NOT_STARTED with `startsAt`, \
     COUPON_ENDED, COUPON_USED by this account, COUPON_USED_UP")))]
async fn quote(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<PurchaseQuoteBody>,
) -> Result<Json<PurchaseQuoteView>> {
    caller.signed_in()?;
    let PurchaseQuoteBody { item_id: item, country, code } = body;
    let purchase = Purchase { item, country: country.parse()?, code, shown: None, origin: origin(&core, &request) };
    Ok(Json(billing::quote_purchase(&core, &caller, &purchase).await?.into()))
}

/// An order of the caller
///
/// Also what the caller was given. The calls that complete, cancel and refund know orders of the type `Payment` alone.
#[openapi::path(get, path = "/api/general/order/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = OrderView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<OrderId>) -> Result<Json<OrderView>> {
    Ok(Json(billing::find_order(&core, &caller, *id).await?.into()))
}

/// Charges an order that the buyer has approved
///
/// Asks the payment provider what became of the payment. If it does not answer, the order is returned as it is, and the
/// platform goes on asking.
#[openapi::path(post, path = "/api/general/order/{id}/complete", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = OrderView)))]
async fn complete(core: Data<Core>, caller: Caller, id: Path<OrderId>) -> Result<Json<OrderView>> {
    Ok(Json(billing::complete_order(&core, &caller, *id).await?.into()))
}

/// Cancels an order that is not paid
#[openapi::path(post, path = "/api/general/order/{id}/cancel", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = OrderView),
    (status = 409, description = "ORDER_NOT_CANCELABLE: it is paid, has failed, or is being charged")))]
async fn cancel(core: Data<Core>, caller: Caller, id: Path<OrderId>) -> Result<Json<OrderView>> {
    Ok(Json(billing::cancel_order(&core, &caller, *id).await?.into()))
}

/// Gives the buyer the money of an order back, and takes its credits back
///
/// Within seven days, if none of its credits and of its bonus was used.
#[openapi::path(post, path = "/api/general/order/{id}/refund", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = OrderView),
    (status = 409, description = "ORDER_NOT_REFUNDABLE, with `why`: NotPaid, Used or TooLate")))]
async fn refund_own(core: Data<Core>, caller: Caller, id: Path<OrderId>) -> Result<Json<OrderView>> {
    Ok(Json(billing::refund_own_order(&core, &caller, *id).await?.into()))
}

/// Filter of orders.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OrdersFilterQuery {
    /// All by default.
    #[serde(rename = "type")]
    #[param(inline, value_type = Option<PaymentTypeWord>)]
    payment_type: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<ProductKindWord>)]
    kind: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<OrderStatusWord>)]
    status: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<OrderProviderWord>)]
    provider: Option<String>,
    /// A part of the buyer's e-mail address, or the id of an order.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The first day, in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Not before `from`.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
}

impl OrdersFilterQuery {
    fn filter(&self) -> std::result::Result<OrderFilter<'_>, Error> {
        Ok(OrderFilter {
            payment_type: self.payment_type.as_deref().map(str::parse).transpose()?,
            kind: self.kind.as_deref().map(str::parse).transpose()?,
            status: self.status.as_deref().map(str::parse).transpose()?,
            provider: self.provider.as_deref().map(str::parse).transpose()?,
            search: self.search.as_deref(),
            from: moment::date_field("from", self.from.as_deref())?,
            until: moment::date_field("until", self.until.as_deref())?,
        })
    }
}

/// Filter and page of orders.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OrdersQuery {
    /// All by default.
    #[serde(rename = "type")]
    #[param(inline, value_type = Option<PaymentTypeWord>)]
    payment_type: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<ProductKindWord>)]
    kind: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<OrderStatusWord>)]
    status: Option<String>,
    /// All by default.
    #[param(inline, value_type = Option<OrderProviderWord>)]
    provider: Option<String>,
    /// A part of the buyer's e-mail address, or the id of an order.
    #[param(max_length = 200)]
    search: Option<String>,
    /// The first day, in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, inclusive. Not before `from`.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-31")]
    until: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Everybody's orders, newest first (admins only)
///
/// With what users were given by coupons and by admins, as `type` says.
#[openapi::path(get, path = "/api/admin/order", tag = "orders", params(OrdersQuery),
    responses((status = 200, body = Cursor<AdminOrderView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<OrdersQuery>) -> Result<Json<Cursor<AdminOrderView>>> {
    let OrdersQuery { payment_type, kind, status, provider, search, from, until, cursor, limit } = query.into_inner();
    let limit = CursorQuery { cursor: None, limit }.limit()?;
    let query = OrdersFilterQuery { payment_type, kind, status, provider, search, from, until };
    let page = ListQuery::at(query.filter()?, cursor.as_deref(), limit);
    let page = billing::list_orders(&core, &caller, page).await?;
    let users: Vec<UserId> = page.items.iter().map(|one| one.order.user()).collect();
    let cards = user_cards(&core, &users).await?;
    let view = |one: HistoryLine| {
        let user = cards.get(&one.order.user()).cloned();
        AdminOrderView::new(one, user, None)
    };
    Ok(Json(Cursor { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor }))
}

/// Everybody's orders as a CSV file, newest first (admins only)
///
/// The columns are `id,createdAt,user,item,credits,amount,currency,provider,status,refundedAmount,paidAt,listAmount,
/// percentOff,couponCode,bonusCredits,type`. Amounts are in the smallest unit of the currency; `amount` is what is charged.
#[openapi::path(get, path = "/api/admin/order.csv", tag = "orders", params(OrdersFilterQuery),
    responses((status = 200, content_type = "text/csv", body = String, description = "A file with a line per order")))]
async fn file(core: Data<Core>, caller: Caller, query: Query<OrdersFilterQuery>) -> Result<HttpResponse> {
    let name = format!("orders-{}.csv", core.clock.now().date_naive());
    let query = query.into_inner();
    let read = move |before: Option<OrderId>| {
        let (core, caller, query) = (core.clone(), caller.0.clone(), query.clone());
        async move { billing::order_lines(&core, &caller, &query.filter()?, before, csv::LINES).await }
    };
    // The first lines are read before the response begins, so that a wrong filter is a 400.
    let first = read(None).await?;
    let header = csv::line(COLUMNS);
    Ok(csv::file(&name, header, first, line, move |last| read(Some(last.id()))))
}

const COLUMNS: [&str; 16] = [
    "id",
    "createdAt",
    "user",
    "item",
    "credits",
    "amount",
    "currency",
    "provider",
    "status",
    "refundedAmount",
    "paidAt",
    "listAmount",
    "percentOff",
    "couponCode",
    "bonusCredits",
    "type",
];

fn line(order: &HistoryOrder) -> String {
    match order {
        HistoryOrder::Bought(order) => line_of_order(order),
        HistoryOrder::Given(given) => line_of_given(given),
    }
}

fn line_of_order(order: &Order) -> String {
    let discount = order.discount.as_ref();
    csv::line([
        &order.id.to_string(),
        &time(order.created_at),
        &order.user.to_string(),
        &order.name,
        &order.credits.to_string(),
        &order.price.amount.to_string(),
        order.price.currency.name(),
        order.provider.name(),
        order.status.name(),
        &order.refunded_amount.to_string(),
        &order.paid_at.map(time).unwrap_or_default(),
        &discount.map(|discount| discount.list_amount.to_string()).unwrap_or_default(),
        &discount.map(|discount| discount.percent.to_string()).unwrap_or_default(),
        discount.map_or("", |discount| discount.code.as_str()),
        &order.bonus_credits().to_string(),
        PaymentType::Payment.name(),
    ])
}

fn line_of_given(given: &GivenOrder) -> String {
    let at = time(given.given_at);
    csv::line([
        &given.id.to_string(),
        &at,
        &given.user.to_string(),
        &given.name,
        &given.credits.to_string(),
        "0",
        "",
        given.provider.name(),
        OrderStatus::Paid.name(),
        "0",
        &at,
        "",
        "",
        given.code.as_deref().unwrap_or_default(),
        "0",
        given.provider.payment_type().name(),
    ])
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Anybody's order, with what is left of its credits (admins only)
#[openapi::path(get, path = "/api/admin/order/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = AdminOrderView)))]
async fn find_any(core: Data<Core>, caller: Caller, id: Path<OrderId>) -> Result<Json<AdminOrderView>> {
    let found = billing::find_order_of_anyone(&core, &caller, *id).await?;
    Ok(Json(whole(&core, &caller, found).await?))
}

/// A refund by an admin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefundBody {
    /// At most what was not refunded, in the smallest unit of the order's currency.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    amount: i64,
    /// Credits to take back: at most `creditsLeft` of the order.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    credits: i64,
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Refunds an order in part or as a whole (admins only)
///
/// The credits are taken back first. If the provider refuses the refund, they return. Bonus credits are taken back in
/// proportion to the amount, rounded down; with the rest of the money, all that are left.
#[openapi::path(post, path = "/api/admin/order/{id}/refund", tag = "orders", params(("id" = Uuid, Path)),
    request_body = RefundBody, responses((status = 200, body = AdminOrderView),
    (status = 409, description = "ORDER_NOT_REFUNDABLE, with `why`: NotPaid, Used or TooMuch")))]
async fn refund(
    core: Data<Core>,
    caller: Caller,
    id: Path<OrderId>,
    Body(body): Body<RefundBody>,
) -> Result<Json<AdminOrderView>> {
    let parts = (body.amount, body.credits);
    let found = billing::refund_order(&core, &caller, *id, parts, &body.reason).await?;
    Ok(Json(whole(&core, &caller, found.into()).await?))
}

async fn whole(core: &Core, caller: &Caller, found: HistoryLine) -> Result<AdminOrderView> {
    let left = match found.order.bought() {
        Some(order) => Some(billing::order_credits_left(core, caller, order).await?),
        None => None,
    };
    let user = found.order.user();
    let card = user_cards(core, &[user]).await?.remove(&user);
    Ok(AdminOrderView::new(found, card, left))
}
