//! PayPal: an order is created, approved by the buyer at PayPal, and captured by us. Refunds name the capture.
//!
//! The order's id is our reference. Every call that creates something has a `PayPal-Request-Id` made of our row's id. Plans
//! that PayPal charges each month are in `agreements`.

mod agreements;
mod answers;
mod notices;
mod refunds;
mod token;

use reqwest::{Method, RequestBuilder, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use uuid::Uuid;

use self::answers::{Denial, PayPalFailure, PayPalOrder, PayPalRefund, value_of};
pub use self::notices::PayPalSignature;
pub(in crate::billing) use self::notices::{PayPalSubject, subject_of};
use self::token::Tokens;
use super::call::{CallError, NewPayment, OpenedPayment, PaymentCall, ProviderReport};
use crate::billing::money::Money;
use crate::settings::PaymentSettings;
use crate::{Clock, Core};

/// Characters of a description that PayPal shows.
const MAX_DESCRIPTION_CHARS: usize = 127;

pub(in crate::billing) struct PayPal {
    base: Url,
    webhook_id: String,
    tokens: Tokens,
    http: reqwest::Client,
}

impl PayPal {
    pub fn new(settings: &PaymentSettings, clock: &Clock, http: &reqwest::Client) -> Option<Self> {
        let base = Url::parse(&settings.paypal_base_url).ok()?;
        let (id, secret) = (settings.paypal_client_id.clone()?, settings.paypal_client_secret.clone()?);
        let tokens = Tokens::new(at(&base, &["v1", "oauth2", "token"]), (id, secret), clock.clone(), http.clone());
        Some(Self { base, webhook_id: settings.paypal_webhook_id.clone()?, tokens, http: http.clone() })
    }

    /// After a lost answer, the order is created again with the same request id, which returns the first one.
    pub async fn open(&self, core: &Core, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
        let here = |path: &str| format!("{}{path}", core.settings.public_url());
        let body = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": new.key, "invoice_id": new.key,
                "description": new.description.chars().take(MAX_DESCRIPTION_CHARS).collect::<String>(),
                "amount": { "currency_code": new.price.currency.name(), "value": value_of(new.price)? },
            }],
            "payment_source": { "paypal": { "experience_context": {
                "return_url": here(new.return_path), "cancel_url": here(new.cancel_path), "user_action": "PAY_NOW",
                "shipping_preference": "NO_SHIPPING",
            } } },
        });
        match self.create::<PayPalOrder>(&["v2", "checkout", "orders"], &new.key.to_string(), &body).await {
            Ok(order) => order.opened(new),
            Err(failure) => Err(failure.not_made()),
        }
    }

    pub async fn report(&self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        let request = self.request(Method::GET, &["v2", "checkout", "orders", call.reference]);
        match self.send::<PayPalOrder>(request).await {
            Ok(order) => order.report(call),
            // PayPal forgets orders that are not approved.
            Err(failure) if failure.denial() == Denial::Gone => Ok(ProviderReport::Ended),
            Err(failure) => Err(failure.unknown()),
        }
    }

    pub async fn charge(&self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        let path = ["v2", "checkout", "orders", call.reference, "capture"];
        let request = self.post(&path, &format!("{}-capture", call.key)).json(&json!({}));
        match self.send::<PayPalOrder>(request).await {
            Ok(order) => order.report(call),
            Err(failure) => match failure.denial() {
                Denial::Declined => Ok(ProviderReport::Declined(None)),
                Denial::NotApproved => Ok(ProviderReport::Waiting),
                Denial::AlreadyDone | Denial::Gone => self.report(call).await,
                Denial::Refused => Err(failure.refused()),
                Denial::Misconfigured | Denial::Retry => Err(failure.unknown()),
            },
        }
    }

    /// `charge` is the id of a capture, or of a sale of an agreement: PayPal takes both here. The older call
    /// `/v1/payments/sale/{id}/refund` has another form of answers.
    pub async fn refund(&self, key: Uuid, charge: &str, money: Money) -> Result<(), CallError> {
        let amount = json!({ "currency_code": money.currency.name(), "value": value_of(money)? });
        let path = ["v2", "payments", "captures", charge, "refund"];
        let request = self.post(&path, &key.to_string()).json(&json!({ "amount": amount }));
        match self.send::<PayPalRefund>(request).await {
            Ok(refund) => refund.given(money),
            Err(failure) => match failure.denial() {
                Denial::AlreadyDone => {
                    let request = self.request(Method::GET, &["v2", "payments", "captures", charge]);
                    let capture = self.send::<PayPalRefund>(request).await.map_err(PayPalFailure::unknown)?;
                    capture.fully_refunded()
                }
                Denial::Misconfigured | Denial::Retry => Err(failure.unknown()),
                _ => Err(failure.refused()),
            },
        }
    }

    /// Creates something. After a lost answer the call is repeated, which returns what the first one has made.
    async fn create<T: serde::de::DeserializeOwned>(
        &self,
        path: &[&str],
        request_id: &str,
        body: &Value,
    ) -> Result<T, PayPalFailure> {
        let call = || self.post(path, request_id).json(body);
        match self.send(call()).await {
            Err(PayPalFailure::Lost(_)) => self.send(call()).await,
            answered => answered,
        }
    }

    fn post(&self, path: &[&str], request_id: &str) -> RequestBuilder {
        self.request(Method::POST, path).header("PayPal-Request-Id", request_id)
    }

    /// Each segment is encoded. Answers have all fields, so that amounts can be checked.
    fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        self.http.request(method, at(&self.base, path)).header("Prefer", "return=representation")
    }

    /// Sends a request with a token. One that PayPal no longer accepts is renewed once.
    async fn send<T: serde::de::DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, PayPalFailure> {
        let again = request.try_clone();
        let token = self.tokens.get().await?;
        match (self.send_with(request, &token).await, again) {
            (Err(PayPalFailure::Said { status: 401, .. }), Some(again)) => {
                self.tokens.forget(&token).await;
                let token = self.tokens.get().await?;
                self.send_with(again, &token).await
            }
            (answer, _) => answer,
        }
    }

    async fn send_with<T: serde::de::DeserializeOwned>(
        &self,
        request: RequestBuilder,
        token: &SecretString,
    ) -> Result<T, PayPalFailure> {
        let answer = request.bearer_auth(token.expose_secret()).send().await;
        answers::read(answer).await
    }
}

fn at(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}
