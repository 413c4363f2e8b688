//! Stand-ins of PayPal and TossPayments for drills. Each is a server on a real socket that keeps books, loses answers,
//! refuses calls, and sends notices.
//!
//! Core's unit tests have test servers of their own (`core/src/testing`), whose faults are scripted call by call. They
//! cannot share these: this crate depends on core, and their feature must not be built for the load tests
//! (`tests/built_once.rs`).

mod faults;
mod http;
mod notices;
mod paypal;
mod toss;

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use uuid::Uuid;

pub use faults::{FaultCounts, FaultPolicy};
pub use notices::{NoticeCounts, NoticeSender};
pub use paypal::PayPalStandIn;
pub use toss::TossStandIn;

use crate::error::Result;

/// Keys of both providers, which may appear in no log and no table, and the beginnings of the keys that they issue.
const PAYPAL_CLIENT: &str = "drill-client-of-paypal";
const PAYPAL_SECRET: &str = "drill-secret-of-paypal";
const PAYPAL_TOKEN: &str = "drill-token-of-paypal-";
const PAYPAL_WEBHOOK: &str = "drill-webhook-of-paypal";
const TOSS_CLIENT_KEY: &str = "test_ck_drill-of-toss";
const TOSS_SECRET_KEY: &str = "test_sk_drill-of-toss";
const TOSS_BILLING_KEY: &str = "drill-billing-key-of-toss-";

/// Money that a provider has taken.
#[derive(Debug, Clone)]
pub struct BookedCharge {
    /// Our payment, as the provider was told; `None` for a month that the provider has charged by itself.
    pub payment: Option<Uuid>,
    /// The provider's id of the charge.
    pub charge: String,
    /// In the smallest unit of the currency.
    pub amount: i64,
    pub currency: &'static str,
    pub refunded: i64,
}

/// Both providers, and the sender of their notices.
#[derive(Debug)]
pub struct StandIns {
    pub paypal: PayPalStandIn,
    pub toss: TossStandIn,
    pub notices: NoticeSender,
}

impl StandIns {
    /// Starts both. Their choices come from the seed.
    pub async fn start(policy: FaultPolicy, seed: u64) -> Result<Self> {
        let notices = NoticeSender::new(seed ^ 0x11)?;
        let paypal = PayPalStandIn::start(policy, seed ^ 0x22, notices.clone()).await?;
        let toss = TossStandIn::start(policy, seed ^ 0x33, notices.clone()).await?;
        Ok(Self { paypal, toss, notices })
    }

    /// The server's settings that select both, with the form for cards.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("payments.paypal_client_id", PAYPAL_CLIENT.to_owned()),
            ("payments.paypal_client_secret", PAYPAL_SECRET.to_owned()),
            ("payments.paypal_webhook_id", PAYPAL_WEBHOOK.to_owned()),
            ("payments.paypal_base_url", self.paypal.url.clone()),
            ("payments.toss_client_key", TOSS_CLIENT_KEY.to_owned()),
            ("payments.toss_secret_key", TOSS_SECRET_KEY.to_owned()),
            ("payments.toss_base_url", self.toss.url.clone()),
            ("payments.toss_card_form", "true".to_owned()),
            ("payments.key", sealing_key()),
        ]
    }

    /// Everything that both have taken.
    pub fn charges(&self) -> Vec<BookedCharge> {
        [self.paypal.charges(), self.toss.charges()].concat()
    }

    /// What went wrong on purpose at both.
    pub fn faults(&self) -> FaultCounts {
        self.paypal.faults().plus(self.toss.faults())
    }
}

/// Texts of both providers that may appear in no log and no table.
pub fn secrets() -> Vec<String> {
    let logins = [format!("{PAYPAL_CLIENT}:{PAYPAL_SECRET}"), format!("{TOSS_SECRET_KEY}:")];
    let kept = [PAYPAL_SECRET, PAYPAL_TOKEN, TOSS_SECRET_KEY, TOSS_BILLING_KEY].map(str::to_owned);
    let encoded = logins.map(|login| BASE64_STANDARD.encode(login));
    kept.into_iter().chain(encoded).chain([sealing_key()]).collect()
}

/// The setting `payments.key`.
fn sealing_key() -> String {
    BASE64_STANDARD.encode([0xd5; 32])
}

