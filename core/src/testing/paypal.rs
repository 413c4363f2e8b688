//! A test server for PayPal, which keeps books: orders, captures, refunds, agreements, and who has signed a notice.

mod agreements;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use self::agreements::Agreements;
use super::payment_server::{Answer, Faults, PaymentFault, serve};
use super::providers::Request;
use crate::settings::Settings;

/// The login of all tests. The secret and the tokens appear in no log and no database.
const CLIENT: &str = "client-of-these-tests";
pub const PAYPAL_SECRET: &str = "secret-of-these-tests";
/// The beginning of each token.
pub const PAYPAL_TOKEN: &str = "token-of-paypal-";
const WEBHOOK: &str = "webhook-of-these-tests";

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct TestPayPal {
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    faults: Faults,
    tokens: HashSet<String>,
    orders: HashMap<String, Order>,
    agreements: Agreements,
    /// By PayPal's id.
    refunds: HashMap<String, Refund>,
    /// First answers by request id.
    answers: HashMap<String, (u16, Value)>,
    calls: Vec<String>,
    made: usize,
}

struct Order {
    status: &'static str,
    key: String,
    currency: String,
    value: String,
    capture: Option<Capture>,
}

struct Capture {
    id: String,
    status: &'static str,
    /// In cents.
    refunded: i64,
}

/// Money in cents.
struct Refund {
    charge: String,
    amount: i64,
    /// Of this refund and all before it.
    total: i64,
}

impl TestPayPal {
    pub async fn start() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let books = Arc::clone(&state);
        let url = serve(move |request| lock(&books).respond(request)).await;
        Self { url, state }
    }

    /// Configures it for US dollars.
    pub fn configure(&self, settings: &mut Settings) {
        let payments = &mut settings.payments;
        payments.paypal_base_url.clone_from(&self.url);
        payments.paypal_client_id = Some(CLIENT.to_owned());
        payments.paypal_client_secret = Some(SecretString::from(PAYPAL_SECRET));
        payments.paypal_webhook_id = Some(WEBHOOK.to_owned());
    }

    /// The next call of `token`, `create`, `get`, `capture`, `refund`, `read`, `refunded`, `verify`, `product`, `plan`,
    /// `subscribe`, `agreement`, `sales` or `cancel` goes wrong.
    pub fn fail(&self, operation: &str, fault: PaymentFault) {
        lock(&self.state).faults.add(operation, fault);
    }

    /// The next call is refused with this status, name and issue.
    pub fn refuse(&self, operation: &str, status: u16, name: &str, issue: &str) {
        let body = json!({ "name": name, "message": "no", "debug_id": "d", "details": [{ "issue": issue }] });
        self.fail(operation, PaymentFault::Refuse(status, body));
    }

    /// The buyer approves an order.
    pub fn approve(&self, order: &str) {
        lock(&self.state).orders.get_mut(order).expect("an order").status = "APPROVED";
    }

    /// The buyer approves an agreement, and PayPal charges its first month.
    pub fn approve_agreement(&self, agreement: &str, now: DateTime<Utc>) {
        lock(&self.state).agreements.approve(agreement, now);
    }

    /// Moves PayPal's clock, by which it charges agreements.
    pub fn pass_to(&self, now: DateTime<Utc>) {
        lock(&self.state).agreements.pass_to(now);
    }

    /// The state of an agreement, and its change at PayPal's site.
    #[must_use]
    pub fn agreement_status(&self, agreement: &str) -> &'static str {
        lock(&self.state).agreements.status(agreement)
    }

    pub fn set_agreement_status(&self, agreement: &str, status: &'static str) {
        lock(&self.state).agreements.set_status(agreement, status);
    }

    /// PayPal's ids of the payments of an agreement, oldest first.
    #[must_use]
    pub fn sale_ids(&self, agreement: &str) -> Vec<String> {
        lock(&self.state).agreements.sale_ids(agreement)
    }

    /// PayPal gives cents of a charge back without a request, and returns its id of the refund.
    #[must_use]
    pub fn give_back(&self, charge: &str, amount: i64) -> String {
        lock(&self.state).give_back(charge, amount).expect("a charge that has so much left")
    }

    /// Whether the charges of an agreement are declined from now on.
    pub fn set_declined(&self, agreement: &str, is_declined: bool) {
        lock(&self.state).agreements.set_declined(agreement, is_declined);
    }

    pub fn forget_plans(&self) {
        lock(&self.state).agreements.forget_plans();
    }

    /// PayPal forgets an order.
    pub fn forget(&self, order: &str) {
        lock(&self.state).orders.remove(order);
    }

    /// PayPal no longer accepts the tokens that it has issued.
    pub fn end_tokens(&self) {
        lock(&self.state).tokens.clear();
    }

    /// The signature of a notice: its header `PAYPAL-TRANSMISSION-SIG`.
    #[must_use]
    pub fn sign(body: &str) -> String {
        STANDARD.encode(Sha256::digest(body))
    }

    /// Sales of agreements, and cents that were taken and not given back.
    #[must_use]
    pub fn sales(&self) -> (usize, i64) {
        lock(&self.state).agreements.books()
    }

    /// Captures, and cents that were taken and not given back.
    #[must_use]
    pub fn books(&self) -> (usize, i64) {
        let state = lock(&self.state);
        let captured = || state.orders.values().filter_map(|order| Some((order, order.capture.as_ref()?)));
        (captured().count(), captured().map(|(order, capture)| cents(&order.value) - capture.refunded).sum())
    }

    /// The operations that were called.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        lock(&self.state).calls.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cents(value: &str) -> i64 {
    value.replace('.', "").parse().expect("an amount with two decimals")
}

