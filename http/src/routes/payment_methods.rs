//! Payment methods: the cards that a user has saved at a provider, and the page of test cards.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::billing::{self, BillingCountry, CardForm, TestCardAnswer};
use verdigraph_core::ids::PaymentMethodId;
use verdigraph_core::{Code, Core, Error};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Body, JsonLimit};
use crate::openapi::{self, OpenApi, ToSchema};
use crate::views::payment_methods::{
    PaymentMethodView, PaymentMethodWindowView, PaymentMethodsView, TestCardAnsweredView, TestCardView,
};
use crate::views::words::{CountryWord, TestCardAnswerWord};

/// The largest body with a card.
const CARD_BYTES: usize = 4096;

#[derive(OpenApi)]
#[openapi(paths(list, begin, complete, save_card, make_default, remove, test_card, answer_test_card))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/payment-method").get(list).post(begin))
        .service(web::resource("/general/payment-method/{id}/complete").post(complete))
        .service(web::resource("/general/payment-method/{id}/card").app_data(JsonLimit(CARD_BYTES)).post(save_card))
        .service(web::resource("/general/payment-method/{id}/default").put(make_default))
        .service(web::resource("/general/payment-method/{id}").delete(remove))
        .service(web::resource("/public/test-card/{id}").get(test_card))
        .service(web::resource("/public/test-card/{id}/answer").post(answer_test_card));
}

/// The caller's saved cards
#[openapi::path(get, path = "/api/general/payment-method", tag = "orders",
    responses((status = 200, body = PaymentMethodsView)))]
async fn list(core: Data<Core>, caller: Caller) -> Result<Json<PaymentMethodsView>> {
    let methods = billing::list_payment_methods(&core, &caller).await?.into_iter().map(Into::into).collect();
    Ok(Json(PaymentMethodsView { methods, has_card_form: billing::has_card_form(&core) }))
}

/// A card to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PaymentMethodBody {
    /// The billing country. It decides the provider.
    #[schema(value_type = CountryWord)]
    country: String,
}

/// Begins to save a card
///
/// The user enters it at `page` or at the provider's window, and comes back to `/account?tab=payment&method=ID`, with
/// `failed=1` if that failed. At most 20 per account and hour. One that is not completed in a day is removed.
#[openapi::path(post, path = "/api/general/payment-method", tag = "orders", request_body = PaymentMethodBody,
    responses((status = 200, body = PaymentMethodWindowView), (status = 403, description = "ACCOUNT_BANNED, XSRF_MISMATCH"),
    (status = 409, description = "BUYING_NOT_SET_UP: no cards are saved in this country's currency"),
    (status = 503, description = "The payment provider does not answer")))]
async fn begin(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<PaymentMethodBody>,
) -> Result<Json<PaymentMethodWindowView>> {
    caller.signed_in()?;
    let country: BillingCountry = body.country.parse()?;
    Ok(Json(billing::begin_payment_method(&core, &caller, country).await?.into()))
}

/// What the provider's window has returned.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentMethodDoneBody {
    /// `authKey` of the address to which TossPayments has returned.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 300)]
    auth_key: Option<SecretString>,
}

/// Saves a card that was entered at the provider
///
/// A repetition changes nothing. The first saved card becomes the default.
#[openapi::path(post, path = "/api/general/payment-method/{id}/complete", tag = "orders", params(("id" = Uuid, Path)),
    request_body = PaymentMethodDoneBody, responses((status = 200, body = PaymentMethodView),
    (status = 409, description = "PAYMENT_METHOD_NOT_READY: the window was not finished; CARD_REFUSED, with `reason`: \
    the provider's code"), (status = 503, description = "The payment provider does not answer")))]
async fn complete(
    core: Data<Core>,
    caller: Caller,
    id: Path<PaymentMethodId>,
    Body(body): Body<PaymentMethodDoneBody>,
) -> Result<Json<PaymentMethodView>> {
    Ok(Json(billing::complete_payment_method(&core, &caller, *id, body.auth_key.as_ref()).await?.into()))
}