fn lock<T>(books: &Mutex<T>) -> MutexGuard<'_, T> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use reqwest::{Client, RequestBuilder};
    use serde_json::{Value, json};

    use super::*;

    const LOSSY: FaultPolicy = FaultPolicy { lost: 0.5, unavailable: 0.1, declined: 0.0 };

    async fn start() -> (StandIns, Client) {
        drop(rustls::crypto::ring::default_provider().install_default());
        let providers = StandIns::start(LOSSY, 7).await.expect("stand-ins");
        (providers, Client::builder().no_proxy().build().expect("a client"))
    }

    /// Repeats a call until it is answered.
    async fn answered(call: RequestBuilder) -> Value {
        loop {
            let call = call.try_clone().expect("a call that can be repeated");
            if let Ok(answer) = call.send().await
                && answer.status().is_success()
            {
                return answer.json().await.expect("a body");
            }
        }
    }

    /// A token of the PayPal stand-in.
    async fn token_of(http: &Client, url: &str) -> String {
        let login = http.post(format!("{url}/v1/oauth2/token")).basic_auth(PAYPAL_CLIENT, Some(PAYPAL_SECRET));
        answered(login).await["access_token"].as_str().expect("a token").to_owned()
    }

    #[tokio::test]
    async fn charge_of_a_card_whose_answers_are_lost_is_made_once() {
        let (providers, http) = start().await;
        let post = |path: &str, key: &str, body: Value| {
            let call = http.post(format!("{}/v1/{path}", providers.toss.url)).basic_auth(TOSS_SECRET_KEY, Some(""));
            call.header("idempotency-key", key).json(&body)
        };
        let card = json!({ "customerKey": "c", "cardNumber": "4111222233334444", "cardPassword": "12",
            "customerIdentityNumber": "1234567890" });
        let card = answered(post("billing/authorizations/card", "1", card)).await;
        let billing_key = card["billingKey"].as_str().expect("a billing key");
        let payment = Uuid::now_v7();
        let charge = json!({ "customerKey": "c", "amount": 9900, "orderId": payment, "orderName": "Pack" });
        answered(post(&format!("billing/{billing_key}"), "2", charge)).await;
        let charges = providers.charges();
        assert_eq!(charges.len(), 1);
        assert_eq!((charges[0].payment, charges[0].amount, charges[0].refunded), (Some(payment), 9900, 0));
        let path = format!("payments/{}/cancel", charges[0].charge);
        answered(post(&path, "3", json!({ "cancelReason": "refund", "cancelAmount": 900 }))).await;
        assert_eq!(providers.charges()[0].refunded, 900);
    }

    #[tokio::test]
    async fn approved_order_whose_answers_are_lost_is_captured_once() {
        let (providers, http) = start().await;
        let url = &providers.paypal.url;
        let token = &token_of(&http, url).await;
        let post = |path: &str, key: &str, body: Value| {
            let call = http.post(format!("{url}/v2/{path}")).bearer_auth(token);
            call.header("paypal-request-id", key).json(&body)
        };
        let payment = Uuid::now_v7();
        let amount = json!({ "currency_code": "USD", "value": "6.99" });
        let order = json!({ "purchase_units": [{ "custom_id": payment, "amount": amount }] });
        let order = answered(post("checkout/orders", "1", order)).await;
        assert!(providers.paypal.approve(order["links"][1]["href"].as_str().expect("a page")));
        let path = format!("checkout/orders/{}/capture", order["id"].as_str().expect("an id"));
        answered(post(&path, "2", json!({}))).await;
        let charges = providers.charges();
        assert_eq!(charges.len(), 1);
        assert_eq!((charges[0].payment, charges[0].amount, charges[0].refunded), (Some(payment), 699, 0));
    }

    #[tokio::test]
    async fn plan_whose_answers_are_lost_is_opened_once_and_charged_by_the_stand_in() {
        let (providers, http) = start().await;
        let url = &providers.paypal.url;
        let token = &token_of(&http, url).await;
        let post = |path: &str, key: &str, body: Value| {
            let call = http.post(format!("{url}/v1/{path}")).bearer_auth(token);
            call.header("paypal-request-id", key).json(&body)
        };
        let price = json!({ "fixed_price": { "currency_code": "USD", "value": "19.00" } });
        let plan = json!({ "billing_cycles": [{ "pricing_scheme": price }] });
        let plan = answered(post("billing/plans", "1", plan)).await;
        let subscription = Uuid::now_v7();
        let wish = json!({ "plan_id": plan["id"], "custom_id": subscription });
        let opened = answered(post("billing/subscriptions", "2", wish)).await;
        assert_eq!(opened["custom_id"], json!(subscription));
        assert!(providers.paypal.approve(opened["links"][0]["href"].as_str().expect("a page")));
        for _ in 0..3 {
            providers.paypal.charge_plans(2);
        }
        let charges = providers.charges();
        assert_eq!(charges.len(), 2);
        assert_eq!((charges[0].payment, charges[0].amount, charges[0].refunded), (None, 1900, 0));
        assert_eq!(providers.paypal.give_month_back(subscription), Some(1900));
        assert_eq!(providers.paypal.give_month_back(subscription), None, "it was given back");
        assert_eq!(providers.charges().iter().map(|charge| charge.refunded).sum::<i64>(), 1900);
    }
}
