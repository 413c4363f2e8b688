//! The test server's plans and agreements (PayPal's word is subscriptions). They are charged by the server's own clock.

use std::collections::HashMap;

use chrono::{DateTime, Months, Utc};
use serde_json::{Value, json};

use super::{cents, refunded, refusal};

#[derive(Default)]
pub(super) struct Agreements {
    now: DateTime<Utc>,
    made: usize,
    /// Currency and price by PayPal's id.
    plans: HashMap<String, (String, String)>,
    agreements: HashMap<String, Agreement>,
}

struct Agreement {
    status: &'static str,
    key: String,
    currency: String,
    value: String,
    /// The first charge, and charges that are due.
    began: DateTime<Utc>,
    months: u32,
    failed: usize,
    is_declined: bool,
    sales: Vec<Sale>,
}

struct Sale {
    id: String,
    at: DateTime<Utc>,
    /// In cents.
    refunded: i64,
}

impl Agreement {
    /// The charge that is due next.
    fn due_at(&self) -> DateTime<Utc> {
        self.began.checked_add_months(Months::new(self.months)).expect("a time")
    }

    fn sale_status(&self, sale: &Sale) -> &'static str {
        match sale.refunded {
            0 => "COMPLETED",
            refunded if refunded < cents(&self.value) => "PARTIALLY_REFUNDED",
            _ => "REFUNDED",
        }
    }
}

impl Agreements {
    fn number(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    /// Moves the clock, and charges what is due. A declined charge is tried again each day, three times.
    pub fn pass_to(&mut self, now: DateTime<Utc>) {
        self.now = now;
        let ids: Vec<String> = self.agreements.keys().cloned().collect();
        for id in ids {
            while self.charge(&id) {}
        }
    }

    /// Charges an agreement if it is due; false if it is not, or the charge is declined.
    fn charge(&mut self, id: &str) -> bool {
        let (sale, now) = (self.number("SALE"), self.now);
        let agreement = self.agreements.get_mut(id).expect("an agreement");
        if agreement.status != "ACTIVE" || agreement.due_at() > now {
            return false;
        }
        if agreement.is_declined {
            agreement.failed += 1;
            if agreement.failed == 3 {
                agreement.status = "SUSPENDED";
            }
            return false;
        }
        agreement.failed = 0;
        agreement.months += 1;
        agreement.sales.push(Sale { id: sale, at: now, refunded: 0 });
        true
    }

    /// The buyer approves an agreement at this time.
    pub fn approve(&mut self, id: &str, now: DateTime<Utc>) {
        let agreement = self.agreements.get_mut(id).expect("an agreement");
        (agreement.status, agreement.began) = ("ACTIVE", now);
        self.pass_to(now);
    }

    pub fn set_status(&mut self, id: &str, status: &'static str) {
        self.agreements.get_mut(id).expect("an agreement").status = status;
    }

    pub fn status(&self, id: &str) -> &'static str {
        self.agreements[id].status
    }

    pub fn set_declined(&mut self, id: &str, is_declined: bool) {
        let agreement = self.agreements.get_mut(id).expect("an agreement");
        agreement.is_declined = is_declined;
        if !is_declined && agreement.status == "SUSPENDED" {
            (agreement.status, agreement.failed) = ("ACTIVE", 0);
        }
    }

    /// PayPal forgets all plans, as after a change of the account.
    pub fn forget_plans(&mut self) {
        self.plans.clear();
    }

    /// Sales, and cents that were taken and not given back.
    pub fn books(&self) -> (usize, i64) {
        let sales = || self.agreements.values().flat_map(|one| one.sales.iter().map(move |sale| (one, sale)));
        (sales().count(), sales().map(|(one, sale)| cents(&one.value) - sale.refunded).sum())
    }

    pub fn perform(&mut self, operation: &str, path: &[&str], sent: &Value) -> (u16, Value) {
        match operation {
            "product" => (201, json!({ "id": self.number("PROD") })),
            "plan" => self.plan(sent),
            "subscribe" => self.subscribe(sent),
            "agreement" => self.show(path[3], 200),
            "sales" => self.sales(path[3]),
            _ => self.cancel(path[3]),
        }
    }

