//! Subscriptions: users make, change, cancel and resume their own; admins see all, and what is charged on which day. And
//! the page of an agreement at the test provider.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use chrono::NaiveDate;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::billing::{self, BillingCountry, SubscriptionDetails, SubscriptionFilter, TestAgreementAnswer};
use verdigraph_core::ids::{ShopItemId, SubscriptionId, UserId};
use verdigraph_core::list::ListQuery;
use verdigraph_core::{Code, Core, Error};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::moment;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::orders::TestPaymentAnsweredView;
use crate::views::subscriptions::{
    AdminSubscriptionView, ChargeDayView, CurrentSubscriptionView, PaidSubscriptionView, PlanChangeView,
    SubscriptionCalendarView, TestAgreementView,
};
use crate::views::words::{CountryWord, SubscriptionStatusWord, TestAgreementAnswerWord};

#[derive(OpenApi)]
#[openapi(paths(
    current,
    subscribe,
    complete,
    quote_change,
    change_plan,
    cancel,
    resume,
    retry,
    calendar,
    list,
    end,
    test_agreement,
    answer_test_agreement
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/subscription").get(current).post(subscribe))
        .service(web::resource("/general/subscription/complete").post(complete))
        .service(web::resource("/general/subscription/change").get(quote_change))
        .service(web::resource("/general/subscription/plan").put(change_plan))
        .service(web::resource("/general/subscription/cancel").post(cancel))
        .service(web::resource("/general/subscription/resume").post(resume))
        .service(web::resource("/general/subscription/retry").post(retry))
        .service(web::resource("/admin/subscription").get(list))
        .service(web::resource("/admin/subscription/calendar").get(calendar))
        .service(web::resource("/admin/subscription/{id}/end").post(end))
        .service(web::resource("/public/test-agreement/{id}").get(test_agreement))
        .service(web::resource("/public/test-agreement/{id}/answer").post(answer_test_agreement));
}

/// The caller's subscription
#[openapi::path(get, path = "/api/general/subscription", tag = "orders",
    responses((status = 200, body = CurrentSubscriptionView)))]
async fn current(core: Data<Core>, caller: Caller) -> Result<Json<CurrentSubscriptionView>> {
    let found = billing::current_subscription(&core, &caller).await?;
    let subscription = found.map(|found| PaidSubscriptionView::new(found, &core.settings));
    Ok(Json(CurrentSubscriptionView { subscription }))
}

/// A plan to subscribe to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubscribeBody {
    #[schema(value_type = Uuid)]
    item_id: ShopItemId,
    /// The billing country. It decides the currency: won in Korea, US dollars elsewhere.
    #[schema(value_type = CountryWord)]
    country: String,
    /// The price of a month that the buyer was shown.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    amount: i64,
    /// Whether the buyer agrees to the terms.
    is_agreed: bool,
}

/// Subscribes to a plan
///
/// The buyer's card is charged for the first month at once, and for each following month until the subscription is
/// canceled. If the charge is declined, the subscription is returned as `Ended`. Where PayPal takes the currency, the
/// subscription is returned as `Pending`: the buyer approves it at `payAt` within three hours, and PayPal charges each
/// month. At most 60 orders per account and hour.
#[openapi::path(post, path = "/api/general/subscription", tag = "orders", request_body = SubscribeBody,
    responses((status = 201, body = PaidSubscriptionView),
    (status = 404, description = "NOT_FOUND: no such plan is offered"), (status = 422, description = "TERMS_NOT_AGREED"),
    (status = 503, description = "The payment provider does not answer; nothing was charged"),
    (status = 409, description = "BUYING_NOT_SET_UP, PRICE_CHANGED with `amount`, PLAN_NOT_BETTER, NO_PAYMENT_METHOD or \
                                  SUBSCRIPTION_EXISTS")))]
async fn subscribe(core: Data<Core>, caller: Caller, Body(body): Body<SubscribeBody>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let country: BillingCountry = body.country.parse()?;
    if !body.is_agreed {
        return Err(Error::refused(Code::TermsNotAgreed, "please agree to the required terms and conditions").into());
    }
    let made = billing::subscribe(&core, &caller, body.item_id, country, body.amount).await?;
    Ok(HttpResponse::Created().json(PaidSubscriptionView::new(made, &core.settings)))
}

/// Asks PayPal what became of the subscription
///
/// For a buyer who comes back from PayPal. A subscription that a card pays is returned as it is.
#[openapi::path(post, path = "/api/general/subscription/complete", tag = "orders",
    responses((status = 200, body = PaidSubscriptionView), (status = 404, description = "NOT_FOUND: no subscription")))]
async fn complete(core: Data<Core>, caller: Caller) -> Result<Json<PaidSubscriptionView>> {
    Ok(view(&core, billing::complete_subscription(&core, &caller).await?))
}

