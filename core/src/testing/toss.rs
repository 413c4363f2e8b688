//! A test server for TossPayments, which keeps books: billing keys, payments and cancellations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::payment_server::{Answer, Faults, PaymentFault, serve};
use super::providers::Request;
use crate::settings::Settings;

/// Keys of all tests. They appear in no log and no database.
pub const TOSS_SECRET_KEY: &str = "test_sk_of-these-tests";
const CLIENT_KEY: &str = "test_ck_of-these-tests";
/// The beginning of each billing key and payment key.
pub const TOSS_BILLING_KEY: &str = "billing-key-of-toss-";
const PAYMENT_KEY: &str = "payment-key-";
/// What the window returns for a card that works.
pub const TOSS_AUTH_KEY: &str = "auth-key-of-the-window";

/// The server. Cheap to clone.
#[derive(Clone)]
pub struct TestToss {
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    faults: Faults,
    /// Customer by billing key.
    cards: HashMap<String, String>,
    /// By order id.
    payments: HashMap<String, Payment>,
    /// First answers by idempotency key.
    answers: HashMap<String, (u16, Value)>,
    calls: Vec<String>,
    made: usize,
}

#[derive(Clone)]
struct Payment {
    key: String,
    amount: i64,
    left: i64,
    status: &'static str,
}

