//! A stand-in of TossPayments: cards with billing keys, charges, cancellations, and notices, which are not signed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{CallFate, Faults};
use super::http::{ProviderAnswer, ProviderRequest, serve};
use super::notices::Notice;
use super::{BookedCharge, FaultCounts, FaultPolicy, NoticeSender, TOSS_BILLING_KEY, TOSS_SECRET_KEY, lock};
use crate::error::Result;

/// The server. It runs until the runtime ends.
#[derive(Debug)]
pub struct TossStandIn {
    pub url: String,
    books: Arc<Mutex<TossBooks>>,
}

#[derive(Debug)]
struct TossBooks {
    faults: Faults,
    /// Customer by billing key.
    cards: HashMap<String, String>,
    charges: Vec<Charge>,
    /// First answers by operation and idempotency key, refusals included.
    answers: HashMap<String, (u16, Value)>,
    made: usize,
}

#[derive(Debug)]
struct Charge {
    key: String,
    /// Our payment.
    order_id: String,
    amount: i64,
    left: i64,
}

impl Charge {
    fn status(&self) -> &'static str {
        match self.left {
            0 => "CANCELED",
            left if left < self.amount => "PARTIAL_CANCELED",
            _ => "DONE",
        }
    }

    fn body(&self) -> (u16, Value) {
        let body = json!({
            "paymentKey": self.key, "orderId": self.order_id, "status": self.status(), "totalAmount": self.amount,
            "balanceAmount": self.left, "currency": "KRW", "approvedAt": "2026-01-01T09:00:00+09:00",
        });
        (200, body)
    }

    fn notice(&self) -> Notice {
        let body = json!({ "eventType": "PAYMENT_STATUS_CHANGED", "createdAt": "2026-01-01T09:00:00.000000",
            "data": { "paymentKey": self.key, "orderId": self.order_id, "status": self.status() } });
        Notice { provider: "TossPayments", headers: Vec::new(), body: body.to_string(), is_forged: false }
    }
}

impl TossStandIn {
    pub(super) async fn start(policy: FaultPolicy, seed: u64, notices: NoticeSender) -> Result<Self> {
        let books = Arc::new(Mutex::new(TossBooks {
            faults: Faults::new(policy, seed),
            cards: HashMap::new(),
            charges: Vec::new(),
            answers: HashMap::new(),
            made: 0,
        }));
        let served = Arc::clone(&books);
        let url = serve(move |request| {
            let (answer, notice) = lock(&served).respond(request);
            if let Some(notice) = notice {
                notices.send(&notice);
            }
            answer
        })
        .await?;
        Ok(Self { url, books })
    }

    /// The money that was taken.
    pub fn charges(&self) -> Vec<BookedCharge> {
        let charge = |charge: &Charge| BookedCharge {
            payment: Some(charge.order_id.parse().unwrap_or(Uuid::nil())),
            charge: charge.key.clone(),
            amount: charge.amount,
            currency: "KRW",
            refunded: charge.amount - charge.left,
        };
        lock(&self.books).charges.iter().map(charge).collect()
    }

    pub fn faults(&self) -> FaultCounts {
        lock(&self.books).faults.counts
    }
}

fn refusal(status: u16, code: &str) -> (u16, Value) {
    (status, json!({ "code": code, "message": "no" }))
}

impl TossBooks {
    /// The answer to a call, and the notice that follows from it.
    fn respond(&mut self, request: &ProviderRequest) -> (ProviderAnswer, Option<Notice>) {
        let fate = self.faults.draw();
        if fate == CallFate::Unavailable {
            return (Some(refusal(503, "PROVIDER_ERROR")), None);
        }
        let (answer, notice) = self.call(request);
        (Some(answer).filter(|_| fate == CallFate::Answered), notice)
    }

