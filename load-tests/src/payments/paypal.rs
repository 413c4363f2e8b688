//! A stand-in of PayPal: orders that a buyer approves, captures, refunds, plans that it charges by itself, and signed
//! notices.

mod agreements;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use self::agreements::Agreements;
use super::faults::{CallFate, Faults};
use super::http::{ProviderAnswer, ProviderRequest, serve};
use super::notices::Notice;
use super::{
    BookedCharge, FaultCounts, FaultPolicy, NoticeSender, PAYPAL_CLIENT, PAYPAL_SECRET, PAYPAL_TOKEN, PAYPAL_WEBHOOK,
    lock,
};
use crate::error::Result;

/// With each of so many approvals, a forged notice is sent.
const FORGED_EACH: usize = 5;
/// What signs notices; the platform never has it.
const SIGNING_KEY: &str = "drill-signing-key-of-paypal:";

/// The server. It runs until the runtime ends.
#[derive(Debug)]
pub struct PayPalStandIn {
    pub url: String,
    books: Arc<Mutex<PayPalBooks>>,
    notices: NoticeSender,
}

#[derive(Debug)]
struct PayPalBooks {
    faults: Faults,
    tokens: HashSet<String>,
    orders: HashMap<String, PayPalOrder>,
    captures: Vec<Capture>,
    agreements: Agreements,
    /// By PayPal's id.
    refunds: HashMap<String, MadeRefund>,
    /// Answers to calls that had an effect, by operation and request id.
    answers: HashMap<String, (u16, Value)>,
    made: usize,
    approvals: usize,
}

#[derive(Debug, Clone)]
struct PayPalOrder {
    status: &'static str,
    /// Our payment.
    custom_id: String,
    currency: String,
    value: String,
    /// The buyer's means of payment are refused, now and later.
    is_declined: Option<bool>,
}

#[derive(Debug)]
struct Capture {
    id: String,
    order: String,
    /// In cents.
    amount: i64,
    refunded: i64,
}

/// Money in cents.
#[derive(Debug)]
struct MadeRefund {
    charge: String,
    amount: i64,
    /// Of this refund and all before it.
    total: i64,
}

impl PayPalStandIn {
    pub(super) async fn start(policy: FaultPolicy, seed: u64, notices: NoticeSender) -> Result<Self> {
        let books = Arc::new(Mutex::new(PayPalBooks {
            faults: Faults::new(policy, seed),
            tokens: HashSet::new(),
            orders: HashMap::new(),
            captures: Vec::new(),
            agreements: Agreements::default(),
            refunds: HashMap::new(),
            answers: HashMap::new(),
            made: 0,
            approvals: 0,
        }));
        let (served, sender) = (Arc::clone(&books), notices.clone());
        let url = serve(move |request| {
            let (answer, notice) = lock(&served).respond(request);
            if let Some(notice) = notice {
                sender.send(&notice);
            }
            answer
        })
        .await?;
        Ok(Self { url, books, notices })
    }

    /// The buyer approves the order or the plan at this page; false for an unknown page. Notices follow, some of them
    /// forged.
    pub fn approve(&self, page: &str) -> bool {
        let Some(id) = page.rsplit('/').next() else { return false };
        let mut books = lock(&self.books);
        if let Some(notices) = books.agreements.approve(id) {
            drop(books);
            notices.iter().for_each(|notice| self.notices.send(notice));
            return true;
        }
        let Some(order) = books.orders.get_mut(id) else { return false };
        if order.status == "PAYER_ACTION_REQUIRED" {
            order.status = "APPROVED";
        }
        let is_forged = books.approvals.is_multiple_of(FORGED_EACH);
        books.approvals += 1;
        drop(books);
        self.notices.send(&approval(id));
        if is_forged {
            let signature = vec![("paypal-transmission-sig", BASE64_STANDARD.encode(Sha256::digest("forged")))];
            let Notice { provider, headers, body, .. } = approval(id);
            let headers = headers.into_iter().filter(|(name, _)| *name != "paypal-transmission-sig").chain(signature);
            self.notices.send(&Notice { provider, headers: headers.collect(), body, is_forged: true });
        }
        true
    }