/// What is refunded of a charge after a refund of `amount`, if so much is left.
fn refunded(whole: i64, before: i64, amount: i64) -> Result<i64, (u16, Value)> {
    match before + amount {
        _ if before == whole => Err(refusal(422, "UNPROCESSABLE_ENTITY", "CAPTURE_FULLY_REFUNDED")),
        after if after > whole => Err(refusal(422, "UNPROCESSABLE_ENTITY", "REFUND_AMOUNT_EXCEEDED")),
        after => Ok(after),
    }
}

fn refusal(status: u16, name: &str, issue: &str) -> (u16, Value) {
    (status, json!({ "name": name, "message": "no", "debug_id": "d", "details": [{ "issue": issue }] }))
}

impl State {
    fn respond(&mut self, request: &Request) -> Answer {
        let path: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        let operation = match (request.method.as_str(), &path[..]) {
            ("POST", ["v1", "oauth2", "token"]) => "token",
            ("POST", ["v2", "checkout", "orders"]) => "create",
            ("GET", ["v2", "checkout", "orders", _]) => "get",
            ("POST", ["v2", "checkout", "orders", _, "capture"]) => "capture",
            ("POST", ["v2", "payments", "captures", _, "refund"]) => "refund",
            ("GET", ["v2", "payments", "captures", _]) => "read",
            ("GET", ["v2", "payments", "refunds", _]) => "refunded",
            ("POST", ["v1", "notifications", "verify-webhook-signature"]) => "verify",
            ("POST", ["v1", "catalogs", "products"]) => "product",
            ("POST", ["v1", "billing", "plans"]) => "plan",
            ("POST", ["v1", "billing", "subscriptions"]) => "subscribe",
            ("GET", ["v1", "billing", "subscriptions", _]) => "agreement",
            ("GET", ["v1", "billing", "subscriptions", _, "transactions"]) => "sales",
            ("POST", ["v1", "billing", "subscriptions", _, "cancel"]) => "cancel",
            _ => return Some(refusal(404, "NOT_FOUND", "")),
        };
        self.calls.push(operation.to_owned());
        let fault = self.faults.next(operation);
        if let Some(PaymentFault::Refuse(status, body)) = fault {
            return Some((status, body));
        }
        let sent = request.headers.get("authorization").map_or("", String::as_str);
        if operation == "token" {
            return Some(self.token(sent));
        }
        if !sent.strip_prefix("Bearer ").is_some_and(|token| self.tokens.contains(token)) {
            return Some(refusal(401, "AUTHENTICATION_FAILURE", ""));
        }
        if operation == "verify" {
            return Some((200, verify(&request.body)));
        }
        let key = request.headers.get("paypal-request-id").map(|key| format!("{operation}:{key}"));
        let earlier = key.as_ref().and_then(|key| self.answers.get(key)).cloned();
        let (status, body) = match earlier {
            Some(answer) => answer,
            None => {
                let sent = serde_json::from_str(&request.body).unwrap_or_default();
                let answer = self.perform(operation, &path, &sent);
                // A refusal is not remembered.
                if let (Some(key), true) = (key, answer.0 < 300) {
                    self.answers.insert(key, answer.clone());
                }
                answer
            }
        };
        match fault {
            Some(PaymentFault::LoseAnswer) => None,
            Some(PaymentFault::WrongAmount) => Some((status, replaced(body, "value", "0.01"))),
            Some(PaymentFault::WrongCurrency) => Some((status, replaced(body, "currency_code", "EUR"))),
            Some(PaymentFault::Refuse(..)) | None => Some((status, body)),
        }
    }

