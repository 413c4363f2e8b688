//! The stand-in's plans and agreements (PayPal's word is subscriptions), which it charges by its own clock.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{cents, charge_status, event, money, refusal, text, unknown};
use crate::payments::BookedCharge;
use crate::payments::notices::Notice;

#[derive(Debug, Default)]
pub(super) struct Agreements {
    made: usize,
    /// Prices in cents by PayPal's id.
    plans: HashMap<String, i64>,
    agreements: HashMap<String, Agreement>,
}

#[derive(Debug)]
struct Agreement {
    status: &'static str,
    /// Our subscription.
    custom_id: String,
    /// In cents.
    price: i64,
    sales: Vec<Sale>,
    failed: usize,
}

#[derive(Debug)]
struct Sale {
    id: String,
    at: DateTime<Utc>,
    /// In cents.
    refunded: i64,
}

impl Agreements {
    fn number(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    /// The buyer approves an agreement, which is then charged; `None` for an unknown one. Notices follow.
    pub fn approve(&mut self, id: &str) -> Option<Vec<Notice>> {
        let agreement = self.agreements.get_mut(id)?;
        if agreement.status != "APPROVAL_PENDING" {
            return Some(Vec::new());
        }
        agreement.status = "ACTIVE";
        let activated = event("BILLING.SUBSCRIPTION.ACTIVATED", &json!({ "id": id, "status": "ACTIVE" }));
        Some([activated].into_iter().chain(self.charge(id)).collect())
    }

    /// Active agreements with fewer than `months` sales.
    pub fn due(&self, months: usize) -> Vec<String> {
        let is_due = |one: &Agreement| one.status == "ACTIVE" && one.sales.len() < months;
        self.agreements.iter().filter(|(_, one)| is_due(one)).map(|(id, _)| id.clone()).collect()
    }

    /// Our subscriptions with an active agreement.
    pub fn running(&self) -> Vec<Uuid> {
        let active = self.agreements.values().filter(|one| one.status == "ACTIVE");
        active.filter_map(|one| one.custom_id.parse().ok()).collect()
    }

    /// Charges a month of an agreement. A notice follows.
    pub fn charge(&mut self, id: &str) -> Option<Notice> {
        let sale = Sale { id: self.number("SALE"), at: Utc::now(), refunded: 0 };
        let agreement = self.agreements.get_mut(id)?;
        let notice = event("PAYMENT.SALE.COMPLETED", &json!({ "id": sale.id, "billing_agreement_id": id }));
        agreement.sales.push(sale);
        agreement.failed = 0;
        Some(notice)
    }

    /// A charge is declined, and will be tried again. A notice follows.
    pub fn decline(&mut self, id: &str) -> Option<Notice> {
        self.agreements.get_mut(id)?.failed += 1;
        Some(event("BILLING.SUBSCRIPTION.PAYMENT.FAILED", &json!({ "id": id })))
    }

    pub fn charges(&self) -> impl Iterator<Item = BookedCharge> {
        self.agreements.values().flat_map(|agreement| {
            agreement.sales.iter().map(move |sale| BookedCharge {
                payment: None,
                charge: sale.id.clone(),
                amount: agreement.price,
                currency: "USD",
                refunded: sale.refunded,
            })
        })
    }

    /// The answer to a call; `None` if it is about something else.
    pub fn call(&mut self, method: &str, path: &[&str], sent: &Value) -> Option<(u16, Value)> {
        match (method, path) {
            ("POST", ["v1", "catalogs", "products"]) => Some((201, json!({ "id": self.number("PROD") }))),
            ("POST", ["v1", "billing", "plans"]) => {
                let (id, price) = (self.number("PLAN"), &sent["billing_cycles"][0]["pricing_scheme"]["fixed_price"]);
                self.plans.insert(id.clone(), cents(&text(&price["value"])));
                Some((201, json!({ "id": id, "status": "ACTIVE" })))
            }
            ("POST", ["v1", "billing", "subscriptions"]) => Some(self.open(sent)),
            ("GET", ["v1", "billing", "subscriptions", id]) => Some(self.show(id)),
            ("GET", ["v1", "billing", "subscriptions", id, "transactions"]) => Some(self.sales(id)),
            ("POST", ["v1", "billing", "subscriptions", id, "cancel"]) => Some(self.cancel(id)),
            _ => None,
        }
    }

    fn open(&mut self, sent: &Value) -> (u16, Value) {
        let Some(price) = self.plans.get(&text(&sent["plan_id"])).copied() else { return unknown() };
        let id = format!("I-{}", Uuid::new_v4().simple());
        let custom_id = text(&sent["custom_id"]);
        let agreement = Agreement { status: "APPROVAL_PENDING", custom_id, price, sales: Vec::new(), failed: 0 };
        self.agreements.insert(id.clone(), agreement);
        let (_, body) = self.show(&id);
        (201, body)
    }

    fn show(&self, id: &str) -> (u16, Value) {
        let Some(agreement) = self.agreements.get(id) else { return unknown() };
        let links = [json!({ "rel": "approve", "href": format!("https://paypal.example/approve/{id}") })];
        let info = json!({ "failed_payments_count": agreement.failed });
        let Agreement { status, custom_id, .. } = agreement;
        (200, json!({ "id": id, "status": status, "custom_id": custom_id, "billing_info": info, "links": links }))
    }

    fn sales(&self, id: &str) -> (u16, Value) {
        let Some(agreement) = self.agreements.get(id) else { return unknown() };
        let price = agreement.price;
        let sales = agreement.sales.iter().map(|sale| {
            let status = charge_status(price, sale.refunded);
            let breakdown = json!({ "gross_amount": money(price) });
            json!({ "id": sale.id, "status": status, "time": sale.at, "amount_with_breakdown": breakdown })
        });
        (200, json!({ "transactions": sales.collect::<Vec<_>>() }))
    }

    fn cancel(&mut self, id: &str) -> (u16, Value) {
        let Some(agreement) = self.agreements.get_mut(id) else { return unknown() };
        if agreement.status != "ACTIVE" {
            return refusal(422, "UNPROCESSABLE_ENTITY", "SUBSCRIPTION_STATUS_INVALID");
        }
        agreement.status = "CANCELLED";
        (204, Value::Null)
    }

    /// The price of a sale, and what is refunded of it.
    pub fn sale(&mut self, id: &str) -> Option<(i64, &mut i64)> {
        self.agreements.values_mut().find_map(|agreement| {
            let sale = agreement.sales.iter_mut().find(|sale| sale.id == id)?;
            Some((agreement.price, &mut sale.refunded))
        })
    }

    /// The first sale of our subscription, and its price.
    pub fn first_sale(&self, subscription: Uuid) -> Option<(String, i64)> {
        let subscription = subscription.to_string();
        let agreement = self.agreements.values().find(|one| one.custom_id == subscription)?;
        Some((agreement.sales.first()?.id.clone(), agreement.price))
    }
}