    /// Charges the next month of each plan that has fewer than `months`. Some charges are declined, and tried again by
    /// the next call.
    pub fn charge_plans(&self, months: usize) {
        let mut books = lock(&self.books);
        let PayPalBooks { faults, agreements, .. } = &mut *books;
        let mut notices = Vec::new();
        for id in agreements.due(months) {
            notices.extend(if faults.is_declined() { agreements.decline(&id) } else { agreements.charge(&id) });
        }
        drop(books);
        notices.iter().for_each(|notice| self.notices.send(notice));
    }

    /// Gives the first month of our subscription back, as after a dispute, and returns its price. A notice follows.
    pub fn give_month_back(&self, subscription: Uuid) -> Option<i64> {
        let mut books = lock(&self.books);
        let (sale, price) = books.agreements.first_sale(subscription)?;
        let (_, notice) = books.give_back(&sale, price).ok()?;
        drop(books);
        self.notices.send(&notice);
        Some(price)
    }

    /// Our subscriptions whose agreements are charged on.
    pub fn running_plans(&self) -> Vec<Uuid> {
        lock(&self.books).agreements.running()
    }

    /// The money that was taken.
    pub fn charges(&self) -> Vec<BookedCharge> {
        let books = lock(&self.books);
        let charge = |capture: &Capture| {
            let order = books.orders.get(&capture.order)?;
            Some(BookedCharge {
                payment: Some(order.custom_id.parse().unwrap_or(Uuid::nil())),
                charge: capture.id.clone(),
                amount: capture.amount,
                currency: "USD",
                refunded: capture.refunded,
            })
        };
        books.captures.iter().filter_map(charge).chain(books.agreements.charges()).collect()
    }

    pub fn faults(&self) -> FaultCounts {
        lock(&self.books).faults.counts
    }
}

fn approval(order: &str) -> Notice {
    event("CHECKOUT.ORDER.APPROVED", &json!({ "id": order, "status": "APPROVED" }))
}

fn completion(order: &str, capture: &str) -> Notice {
    let related = json!({ "related_ids": { "order_id": order } });
    event("PAYMENT.CAPTURE.COMPLETED", &json!({ "id": capture, "supplementary_data": related }))
}

/// A signed notice.
fn event(kind: &str, resource: &Value) -> Notice {
    let id = format!("WH-{}", Uuid::new_v4());
    let body = json!({ "id": id, "event_type": kind, "resource": resource }).to_string();
    let headers = vec![
        ("paypal-auth-algo", "SHA256withRSA".to_owned()),
        ("paypal-cert-url", "https://paypal.example/cert".to_owned()),
        ("paypal-transmission-id", Uuid::new_v4().to_string()),
        ("paypal-transmission-time", "2026-01-01T00:00:00Z".to_owned()),
        ("paypal-transmission-sig", signature(&body)),
    ];
    Notice { provider: "PayPal", headers, body, is_forged: false }
}

fn signature(body: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(format!("{SIGNING_KEY}{body}")))
}

/// Checks a signature against the bytes of the event, which ends the question.
fn verify(question: &str) -> Value {
    let event = question.split_once("\"webhook_event\":").and_then(|(_, rest)| rest.strip_suffix('}'));
    let read: Value = serde_json::from_str(question).unwrap_or_default();
    let is_signed = event.is_some_and(|event| read["transmission_sig"] == signature(event).as_str());
    let is_sent = is_signed && read["webhook_id"] == PAYPAL_WEBHOOK;
    json!({ "verification_status": if is_sent { "SUCCESS" } else { "FAILURE" } })
}

fn unknown() -> (u16, Value) {
    refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID")
}

fn refusal(status: u16, name: &str, issue: &str) -> (u16, Value) {
    (status, json!({ "name": name, "message": "no", "debug_id": "drill", "details": [{ "issue": issue }] }))
}

/// An amount with two decimals, in cents.
fn cents(value: &str) -> i64 {
    value.replace('.', "").parse().unwrap_or(-1)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Money as PayPal writes it.
fn money(cents: i64) -> Value {
    json!({ "currency_code": "USD", "value": format!("{}.{:02}", cents / 100, cents % 100) })
}

/// The link from a refund to its charge.
fn link_to(charge: &str) -> Value {
    json!({ "rel": "up", "href": format!("https://paypal.example/v2/payments/captures/{charge}") })
}

/// The state of a charge after its refunds.
fn charge_status(amount: i64, refunded: i64) -> &'static str {
    match refunded {
        0 => "COMPLETED",
        refunded if refunded < amount => "PARTIALLY_REFUNDED",
        _ => "REFUNDED",
    }
}