/// A card. It goes to the provider, and is neither kept nor logged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CardBody {
    #[schema(value_type = String, min_length = 12, max_length = 24)]
    number: SecretString,
    /// The first two digits of the card's password.
    #[schema(value_type = String, min_length = 2, max_length = 2)]
    password_digits: SecretString,
    /// Six digits of the holder's birth, or ten digits of a company.
    #[schema(value_type = String, min_length = 6, max_length = 12)]
    identity_number: SecretString,
    #[schema(minimum = 1, maximum = 12)]
    expiration_month: u32,
    /// Four digits.
    #[schema(minimum = 2000, maximum = 2099)]
    expiration_year: i32,
    /// The holder.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[serde(default)]
    #[schema(max_length = 100)]
    email: Option<String>,
    /// Whether the holder agrees to the terms.
    is_agreed: bool,
}

/// Saves a card that was entered at a form of this site
///
/// 404 where the operator has not switched the form on.
#[openapi::path(post, path = "/api/general/payment-method/{id}/card", tag = "orders", params(("id" = Uuid, Path)),
    request_body = CardBody, responses((status = 200, body = PaymentMethodView),
    (status = 409, description = "CARD_REFUSED, with `reason`: the provider's code"),
    (status = 422, description = "TERMS_NOT_AGREED"),
    (status = 503, description = "The payment provider does not answer")))]
async fn save_card(
    core: Data<Core>,
    caller: Caller,
    id: Path<PaymentMethodId>,
    Body(body): Body<CardBody>,
) -> Result<Json<PaymentMethodView>> {
    let CardBody { number, password_digits, identity_number, expiration_month, expiration_year, name, email, .. } =
        body;
    if !body.is_agreed {
        return Err(Error::refused(Code::TermsNotAgreed, "please agree to the required terms and conditions").into());
    }
    let form = CardForm { number, password_digits, identity_number, expiration_month, expiration_year, name, email };
    Ok(Json(billing::save_card(&core, &caller, *id, form).await?.into()))
}

/// Makes a saved card the one that is charged first
#[openapi::path(put, path = "/api/general/payment-method/{id}/default", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = PaymentMethodView)))]
async fn make_default(core: Data<Core>, caller: Caller, id: Path<PaymentMethodId>) -> Result<Json<PaymentMethodView>> {
    Ok(Json(billing::make_default_payment_method(&core, &caller, *id).await?.into()))
}

/// Removes a saved card
#[openapi::path(delete, path = "/api/general/payment-method/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 409, description = "DEFAULT_PAYMENT_METHOD: make another one the default first")))]
async fn remove(core: Data<Core>, caller: Caller, id: Path<PaymentMethodId>) -> Result<HttpResponse> {
    billing::remove_payment_method(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A card at the test provider
///
/// Its id is the end of the address `page` of a payment method. 404 where the test provider is off.
#[openapi::path(get, path = "/api/public/test-card/{id}", tag = "orders", params(("id" = Uuid, Path)),
    responses((status = 200, body = TestCardView)))]
async fn test_card(core: Data<Core>, id: Path<Uuid>) -> Result<Json<TestCardView>> {
    Ok(Json(billing::find_test_card(&core, *id).await?.into()))
}

/// What a test card does with its charges.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TestCardAnswerBody {
    /// `Works`: each charge is taken. `Declines`: each is declined. `DeclinesLater`: the first is taken, and later ones are
    /// declined. `Hangs`: each is taken, and the first answer to it is lost.
    #[schema(value_type = TestCardAnswerWord)]
    answer: String,
}

/// Saves a card at the test provider
#[openapi::path(post, path = "/api/public/test-card/{id}/answer", tag = "orders", params(("id" = Uuid, Path)),
    request_body = TestCardAnswerBody, responses((status = 200, body = TestCardAnsweredView),
    (status = 409, description = "TEST_PAYMENT_ANSWERED: it was saved before")))]
async fn answer_test_card(
    core: Data<Core>,
    id: Path<Uuid>,
    Body(body): Body<TestCardAnswerBody>,
) -> Result<Json<TestCardAnsweredView>> {
    let answer: TestCardAnswer = body.answer.parse()?;
    let card = billing::answer_test_card(&core, *id, answer).await?;
    Ok(Json(TestCardAnsweredView { return_url: card.return_url }))
}
