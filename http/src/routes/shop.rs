//! The shop: its items, and payments at the test provider.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::billing::{self, Currency, NewShopItem, Product, ProductKind, ShopItemChange, TestAnswer};
use verdigraph_core::ids::ShopItemId;
use verdigraph_core::{Core, Error};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::orders::{
    AdminShopItemView, BuyingView, PricesView, ShopItemView, ShopView, TestPaymentAnsweredView, TestPaymentView,
};
use crate::views::words::{ProductKindWord, TestAnswerWord};

#[derive(OpenApi)]
#[openapi(paths(offered, list, create, change, test_payment, answer_test_payment))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/item").get(offered))
        .service(web::resource("/public/test-payment/{id}").get(test_payment).post(answer_test_payment))
        .service(web::resource("/admin/item").get(list).post(create))
        .service(web::resource("/admin/item/{id}").patch(change));
}

/// What can be bought here: plans, then packs of credits
#[openapi::path(get, path = "/api/public/item", tag = "orders", responses((status = 200, body = ShopView)))]
async fn offered(core: Data<Core>) -> Result<Json<ShopView>> {
    let items = billing::offered_items(&core).await?.into_iter();
    let items = items.map(|item| ShopItemView::new(item, &core.settings)).collect();
    let currencies = Currency::ALL.into_iter().filter(|currency| billing::can_buy_in(&core, *currency));
    let buying =
        BuyingView { is_test: core.settings.payments.test_provider, currencies: currencies.map(Into::into).collect() };
    Ok(Json(ShopView { items, buying }))
}

/// Items of the shop, newest first (admins only)
#[openapi::path(get, path = "/api/admin/item", tag = "orders", params(CursorQuery),
    responses((status = 200, body = Cursor<AdminShopItemView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<AdminShopItemView>>> {
    let page = billing::list_items(&core, &caller, query.page()?).await?;
    Ok(Json(Cursor {
        items: page.items.into_iter().map(|item| AdminShopItemView::new(item, &core.settings)).collect(),
        next_cursor: page.next_cursor,
    }))
}

/// An item to sell.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShopItemBody {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// `Credit` by default.
    #[serde(default)]
    #[schema(value_type = Option<ProductKindWord>)]
    kind: Option<String>,
    /// Of a `Credit` only.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    credits: Option<i64>,
    /// Of a `Subscription` only: a plan of the settings, not the first one.
    #[serde(default)]
    #[schema(max_length = 100)]
    plan: Option<String>,
    /// At least one.
    prices: PricesView,
    /// Whether it is offered; it is by default.
    #[serde(default)]
    is_active: Option<bool>,
}

/// Adds an item to the shop (admins only)
#[openapi::path(post, path = "/api/admin/item", tag = "orders", request_body = ShopItemBody,
    responses((status = 201, body = AdminShopItemView),
    (status = 409, description = "PLAN_IS_OFFERED: another active item has this plan")))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<ShopItemBody>) -> Result<HttpResponse> {
    let ShopItemBody { name, kind, credits, plan, prices, is_active } = body;
    let product = match kind.as_deref().unwrap_or(ProductKind::Credit.name()).parse()? {
        ProductKind::Credit => {
            must_be_absent("plan", plan.is_some())?;
            Product::Credit(credits.ok_or_else(|| Error::invalid("credits", "is needed"))?)
        }
        ProductKind::Subscription => {
            must_be_absent("credits", credits.is_some())?;
            Product::Subscription(plan.ok_or_else(|| Error::invalid("plan", "is needed"))?)
        }
    };
    let new = NewShopItem { name, product, prices: prices.into(), is_active: is_active.unwrap_or(true) };
    let item = billing::create_item(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(AdminShopItemView::new(item, &core.settings)))
}

fn must_be_absent(field: &'static str, is_given: bool) -> std::result::Result<(), Error> {
    if is_given { Err(Error::invalid(field, "does not belong to an item of this kind")) } else { Ok(()) }
}

/// A change of an item. What is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShopItemChangeBody {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80)]
    name: Option<String>,
    /// Makes it a pack of so many credits.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    credits: Option<i64>,
    /// Makes it a month of this plan.
    #[serde(default)]
    #[schema(max_length = 100)]
    plan: Option<String>,
    /// All prices; at least one.
    #[serde(default)]
    prices: Option<PricesView>,
    #[serde(default)]
    is_active: Option<bool>,
}

/// Changes an item (admins only)
///
/// An item that is not active is not offered. Orders keep what they bought.
#[openapi::path(patch, path = "/api/admin/item/{id}", tag = "orders", params(("id" = Uuid, Path)),
    request_body = ShopItemChangeBody, responses((status = 200, body = AdminShopItemView),
    (status = 409, description = "PLAN_IS_OFFERED: another active item has this plan")))]
async fn change(
    core: Data<Core>,
    caller: Caller,
    id: Path<ShopItemId>,
    Body(body): Body<ShopItemChangeBody>,
) -> Result<Json<AdminShopItemView>> {
    let ShopItemChangeBody { name, credits, plan, prices, is_active } = body;
    must_be_absent("plan", plan.is_some() && credits.is_some())?;
    let product = plan.map(Product::Subscription).or(credits.map(Product::Credit));
    let change = ShopItemChange { name, product, prices: prices.map(Into::into), is_active };
    let item = billing::change_item(&core, &caller, *id, change).await?;
    Ok(Json(AdminShopItemView::new(item, &core.settings)))
}

/// A payment at the test provider
///
/// Its id is the end of the address `payAt` of an order. 404 where the test provider is off.
#[openapi::path(get, path = "/api/public/test-payment/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = TestPaymentView)))]
async fn test_payment(core: Data<Core>, id: Path<Uuid>) -> Result<Json<TestPaymentView>> {
    Ok(Json(billing::find_test_payment(&core, *id).await?.into()))
}

/// What the test provider does with a payment.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TestAnswerBody {
    /// `Approve`: the charge will be taken. `Decline`: it will be declined. `Hang`: it will be taken, and the answer to it
    /// is lost. `Twice`: as `Approve`, with two notices.
    #[schema(value_type = TestAnswerWord)]
    answer: String,
}

/// Answers a payment at the test provider
#[openapi::path(post, path = "/api/public/test-payment/{id}", tag = "orders", params(("id" = Uuid, Path)),
    request_body = TestAnswerBody, responses((status = 200, body = TestPaymentAnsweredView),
    (status = 409, description = "TEST_PAYMENT_ANSWERED: it was answered or has ended")))]
async fn answer_test_payment(
    core: Data<Core>,
    id: Path<Uuid>,
    Body(body): Body<TestAnswerBody>,
) -> Result<Json<TestPaymentAnsweredView>> {
    let answer: TestAnswer = body.answer.parse()?;
    let payment = billing::answer_test_payment(&core, *id, answer).await?;
    Ok(Json(TestPaymentAnsweredView { return_url: payment.return_url }))
}
