//! TossPayments: cards are saved for a billing key, which is charged. A payment has our id as its order id, and is read by
//! it; one that is unknown at Toss was not charged, and its `Idempotency-Key` makes a repetition safe.

mod answers;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use reqwest::{Method, RequestBuilder, StatusCode, Url};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use self::answers::{Billing, Denial, TossFailure, TossPayment, denial};
use super::call::{
    CallError, CardReport, CardWindow, NewCard, NewPayment, OpenedCard, OpenedPayment, PaymentCall, ProviderReport,
    TossWindow,
};
use super::card_form::CardForm;
use crate::Core;
use crate::billing::money::{Currency, Money};
use crate::settings::PaymentSettings;

/// The reason of a cancellation, which the buyer's bank may show.
const CANCEL_REASON: &str = "refund";
/// The answer for an order id that Toss does not know.
const UNKNOWN_PAYMENT: &str = "NOT_FOUND_PAYMENT";
/// The answers for a billing key that Toss does not know, or has deleted.
const UNKNOWN_BILLING_KEY: [&str; 3] = ["NOT_FOUND_BILLING", "NOT_FOUND_BILLING_KEY", "INVALID_BILL_KEY_REQUEST"];
/// Room for a body with a card, so that it is never copied while it grows.
const CARD_BODY_BYTES: usize = 2048;

pub(super) struct Toss {
    base: Url,
    client_key: String,
    secret_key: SecretString,
    script_url: String,
    http: reqwest::Client,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardBody<'a> {
    customer_key: &'a str,
    card_number: &'a str,
    card_expiration_year: String,
    card_expiration_month: String,
    customer_identity_number: &'a str,
    card_password: &'a str,
    customer_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_email: Option<&'a str>,
}

impl Toss {
    pub fn new(settings: &PaymentSettings, http: &reqwest::Client) -> Option<Self> {
        Some(Self {
            base: Url::parse(&settings.toss_base_url).ok()?,
            client_key: settings.toss_client_key.clone()?,
            secret_key: settings.toss_secret_key.clone()?,
            script_url: settings.toss_script_url.clone(),
            http: http.clone(),
        })
    }

    /// Toss opens a payment with its charge.
    pub fn open(new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
        if new.card.is_none() {
            return Err(CallError::Refused("a payment at Toss needs a saved card".into()));
        }
        Ok(OpenedPayment { reference: new.key.to_string(), pay_at: None })
    }

    pub async fn report(&self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        let request = self.request(Method::GET, &["v1", "payments", "orders", call.reference]);
        match self.send::<TossPayment>(request).await {
            Ok(payment) => payment.report(call),
            Err(TossFailure::Said { code, .. }) if code == UNKNOWN_PAYMENT => Ok(ProviderReport::Approved),
            Err(failure) => Err(failure.unknown()),
        }
    }

    pub async fn charge(&self, call: &PaymentCall<'_>) -> Result<ProviderReport, CallError> {
        let Some((customer, key)) = call.card.and_then(|card| Some((&card.reference, card.secret.as_ref()?))) else {
            // The user has removed the card.
            return Ok(ProviderReport::Declined(None));
        };
        if call.price.currency != Currency::Krw {
            return Err(CallError::Refused("Toss charges won".into()));
        }
        let body = json!({
            "customerKey": customer, "amount": call.price.amount, "orderId": call.reference,
            "orderName": call.description,
        });
        let request = self.request(Method::POST, &["v1", "billing", key.expose_secret()]);
        let request = request.header("Idempotency-Key", call.key.to_string()).json(&body);
        match self.send::<TossPayment>(request).await {
            Ok(payment) => payment.report(call),
            Err(TossFailure::Said { status, code }) => match denial(status, &code) {
                Denial::AlreadyDone => self.report(call).await,
                Denial::Declined => {
                    tracing::info!(code, "Toss declined a charge");
                    Ok(ProviderReport::Declined(code.parse().ok()))
                }
                Denial::Misconfigured => {
                    tracing::error!(code, "Toss refuses our calls; check payments.toss_secret_key and the contract");
                    Err(CallError::Refused(code))
                }
                Denial::Retry => Err(CallError::Unknown(code)),
            },
            Err(failure) => Err(failure.unknown()),
        }
    }

    /// `charge` is the payment key.
    pub async fn refund(&self, key: Uuid, charge: &str, money: Money) -> Result<(), CallError> {
        let request = self.request(Method::POST, &["v1", "payments", charge, "cancel"]);
        let body = json!({ "cancelReason": CANCEL_REASON, "cancelAmount": money.amount });
        let request = request.header("Idempotency-Key", key.to_string()).json(&body);
        match self.send::<TossPayment>(request).await {
            Ok(payment) => payment.canceled(charge, money),
            Err(TossFailure::Said { status, code }) => match denial(status, &code) {
                Denial::AlreadyDone => {
                    let request = self.request(Method::GET, &["v1", "payments", charge]);
                    let payment: TossPayment = self.send(request).await.map_err(TossFailure::unknown)?;
                    payment.fully_canceled(charge)
                }
                Denial::Declined => Err(CallError::Refused(code)),
                Denial::Misconfigured | Denial::Retry => Err(CallError::Unknown(code)),
            },
            Err(failure) => Err(failure.unknown()),
        }
    }