/// The plan to change to.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlanChangeQuery {
    /// An item of the shop with a plan.
    #[param(value_type = Uuid)]
    item_id: ShopItemId,
}

/// What a change of plan costs, and when it takes effect
///
/// A larger plan begins at once and costs the difference for the days of the month that are left; a smaller one begins
/// with the next month.
#[openapi::path(get, path = "/api/general/subscription/change", tag = "orders", params(PlanChangeQuery),
    responses((status = 200, body = PlanChangeView),
    (status = 404, description = "NOT_FOUND: no live subscription, or no such plan is offered"),
    (status = 409, description = "BUYING_NOT_SET_UP, SUBSCRIPTION_NOT_CHANGEABLE or SUBSCRIPTION_AT_PAYPAL")))]
async fn quote_change(core: Data<Core>, caller: Caller, query: Query<PlanChangeQuery>) -> Result<Json<PlanChangeView>> {
    Ok(Json(billing::quote_plan_change(&core, &caller, query.item_id).await?.into()))
}

/// A change of plan.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanChangeBody {
    /// An item of the shop with a plan.
    #[schema(value_type = Uuid)]
    item_id: ShopItemId,
    /// What the buyer was shown to pay at once.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    amount: i64,
}

/// Changes the plan
///
/// Choosing the current plan takes a planned change back.
#[openapi::path(put, path = "/api/general/subscription/plan", tag = "orders", request_body = PlanChangeBody,
    responses((status = 200, body = PaidSubscriptionView),
    (status = 404, description = "NOT_FOUND: no live subscription, or no such plan is offered"),
    (status = 503, description = "The payment provider does not answer; nothing was charged"),
    (status = 409, description = "BUYING_NOT_SET_UP, PRICE_CHANGED with `amount`, NO_PAYMENT_METHOD, \
                                  SUBSCRIPTION_NOT_CHANGEABLE or SUBSCRIPTION_AT_PAYPAL")))]
async fn change_plan(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<PlanChangeBody>,
) -> Result<Json<PaidSubscriptionView>> {
    Ok(view(&core, billing::change_plan(&core, &caller, body.item_id, body.amount).await?))
}

/// Cancels the subscription: it ends with the paid month
///
/// PayPal stops to charge it at once. One that waits for the approval at PayPal ends at once.
#[openapi::path(post, path = "/api/general/subscription/cancel", tag = "orders",
    responses((status = 200, body = PaidSubscriptionView), (status = 404, description = "NOT_FOUND: no live subscription"),
    (status = 409, description = "SUBSCRIPTION_NOT_CHANGEABLE: a payment is under way")))]
async fn cancel(core: Data<Core>, caller: Caller) -> Result<Json<PaidSubscriptionView>> {
    Ok(view(&core, billing::cancel_subscription(&core, &caller).await?))
}

/// Takes a cancellation back
#[openapi::path(post, path = "/api/general/subscription/resume", tag = "orders",
    responses((status = 200, body = PaidSubscriptionView), (status = 404, description = "NOT_FOUND: no live subscription"),
    (status = 409, description = "SUBSCRIPTION_NOT_CHANGEABLE: the paid month is over; SUBSCRIPTION_AT_PAYPAL")))]
async fn resume(core: Data<Core>, caller: Caller) -> Result<Json<PaidSubscriptionView>> {
    Ok(view(&core, billing::resume_subscription(&core, &caller).await?))
}

/// Tries a failed payment again at once
#[openapi::path(post, path = "/api/general/subscription/retry", tag = "orders",
    responses((status = 200, body = PaidSubscriptionView), (status = 404, description = "NOT_FOUND: no live subscription"),
    (status = 503, description = "The payment provider does not answer; nothing was charged"),
    (status = 409, description = "SUBSCRIPTION_NOT_CHANGEABLE: no payment has failed; SUBSCRIPTION_AT_PAYPAL or \
                                  NO_PAYMENT_METHOD")))]
async fn retry(core: Data<Core>, caller: Caller) -> Result<Json<PaidSubscriptionView>> {
    Ok(view(&core, billing::retry_subscription(&core, &caller).await?))
}

fn view(core: &Core, details: SubscriptionDetails) -> Json<PaidSubscriptionView> {
    Json(PaidSubscriptionView::new(details, &core.settings))
}

/// A month.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CalendarQuery {
    /// The month, in UTC.
    #[param(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", example = "2026-01")]
    month: String,
}

/// What is charged on each day of a month (admins only)
#[openapi::path(get, path = "/api/admin/subscription/calendar", tag = "orders", params(CalendarQuery),
    responses((status = 200, body = SubscriptionCalendarView)))]