    fn plan(&mut self, sent: &Value) -> (u16, Value) {
        let id = self.number("PLAN");
        let cycle = &sent["billing_cycles"][0];
        assert_eq!((&cycle["frequency"]["interval_unit"], &cycle["total_cycles"]), (&json!("MONTH"), &json!(0)));
        assert_eq!(sent["payment_preferences"]["auto_bill_outstanding"], json!(false), "a month is not made up for");
        assert!(sent["product_id"].as_str().is_some_and(|product| product.starts_with("PROD")), "{sent}");
        let price = &cycle["pricing_scheme"]["fixed_price"];
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        self.plans.insert(id.clone(), (text(&price["currency_code"]), text(&price["value"])));
        (201, json!({ "id": id, "status": "ACTIVE" }))
    }

    fn subscribe(&mut self, sent: &Value) -> (u16, Value) {
        let plan = sent["plan_id"].as_str().expect("a plan");
        let Some((currency, value)) = self.plans.get(plan).cloned() else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        let id = self.number("I-");
        let key = sent["custom_id"].as_str().expect("an id").to_owned();
        let began = self.now;
        let agreement = Agreement {
            status: "APPROVAL_PENDING",
            key,
            currency,
            value,
            began,
            months: 0,
            failed: 0,
            is_declined: false,
            sales: Vec::new(),
        };
        self.agreements.insert(id.clone(), agreement);
        self.show(&id, 201)
    }

    fn show(&self, id: &str, status: u16) -> (u16, Value) {
        let Some(agreement) = self.agreements.get(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        let info = json!({ "failed_payments_count": agreement.failed, "next_billing_time": agreement.due_at() });
        let links = [json!({ "rel": "approve", "href": format!("https://paypal.example/approve/{id}") })];
        let body = json!({ "id": id, "status": agreement.status, "custom_id": agreement.key, "billing_info": info,
            "links": links });
        (status, body)
    }

    fn sales(&self, id: &str) -> (u16, Value) {
        let Some(agreement) = self.agreements.get(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        let amount = json!({ "currency_code": agreement.currency, "value": agreement.value });
        // The newest one first.
        let sales = agreement.sales.iter().rev().map(|sale| {
            json!({ "id": sale.id, "status": agreement.sale_status(sale), "time": sale.at,
                "amount_with_breakdown": { "gross_amount": amount } })
        });
        (200, json!({ "transactions": sales.collect::<Vec<_>>() }))
    }

    fn cancel(&mut self, id: &str) -> (u16, Value) {
        let Some(agreement) = self.agreements.get_mut(id) else {
            return refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID");
        };
        match agreement.status {
            "ACTIVE" | "SUSPENDED" => {
                agreement.status = "CANCELLED";
                (204, Value::Null)
            }
            _ => refusal(422, "UNPROCESSABLE_ENTITY", "SUBSCRIPTION_STATUS_INVALID"),
        }
    }

    /// Gives a part of a sale back, and returns what is refunded then; `None` if there is no such sale.
    pub fn refund(&mut self, id: &str, given: i64) -> Option<Result<i64, (u16, Value)>> {
        let own = |agreement: &&mut Agreement| agreement.sales.iter().any(|sale| sale.id == id);
        let agreement = self.agreements.values_mut().find(own)?;
        let whole = cents(&agreement.value);
        let sale = agreement.sales.iter_mut().find(|sale| sale.id == id)?;
        Some(refunded(whole, sale.refunded, given).inspect(|after| sale.refunded = *after))
    }

    pub fn sale_status(&self, id: &str) -> Option<&'static str> {
        let own = |one: &Agreement| one.sales.iter().find(|sale| sale.id == id).map(|sale| one.sale_status(sale));
        self.agreements.values().find_map(own)
    }

    pub fn sale_ids(&self, agreement: &str) -> Vec<String> {
        self.agreements[agreement].sales.iter().map(|sale| sale.id.clone()).collect()
    }
}