    fn token(&mut self, login: &str) -> (u16, Value) {
        if login != format!("Basic {}", STANDARD.encode(format!("{CLIENT}:{PAYPAL_SECRET}"))) {
            return (401, json!({ "error": "invalid_client" }));
        }
        self.made += 1;
        let token = format!("{PAYPAL_TOKEN}{}", self.made);
        self.tokens.insert(token.clone());
        (200, json!({ "access_token": token, "token_type": "Bearer", "expires_in": 32_400 }))
    }

    fn perform(&mut self, operation: &str, path: &[&str], sent: &Value) -> (u16, Value) {
        match operation {
            "product" | "plan" | "subscribe" | "agreement" | "sales" | "cancel" => {
                self.agreements.perform(operation, path, sent)
            }
            "create" => self.create(sent),
            "get" => self.order(path[3], 200),
            "capture" => self.capture(path[3]),
            "refund" => self.refund(path[3], &sent["amount"]),
            "refunded" => self.refunded(path[3]),
            _ => match self.charge_status(path[3]) {
                Some(status) => (200, json!({ "id": path[3], "status": status })),
                None => refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"),
            },
        }
    }

    /// The state of a capture, or of a sale of an agreement.
    fn charge_status(&self, charge: &str) -> Option<&'static str> {
        let captures = || self.orders.values().filter_map(|order| order.capture.as_ref());
        let capture = captures().find(|capture| capture.id == charge).map(|capture| capture.status);
        capture.or_else(|| self.agreements.sale_status(charge))
    }

    fn create(&mut self, sent: &Value) -> (u16, Value) {
        self.made += 1;
        let id = format!("ORDER{}", self.made);
        let unit = &sent["purchase_units"][0];
        let said = |value: &Value| value.as_str().expect("a text").to_owned();
        let order = Order {
            status: "PAYER_ACTION_REQUIRED",
            key: said(&unit["custom_id"]),
            currency: said(&unit["amount"]["currency_code"]),
            value: said(&unit["amount"]["value"]),
            capture: None,
        };
        let context = &sent["payment_source"]["paypal"]["experience_context"];
        assert!(said(&context["return_url"]).starts_with("http"), "an address that PayPal can open");
        self.orders.insert(id.clone(), order);
        self.order(&id, 200)
    }

    fn capture(&mut self, id: &str) -> (u16, Value) {
        self.made += 1;
        let made = self.made;
        let Some(order) = self.orders.get_mut(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        match order.status {
            "APPROVED" => {
                order.status = "COMPLETED";
                order.capture = Some(Capture { id: format!("CAPTURE{made}"), status: "COMPLETED", refunded: 0 });
                self.order(id, 201)
            }
            "COMPLETED" => refusal(422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED"),
            _ => refusal(422, "UNPROCESSABLE_ENTITY", "ORDER_NOT_APPROVED"),
        }
    }

    fn refund(&mut self, id: &str, amount: &Value) -> (u16, Value) {
        match self.give_back(id, cents(amount["value"].as_str().expect("an amount"))) {
            Ok(refund) => (201, json!({ "id": refund, "status": "COMPLETED", "amount": amount })),
            Err(refused) => refused,
        }
    }

    /// PayPal's id of the refund.
    fn give_back(&mut self, charge: &str, amount: i64) -> Result<String, (u16, Value)> {
        let total = match self.agreements.refund(charge, amount) {
            Some(refunded) => refunded?,
            None => self.refund_capture(charge, amount)?,
        };
        self.made += 1;
        let id = format!("REFUND{}", self.made);
        self.refunds.insert(id.clone(), Refund { charge: charge.to_owned(), amount, total });
        Ok(id)
    }

    /// What is refunded then.
    fn refund_capture(&mut self, id: &str, amount: i64) -> Result<i64, (u16, Value)> {
        let mut charges =
            self.orders.values_mut().filter_map(|order| Some((cents(&order.value), order.capture.as_mut()?)));
        let unknown = || refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        let (whole, capture) = charges.find(|(_, capture)| capture.id == id).ok_or_else(unknown)?;
        capture.refunded = refunded(whole, capture.refunded, amount)?;
        capture.status = if capture.refunded == whole { "REFUNDED" } else { "PARTIALLY_REFUNDED" };
        Ok(capture.refunded)
    }

    fn refunded(&self, id: &str) -> (u16, Value) {
        let Some(Refund { charge, amount, total }) = self.refunds.get(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        let money =
            |cents: &i64| json!({ "currency_code": "USD", "value": format!("{}.{:02}", cents / 100, cents % 100) });
        let links = [json!({ "rel": "up", "href": format!("https://paypal.example/v2/payments/captures/{charge}") })];
        let body = json!({ "id": id, "status": "COMPLETED", "amount": money(amount), "links": links,
            "seller_payable_breakdown": { "total_refunded_amount": money(total) } });
        (200, body)
    }

    fn order(&self, id: &str, status: u16) -> (u16, Value) {
        let Some(order) = self.orders.get(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        let amount = json!({ "currency_code": order.currency, "value": order.value });
        let mut unit = json!({ "reference_id": "default", "custom_id": order.key, "amount": amount });
        if let Some(capture) = &order.capture {
            let capture = json!({ "id": capture.id, "status": capture.status, "amount": amount });
            unit["payments"] = json!({ "captures": [capture] });
        }
        let links = [
            json!({ "rel": "self", "href": "https://paypal.example/self" }),
            json!({ "rel": "payer-action", "href": format!("https://paypal.example/approve/{id}") }),
        ];
        (status, json!({ "id": id, "status": order.status, "purchase_units": [unit], "links": links }))
    }
}

/// Checks a signature against the bytes of the event, which ends the question, as PayPal does.
fn verify(question: &str) -> Value {
    let event = question.split_once("\"webhook_event\":").and_then(|(_, rest)| rest.strip_suffix('}'));
    let read: Value = serde_json::from_str(question).unwrap_or_default();
    let is_signed = event.is_some_and(|event| read["transmission_sig"] == TestPayPal::sign(event));
    let is_sent = is_signed && read["webhook_id"] == WEBHOOK;
    json!({ "verification_status": if is_sent { "SUCCESS" } else { "FAILURE" } })
}

/// A body with every value of this name replaced.
fn replaced(mut body: Value, name: &str, by: &str) -> Value {
    match &mut body {
        Value::Object(fields) => {
            for (key, value) in fields {
                *value = if key == name { json!(by) } else { replaced(value.take(), name, by) };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = replaced(item.take(), name, by)),
        _ => {}
    }
    body
}