async fn calendar(
    core: Data<Core>,
    caller: Caller,
    query: Query<CalendarQuery>,
) -> Result<Json<SubscriptionCalendarView>> {
    let CalendarQuery { month } = query.into_inner();
    let first: Option<NaiveDate> = moment::date(&format!("{month}-01"));
    let first = first.ok_or_else(|| Error::invalid("month", "must be a month such as 2026-01"))?;
    let days = billing::subscription_calendar(&core, &caller, first).await?;
    Ok(Json(SubscriptionCalendarView { month, days: days.into_iter().map(ChargeDayView::from).collect() }))
}

/// Filter and page of subscriptions.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SubscriptionsQuery {
    /// All by default.
    #[param(inline, value_type = Option<SubscriptionStatusWord>)]
    status: Option<String>,
    /// The day of a charge that is planned, was paid or failed, or of the end of a canceled one; in UTC.
    #[param(value_type = Option<chrono::NaiveDate>, example = "2026-01-01")]
    day: Option<String>,
    /// A part of the user's e-mail address, or the id of a subscription.
    #[param(max_length = 200)]
    search: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Subscriptions, newest first (admins only)
#[openapi::path(get, path = "/api/admin/subscription", tag = "orders", params(SubscriptionsQuery),
    responses((status = 200, body = Cursor<AdminSubscriptionView>)))]
async fn list(
    core: Data<Core>,
    caller: Caller,
    query: Query<SubscriptionsQuery>,
) -> Result<Json<Cursor<AdminSubscriptionView>>> {
    let filter = SubscriptionFilter {
        status: query.status.as_deref().map(str::parse).transpose()?,
        day: moment::date_field("day", query.day.as_deref())?,
        search: query.search.as_deref(),
    };
    let limit = CursorQuery { cursor: None, limit: query.limit }.limit()?;
    let page = ListQuery::at(filter, query.cursor.as_deref(), limit);
    let page = billing::list_subscriptions(&core, &caller, page).await?;
    let users: Vec<UserId> = page.items.iter().map(|details| details.subscription.user).collect();
    let cards = user_cards(&core, &users).await?;
    let views = page.items.into_iter().map(|details| {
        let user = cards.get(&details.subscription.user).cloned();
        AdminSubscriptionView { subscription: PaidSubscriptionView::new(details, &core.settings), user }
    });
    Ok(Json(Cursor { items: views.collect(), next_cursor: page.next_cursor }))
}

/// The end of a subscription.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SubscriptionEndBody {
    /// For the audit log.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Ends a subscription at once (admins only)
///
/// Nothing is given back: refund its order for that.
#[openapi::path(post, path = "/api/admin/subscription/{id}/end", tag = "orders", params(("id" = Uuid, Path)),
    request_body = SubscriptionEndBody, responses((status = 200, body = AdminSubscriptionView)))]
async fn end(
    core: Data<Core>,
    caller: Caller,
    id: Path<SubscriptionId>,
    Body(body): Body<SubscriptionEndBody>,
) -> Result<Json<AdminSubscriptionView>> {
    let details = billing::end_subscription(&core, &caller, *id, &body.reason).await?;
    let user = details.subscription.user;
    let card = user_cards(&core, &[user]).await?.remove(&user);
    Ok(Json(AdminSubscriptionView { subscription: PaidSubscriptionView::new(details, &core.settings), user: card }))
}

/// An agreement at the test provider
///
/// Its id is the end of the address `payAt` or `testPage` of a subscription. 404 where the test provider is off.
#[openapi::path(get, path = "/api/public/test-agreement/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = TestAgreementView)))]
async fn test_agreement(core: Data<Core>, id: Path<Uuid>) -> Result<Json<TestAgreementView>> {
    Ok(Json(billing::find_test_agreement(&core, *id).await?.into()))
}

/// What happens to an agreement at the test provider.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TestAgreementAnswerBody {
    /// Of one that waits: `Approve` charges the first month, `Decline` ends it, `Hang` is `Approve` with a lost answer, and
    /// `Twice` is `Approve` with two notices. Of one that runs: `Charge` charges the next month, `Fail` is a failed charge
    /// of it, the third of which suspends the agreement, and `Cancel` ends it.
    #[schema(value_type = TestAgreementAnswerWord)]
    answer: String,
}

/// Answers an agreement at the test provider
#[openapi::path(post, path = "/api/public/test-agreement/{id}/answer", tag = "orders", params(("id" = Uuid, Path)),
    request_body = TestAgreementAnswerBody, responses((status = 200, body = TestPaymentAnsweredView),
    (status = 409, description = "TEST_PAYMENT_ANSWERED: its state has no such answer")))]
async fn answer_test_agreement(
    core: Data<Core>,
    id: Path<Uuid>,
    Body(body): Body<TestAgreementAnswerBody>,
) -> Result<Json<TestPaymentAnsweredView>> {
    let answer: TestAgreementAnswer = body.answer.parse()?;
    let agreement = billing::answer_test_agreement(&core, *id, answer).await?;
    Ok(Json(TestPaymentAnsweredView { return_url: agreement.return_url }))
}