/// Adds a refund to those of a charge, if so much is left.
fn add_refund(amount: i64, refunded: &mut i64, given: i64) -> std::result::Result<i64, (u16, Value)> {
    if *refunded == amount {
        return Err(refusal(422, "UNPROCESSABLE_ENTITY", "CAPTURE_FULLY_REFUNDED"));
    }
    if given <= 0 || *refunded + given > amount {
        return Err(refusal(422, "UNPROCESSABLE_ENTITY", "REFUND_AMOUNT_EXCEEDED"));
    }
    *refunded += given;
    Ok(*refunded)
}

impl PayPalBooks {
    /// The answer to a call, and the notice that follows from it.
    fn respond(&mut self, request: &ProviderRequest) -> (ProviderAnswer, Option<Notice>) {
        let fate = self.faults.draw();
        if fate == CallFate::Unavailable {
            return (Some(refusal(503, "SERVICE_UNAVAILABLE", "")), None);
        }
        let (answer, notice) = self.call(request);
        (Some(answer).filter(|_| fate == CallFate::Answered), notice)
    }

    fn call(&mut self, request: &ProviderRequest) -> ((u16, Value), Option<Notice>) {
        let path = request.segments();
        let sent = request.header("authorization");
        if path == ["v1", "oauth2", "token"] {
            return (self.token(sent), None);
        }
        if !sent.strip_prefix("Bearer ").is_some_and(|token| self.tokens.contains(token)) {
            return (refusal(401, "AUTHENTICATION_FAILURE", ""), None);
        }
        let request_id = request.header("paypal-request-id");
        let key = format!("{} {request_id}", request.path);
        if let Some(earlier) = self.answers.get(&key) {
            return (earlier.clone(), None);
        }
        let mut notice = None;
        if let Some(answer) = self.agreements.call(&request.method, &path, &request.json()) {
            self.remember(request_id, key, &answer);
            return (answer, None);
        }
        let answer = match (request.method.as_str(), path.as_slice()) {
            ("POST", ["v1", "notifications", "verify-webhook-signature"]) => (200, verify(&request.body)),
            ("POST", ["v2", "checkout", "orders"]) => self.create(&request.json()),
            ("GET", ["v2", "checkout", "orders", id]) => self.order(id, 200),
            ("POST", ["v2", "checkout", "orders", id, "capture"]) => {
                let answer = self.capture(id);
                let capture = self.captures.iter().find(|capture| capture.order == *id);
                notice = capture.map(|capture| completion(id, &capture.id));
                answer
            }
            ("POST", ["v2", "payments", "captures", id, "refund"]) => {
                let given = cents(&text(&request.json()["amount"]["value"]));
                match self.give_back(id, given) {
                    Ok((refund, told)) => {
                        notice = Some(told);
                        (201, json!({ "id": refund, "status": "COMPLETED", "amount": money(given) }))
                    }
                    Err(refused) => refused,
                }
            }
            ("GET", ["v2", "payments", "captures", id]) => self.charge(id),
            ("GET", ["v2", "payments", "refunds", id]) => self.refund(id),
            _ => refusal(404, "NOT_FOUND", ""),
        };
        self.remember(request_id, key, &answer);
        (answer, notice)
    }

    /// A refusal is not remembered.
    fn remember(&mut self, request_id: &str, key: String, answer: &(u16, Value)) {
        if !request_id.is_empty() && answer.0 < 300 {
            self.answers.insert(key, answer.clone());
        }
    }

    fn token(&mut self, login: &str) -> (u16, Value) {
        if login != format!("Basic {}", BASE64_STANDARD.encode(format!("{PAYPAL_CLIENT}:{PAYPAL_SECRET}"))) {
            return (401, json!({ "error": "invalid_client" }));
        }
        let token = format!("{PAYPAL_TOKEN}{}", self.number());
        self.tokens.insert(token.clone());
        (200, json!({ "access_token": token, "token_type": "Bearer", "expires_in": 32_400 }))
    }

    fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    fn create(&mut self, sent: &Value) -> (u16, Value) {
        let id = format!("ORDER{}", self.number());
        let unit = &sent["purchase_units"][0];
        let order = PayPalOrder {
            status: "PAYER_ACTION_REQUIRED",
            custom_id: text(&unit["custom_id"]),
            currency: text(&unit["amount"]["currency_code"]),
            value: text(&unit["amount"]["value"]),
            is_declined: None,
        };
        self.orders.insert(id.clone(), order);
        self.order(&id, 201)
    }

    fn capture(&mut self, id: &str) -> (u16, Value) {
        let number = self.number();
        let Some(order) = self.orders.get_mut(id) else {
            return unknown();
        };
        match order.status {
            "APPROVED" => {
                if *order.is_declined.get_or_insert_with(|| self.faults.is_declined()) {
                    return refusal(422, "UNPROCESSABLE_ENTITY", "INSTRUMENT_DECLINED");
                }
                order.status = "COMPLETED";
                let amount = cents(&order.value);
                let capture = Capture { id: format!("CAPTURE{number}"), order: id.to_owned(), amount, refunded: 0 };
                self.captures.push(capture);
                self.order(id, 201)
            }
            "COMPLETED" => refusal(422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED"),
            _ => refusal(422, "UNPROCESSABLE_ENTITY", "ORDER_NOT_APPROVED"),
        }
    }

    /// Gives a part of a charge back, and returns the id of the refund and its notice.
    fn give_back(&mut self, charge: &str, amount: i64) -> std::result::Result<(String, Notice), (u16, Value)> {
        let id = format!("REFUND{}", self.number());
        let capture = self.captures.iter_mut().find(|capture| capture.id == charge);
        let (total, notice) = match (self.agreements.sale(charge), capture) {
            (Some((price, refunded)), _) => (
                add_refund(price, refunded, amount)?,
                event("PAYMENT.SALE.REFUNDED", &json!({ "id": id, "sale_id": charge })),
            ),
            (None, Some(capture)) => {
                let total = add_refund(capture.amount, &mut capture.refunded, amount)?;
                (total, event("PAYMENT.CAPTURE.REFUNDED", &json!({ "id": id, "links": [link_to(charge)] })))
            }
            (None, None) => return Err(unknown()),
        };
        self.refunds.insert(id.clone(), MadeRefund { charge: charge.to_owned(), amount, total });
        Ok((id, notice))
    }

    /// The state of a capture, or of a sale of an agreement.
    fn charge(&mut self, id: &str) -> (u16, Value) {
        let capture = self.captures.iter().find(|capture| capture.id == id);
        let capture = capture.map(|capture| charge_status(capture.amount, capture.refunded));
        let sale = self.agreements.sale(id).map(|(price, refunded)| charge_status(price, *refunded));
        match capture.or(sale) {
            Some(status) => (200, json!({ "id": id, "status": status })),
            None => unknown(),
        }
    }

    fn refund(&self, id: &str) -> (u16, Value) {
        let Some(MadeRefund { charge, amount, total }) = self.refunds.get(id) else { return unknown() };
        let breakdown = json!({ "total_refunded_amount": money(*total) });
        let body = json!({ "id": id, "status": "COMPLETED", "amount": money(*amount), "links": [link_to(charge)],
            "seller_payable_breakdown": breakdown });
        (200, body)
    }

    fn order(&self, id: &str, status: u16) -> (u16, Value) {
        let Some(order) = self.orders.get(id) else {
            return unknown();
        };
        let amount = json!({ "currency_code": order.currency, "value": order.value });
        let captures = self.captures.iter().filter(|capture| capture.order == id);
        let captures: Vec<Value> = captures
            .map(|capture| {
                let status = charge_status(capture.amount, capture.refunded);
                json!({ "id": capture.id, "status": status, "amount": amount })
            })
            .collect();
        let unit = json!({ "reference_id": "default", "custom_id": order.custom_id, "amount": amount,
            "payments": { "captures": captures } });
        let links = [
            json!({ "rel": "self", "href": "https://paypal.example/self" }),
            json!({ "rel": "payer-action", "href": format!("https://paypal.example/approve/{id}") }),
        ];
        (status, json!({ "id": id, "status": order.status, "purchase_units": [unit], "links": links }))
    }
}