impl TestToss {
    pub async fn start() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let books = Arc::clone(&state);
        let url = serve(move |request| lock(&books).respond(request)).await;
        Self { url, state }
    }

    /// Configures it for won, with the form for cards.
    pub fn configure(&self, settings: &mut Settings) {
        let payments = &mut settings.payments;
        payments.toss_base_url.clone_from(&self.url);
        payments.toss_client_key = Some(CLIENT_KEY.to_owned());
        payments.toss_secret_key = Some(SecretString::from(TOSS_SECRET_KEY));
        payments.toss_card_form = true;
        payments.key = Some(SecretString::from(STANDARD.encode([7; 32])));
    }

    /// The next call of `issue`, `card`, `charge`, `forget`, `find`, `read` or `cancel` goes wrong.
    pub fn fail(&self, operation: &str, fault: PaymentFault) {
        lock(&self.state).faults.add(operation, fault);
    }

    /// The next call is refused with this status and code.
    pub fn refuse(&self, operation: &str, status: u16, code: &str) {
        self.fail(operation, PaymentFault::Refuse(status, json!({ "code": code, "message": "no" })));
    }

    /// Money that was charged and not given back, and the number of payments.
    #[must_use]
    pub fn books(&self) -> (i64, usize) {
        let state = lock(&self.state);
        (state.payments.values().map(|payment| payment.left).sum(), state.payments.len())
    }

    /// An operator cancels this much of the only payment at Toss itself.
    ///
    /// # Panics
    /// If there is another number of payments, or less money.
    pub fn cancel_at_toss(&self, amount: i64) {
        let mut state = lock(&self.state);
        assert_eq!(state.payments.len(), 1, "one payment");
        let key = state.payments.values().map(|payment| payment.key.clone()).next().expect("a payment");
        assert_eq!(state.cancel(&key, amount).0, 200, "a cancellation");
    }

    /// The number of billing keys.
    #[must_use]
    pub fn cards(&self) -> usize {
        lock(&self.state).cards.len()
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

fn refusal(status: u16, code: &str) -> (u16, Value) {
    (status, json!({ "code": code, "message": "no" }))
}

impl State {
    fn respond(&mut self, request: &Request) -> Answer {
        let login = format!("Basic {}", STANDARD.encode(format!("{TOSS_SECRET_KEY}:")));
        if request.headers.get("authorization") != Some(&login) {
            return Some(refusal(401, "UNAUTHORIZED_KEY"));
        }
        let path: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        let operation = match (request.method.as_str(), &path[..]) {
            ("POST", ["v1", "billing", "authorizations", "issue"]) => "issue",
            ("POST", ["v1", "billing", "authorizations", "card"]) => "card",
            ("POST", ["v1", "billing", _]) => "charge",
            ("DELETE", ["v1", "billing", _]) => "forget",
            ("GET", ["v1", "payments", "orders", _]) => "find",
            ("GET", ["v1", "payments", _]) => "read",
            ("POST", ["v1", "payments", _, "cancel"]) => "cancel",
            _ => return Some(refusal(404, "NOT_FOUND")),
        };
        self.calls.push(operation.to_owned());
        let fault = self.faults.next(operation);
        if let Some(PaymentFault::Refuse(status, body)) = fault {
            return Some((status, body));
        }
        let key = request.headers.get("idempotency-key").map(|key| format!("{operation}:{key}"));
        let earlier = key.as_ref().and_then(|key| self.answers.get(key)).cloned();
        let (status, mut body) = match earlier {
            Some(answer) => answer,
            None => {
                let sent = serde_json::from_str(&request.body).unwrap_or_default();
                let answer = self.perform(operation, &path, &sent);
                let is_post = request.method == "POST";
                match key {
                    Some(key) => drop(self.answers.insert(key, answer.clone())),
                    None if is_post => return Some(refusal(400, "INVALID_IDEMPOTENCY_KEY")),
                    None => {}
                }
                answer
            }
        };
        match fault {
            Some(PaymentFault::LoseAnswer) => return None,
            Some(PaymentFault::WrongAmount) => body["totalAmount"] = json!(1),
            Some(PaymentFault::WrongCurrency) => body["currency"] = json!("USD"),
            Some(PaymentFault::Refuse(..)) | None => {}
        }
        Some((status, body))
    }

    fn perform(&mut self, operation: &str, path: &[&str], sent: &Value) -> (u16, Value) {
        match operation {
            "issue" if sent["authKey"] != TOSS_AUTH_KEY => refusal(400, "INVALID_AUTHORIZE_AUTH"),
            "issue" => self.card(&sent["customerKey"], "43301234****123*"),
            "card" => {
                let fields = ["cardNumber", "cardExpirationYear", "cardExpirationMonth", "customerIdentityNumber"];
                assert!(fields.iter().all(|field| sent[*field].is_string()), "a field is missing");
                self.card(&sent["customerKey"], "53275012****999*")
            }
            "charge" => self.charge(path[2], sent),
            "forget" => match self.cards.remove(path[2]) {
                Some(customer) => (200, json!({ "billingKey": path[2], "customerKey": customer })),
                None => refusal(404, "NOT_FOUND_BILLING_KEY"),
            },
            "find" => self.found(|order, _| order == path[3]),
            "read" => self.found(|_, payment| payment.key == path[2]),
            _ => self.cancel(path[2], sent["cancelAmount"].as_i64().unwrap_or(0)),
        }
    }

    fn card(&mut self, customer: &Value, number: &str) -> (u16, Value) {
        self.made += 1;
        let key = format!("{TOSS_BILLING_KEY}{}", self.made);
        let customer = customer.as_str().expect("a customer key").to_owned();
        let body = json!({
            "mId": "tosspayments", "customerKey": customer, "authenticatedAt": "2026-01-01T09:00:00+09:00",
            "method": "카드", "billingKey": key, "cardCompany": "현대",
            "card": { "issuerCode": "61", "acquirerCode": "31", "number": number, "cardType": "신용", "ownerType": "개인" },
        });
        self.cards.insert(key, customer);
        (200, body)
    }

    fn charge(&mut self, key: &str, sent: &Value) -> (u16, Value) {
        let Some(customer) = self.cards.get(key) else { return refusal(400, "INVALID_BILL_KEY_REQUEST") };
        if sent["customerKey"] != customer.as_str() {
            return refusal(403, "NOT_MATCHES_CUSTOMER_KEY");
        }
        let order = sent["orderId"].as_str().expect("an order id").to_owned();
        if self.payments.contains_key(&order) {
            return refusal(400, "DUPLICATED_ORDER_ID");
        }
        let amount = sent["amount"].as_i64().expect("an amount");
        self.made += 1;
        let payment = Payment { key: format!("{PAYMENT_KEY}{}", self.made), amount, left: amount, status: "DONE" };
        self.payments.insert(order.clone(), payment);
        self.found(|one, _| one == order)
    }

    fn cancel(&mut self, key: &str, amount: i64) -> (u16, Value) {
        let Some(payment) = self.payments.values_mut().find(|payment| payment.key == key) else {
            return refusal(404, "NOT_FOUND_PAYMENT");
        };
        if payment.left == 0 {
            return refusal(400, "ALREADY_CANCELED_PAYMENT");
        }
        if amount > payment.left {
            return refusal(403, "NOT_CANCELABLE_AMOUNT");
        }
        payment.left -= amount;
        payment.status = if payment.left == 0 { "CANCELED" } else { "PARTIAL_CANCELED" };
        self.found(|_, payment| payment.key == key)
    }

    fn found(&self, is_it: impl Fn(&str, &Payment) -> bool) -> (u16, Value) {
        let Some((order, payment)) = self.payments.iter().find(|(order, payment)| is_it(order, payment)) else {
            return refusal(404, "NOT_FOUND_PAYMENT");
        };
        let body = json!({
            "paymentKey": payment.key, "orderId": order, "status": payment.status, "totalAmount": payment.amount,
            "balanceAmount": payment.left, "currency": "KRW", "approvedAt": "2026-01-01T09:00:00+09:00",
        });
        (200, body)
    }
}