    fn call(&mut self, request: &ProviderRequest) -> ((u16, Value), Option<Notice>) {
        let login = format!("Basic {}", BASE64_STANDARD.encode(format!("{TOSS_SECRET_KEY}:")));
        if request.header("authorization") != login {
            return (refusal(401, "UNAUTHORIZED_KEY"), None);
        }
        let (idempotency, is_post) = (request.header("idempotency-key"), request.method == "POST");
        if is_post && idempotency.is_empty() {
            return (refusal(400, "INVALID_IDEMPOTENCY_KEY"), None);
        }
        let key = format!("{} {idempotency}", request.path);
        if let Some(earlier) = self.answers.get(&key).filter(|_| is_post) {
            return (earlier.clone(), None);
        }
        let (path, sent) = (request.segments(), request.json());
        let (answer, changed) = match (request.method.as_str(), path.as_slice()) {
            ("POST", ["v1", "billing", "authorizations", "card"]) => (self.card(&sent), None),
            ("POST", ["v1", "billing", billing_key]) => self.charge(billing_key, &sent),
            ("DELETE", ["v1", "billing", billing_key]) => (self.forget(billing_key), None),
            ("GET", ["v1", "payments", "orders", order]) => (self.found(|charge| charge.order_id == *order), None),
            ("GET", ["v1", "payments", key]) => (self.found(|charge| charge.key == *key), None),
            ("POST", ["v1", "payments", key, "cancel"]) => self.cancel(key, sent["cancelAmount"].as_i64().unwrap_or(0)),
            _ => (refusal(404, "NOT_FOUND"), None),
        };
        if is_post {
            self.answers.insert(key, answer.clone());
        }
        let notice = changed.and_then(|index| self.charges.get(index)).map(Charge::notice);
        (answer, notice)
    }

    fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    /// Shows more of the number than the platform may keep.
    fn card(&mut self, sent: &Value) -> (u16, Value) {
        let text = |field: &str| sent[field].as_str().unwrap_or_default().to_owned();
        let (customer, number) = (text("customerKey"), text("cardNumber"));
        if number.len() < 12 || text("customerIdentityNumber").is_empty() || text("cardPassword").is_empty() {
            return refusal(400, "INVALID_CARD_NUMBER");
        }
        let key = format!("{TOSS_BILLING_KEY}{}", self.number());
        let (begin, end) = (number.get(..8).unwrap_or_default(), number.get(12..15).unwrap_or_default());
        let shown = format!("{begin}****{end}*");
        let body = json!({
            "mId": "tosspayments", "customerKey": customer, "authenticatedAt": "2026-01-01T09:00:00+09:00",
            "method": "카드", "billingKey": key, "cardCompany": "현대",
            "card": { "issuerCode": "61", "acquirerCode": "31", "number": shown, "cardType": "신용", "ownerType": "개인" },
        });
        self.cards.insert(key, customer);
        (200, body)
    }

    /// Also the place of the new charge.
    fn charge(&mut self, billing_key: &str, sent: &Value) -> ((u16, Value), Option<usize>) {
        let Some(customer) = self.cards.get(billing_key) else {
            return (refusal(400, "INVALID_BILL_KEY_REQUEST"), None);
        };
        if sent["customerKey"] != customer.as_str() {
            return (refusal(403, "NOT_MATCHES_CUSTOMER_KEY"), None);
        }
        let order_id = sent["orderId"].as_str().unwrap_or_default().to_owned();
        if self.charges.iter().any(|charge| charge.order_id == order_id) {
            return (refusal(400, "DUPLICATED_ORDER_ID"), None);
        }
        if self.faults.is_declined() {
            return (refusal(403, "REJECT_CARD_PAYMENT"), None);
        }
        let amount = sent["amount"].as_i64().unwrap_or(-1);
        let charge = Charge { key: format!("payment-key-{}", self.number()), order_id, amount, left: amount };
        let answer = charge.body();
        self.charges.push(charge);
        (answer, Some(self.charges.len() - 1))
    }

    fn forget(&mut self, billing_key: &str) -> (u16, Value) {
        match self.cards.remove(billing_key) {
            Some(_) => (200, json!({})),
            None => refusal(404, "NOT_FOUND_BILLING_KEY"),
        }
    }

    /// Also the place of the charge that changed.
    fn cancel(&mut self, key: &str, amount: i64) -> ((u16, Value), Option<usize>) {
        let Some((place, charge)) = self.charges.iter_mut().enumerate().find(|(_, charge)| charge.key == key) else {
            return (refusal(404, "NOT_FOUND_PAYMENT"), None);
        };
        if charge.left == 0 {
            return (refusal(400, "ALREADY_CANCELED_PAYMENT"), None);
        }
        if amount <= 0 || amount > charge.left {
            return (refusal(403, "NOT_CANCELABLE_AMOUNT"), None);
        }
        charge.left -= amount;
        (charge.body(), Some(place))
    }

    fn found(&self, is_it: impl Fn(&Charge) -> bool) -> (u16, Value) {
        let charge = self.charges.iter().find(|charge| is_it(charge));
        charge.map_or_else(|| refusal(404, "NOT_FOUND_PAYMENT"), Charge::body)
    }
}