    /// The money of a payment that was canceled, at our request or at Toss itself; `charge` is the payment key. `None` if
    /// Toss does not say how much.
    pub async fn refunded_amount(&self, charge: &str) -> Result<Option<i64>, CallError> {
        let request = self.request(Method::GET, &["v1", "payments", charge]);
        let payment: TossPayment = self.send(request).await.map_err(TossFailure::unknown)?;
        payment.canceled_amount(charge)
    }

    /// Names the customer; the browser opens the window itself.
    pub fn open_card(&self, core: &Core, new: &NewCard<'_>) -> OpenedCard {
        let back = format!("{}{}", core.settings.public_url(), new.return_path);
        let customer_key = Uuid::new_v4().to_string();
        let window = TossWindow {
            script_url: self.script_url.clone(),
            client_key: self.client_key.clone(),
            customer_key: customer_key.clone(),
            fail_url: format!("{back}&failed=1"),
            success_url: back,
        };
        OpenedCard { reference: customer_key, window: CardWindow::Toss(window) }
    }

    /// The billing key of a card that was entered at the window. The window's `auth_key` works once, so that the
    /// idempotency key has a hash of it: a repetition gets the same billing key, another window a new one.
    pub async fn finish_card(&self, customer: &str, auth_key: Option<&SecretString>) -> Result<CardReport, CallError> {
        let Some(auth_key) = auth_key else { return Ok(CardReport::NotReady) };
        let body = json!({ "authKey": auth_key.expose_secret(), "customerKey": customer });
        let request = self.request(Method::POST, &["v1", "billing", "authorizations", "issue"]);
        let attempt = URL_SAFE_NO_PAD.encode(Sha256::digest(auth_key.expose_secret()));
        let request = request.header("Idempotency-Key", format!("{customer}:{attempt}")).json(&body);
        self.issued(customer, request).await
    }

    /// The billing key of a card that was entered at our form.
    pub async fn save_card(&self, customer: &str, form: &CardForm) -> Result<CardReport, CallError> {
        let body = CardBody {
            customer_key: customer,
            card_number: form.number.expose_secret(),
            card_expiration_year: format!("{:02}", form.expiration_year % 100),
            card_expiration_month: format!("{:02}", form.expiration_month),
            customer_identity_number: form.identity_number.expose_secret(),
            card_password: form.password_digits.expose_secret(),
            customer_name: &form.name,
            customer_email: form.email.as_deref(),
        };
        // Wiped when the request is done.
        let mut text = Zeroizing::new(Vec::with_capacity(CARD_BODY_BYTES));
        serde_json::to_writer(&mut *text, &body).map_err(|error| CallError::Refused(error.to_string()))?;
        let request = self.request(Method::POST, &["v1", "billing", "authorizations", "card"]);
        let request = request
            .header("Idempotency-Key", Uuid::new_v4().to_string())
            .header("content-type", "application/json")
            .body(Bytes::from_owner(text));
        self.issued(customer, request).await
    }

    /// Deletes a billing key. A repetition finds none, so that the call needs no idempotency key.
    pub async fn forget_card(&self, key: &SecretString) -> Result<(), CallError> {
        let request = self.request(Method::DELETE, &["v1", "billing", key.expose_secret()]);
        match self.answer(request).await {
            Ok(_) => Ok(()),
            Err(TossFailure::Said { code, .. }) if UNKNOWN_BILLING_KEY.contains(&code.as_str()) => Ok(()),
            Err(failure) => Err(failure.unknown()),
        }
    }

    async fn issued(&self, customer: &str, request: RequestBuilder) -> Result<CardReport, CallError> {
        match self.send::<Billing>(request).await {
            Ok(billing) => billing.report(customer),
            Err(TossFailure::Said { status, code }) => match denial(status, &code) {
                Denial::Declined | Denial::AlreadyDone => Ok(CardReport::Refused(code)),
                Denial::Misconfigured => {
                    tracing::error!(code, "Toss refuses our calls; check payments.toss_secret_key and the contract");
                    Err(CallError::Refused(code))
                }
                Denial::Retry => Err(CallError::Unknown(code)),
            },
            Err(failure) => Err(failure.unknown()),
        }
    }

    /// Each segment is encoded. Billing keys are segments, so that no error or log may have the URL.
    fn request(&self, method: Method, segments: &[&str]) -> RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        let login = STANDARD.encode(format!("{}:", self.secret_key.expose_secret()));
        self.http.request(method, url).header("authorization", format!("Basic {login}"))
    }

    async fn send<T: serde::de::DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, TossFailure> {
        let body = self.answer(request).await?;
        // The text may have a billing key, so the error's position is all that is kept.
        let place =
            |error: serde_json::Error| TossFailure::Lost(format!("not understood at column {}", error.column()));
        serde_json::from_slice(&body).map_err(place)
    }

    /// The body of a success. It may have a billing key.
    async fn answer(&self, request: RequestBuilder) -> Result<Zeroizing<Vec<u8>>, TossFailure> {
        let lost = |error: reqwest::Error| TossFailure::Lost(error.without_url().to_string());
        let answer = request.send().await.map_err(lost)?;
        let status = answer.status();
        let body = Zeroizing::new(answer.bytes().await.map_err(lost)?.to_vec());
        match status {
            StatusCode::OK | StatusCode::NO_CONTENT => Ok(body),
            _ => Err(TossFailure::refusal(status.as_u16(), &body)),
        }
    }
}
