//! Buyers: they save a card, subscribe, buy, approve, cancel, ask for their money, and try codes of coupons. After an
//! answer that was lost they look up what became of the request, as people do.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::plan::{Buyer, Card, Country, Fate, Plan, PlanFate, Purchase};
use super::shop::{Account, MONTH_KRW, MONTH_USD, Reply, Shop, id_of, repetition, word};
use crate::error::{Error, Result};

/// The pause between looks at an order.
const PAUSE: Duration = Duration::from_millis(150);
/// Timeout of an order's end.
const PATIENCE: Duration = Duration::from_mins(3);
/// How often a purchase is begun whose payment the provider does not open.
const MAX_ORDERS: usize = 8;
/// The pause between the codes of coupons.
const CODE_PAUSE: Duration = Duration::from_millis(250);

/// Starts all buyers, and the users of coupons. Purchases take turns for `at_once` permits.
pub fn start(plan: &Plan, shop: &Arc<Shop>, at_once: usize) -> JoinSet<()> {
    let permits = Arc::new(Semaphore::new(at_once));
    let mut clients = JoinSet::new();
    for (number, buyer) in plan.buyers.iter().enumerate() {
        let (shop, permits, buyer) = (Arc::clone(shop), Arc::clone(&permits), buyer.clone());
        clients.spawn(async move {
            let client = Client { shop: &shop, account: Account::Buyer(number) };
            client.act(&buyer, &permits).await;
        });
    }
    let (shop, codes) = (Arc::clone(shop), plan.codes.clone());
    clients.spawn(async move { redeem_all(&shop, &codes).await });
    clients
}

/// One buyer.
struct Client<'a> {
    shop: &'a Shop,
    account: Account,
}

impl Client<'_> {
    async fn act(&self, buyer: &Buyer, permits: &Semaphore) {
        self.note(self.save_card(&buyer.card).await);
        if let Some(country) = buyer.plan_in {
            self.note(self.subscribe(country).await);
            self.note(self.end_plan(buyer.plan_fate).await);
        }
        let mut known = BTreeSet::new();
        for purchase in &buyer.purchases {
            tokio::time::sleep(purchase.pause).await;
            // It is never closed.
            let _permit = permits.acquire().await;
            self.note(self.purchase(purchase, &mut known).await);
            self.shop.advance();
        }
    }

    fn note(&self, done: Result<()>) {
        if let Err(error) = done {
            self.shop.wrong(format!("{:?}: {error}", self.account));
        }
    }

    /// A card that was entered twice is saved once.
    async fn save_card(&self, card: &Card) -> Result<()> {
        let begin = json!({ "country": Country::Korea.name() });
        let (status, opened) =
            self.shop.insist(Method::POST, "general/payment-method", self.account, Some(&begin)).await?;
        let id = id_of(&opened).ok_or_else(|| unexpected("a new card", status, &opened))?;
        let path = format!("general/payment-method/{id}/card");
        let (status, saved) = self.shop.insist(Method::POST, &path, self.account, Some(&card.form())).await?;
        if status != 200 {
            return Err(unexpected("a card", status, &saved));
        }
        self.shop.count("cards that were saved");
        Ok(())
    }

    /// Subscribes, again if the first charge was declined or the provider did not answer. At PayPal the buyer approves it.
    async fn subscribe(&self, country: Country) -> Result<()> {
        let amount = if country == Country::Korea { MONTH_KRW } else { MONTH_USD };
        let body = json!({ "itemId": self.shop.plan, "country": country.name(), "amount": amount, "isAgreed": true });
        for _ in 0..MAX_ORDERS {
            let reply = self.shop.ask(Method::POST, "general/subscription", self.account, Some(&body)).await;
            match reply {
                // 409: an earlier request, whose answer was lost, has subscribed.
                Reply::Answered(201 | 409, _) => {}
                Reply::Answered(status, body) if status < 500 && status != 429 => {
                    return Err(unexpected("a subscription", status, &body));
                }
                other => self.shop.count(repetition(&other)),
            }
            let seen = self.shop.read("general/subscription", self.account).await?;
            let subscription = seen.get("subscription").unwrap_or(&Value::Null);
            let (status, page) = (word(subscription, "status"), word(subscription, "payAt"));
            if country == Country::Other && status == "Pending" {
                if !page.is_empty() && self.shop.providers.paypal.approve(page) {
                    self.shop.count("plans that were approved at PayPal");
                    let complete = "general/subscription/complete";
                    self.shop.insist(Method::POST, complete, self.account, None).await?;
                    return Ok(());
                }
                // Its address was lost with the answer of the provider.
                self.shop.insist(Method::POST, "general/subscription/cancel", self.account, None).await?;
            } else if ["Pending", "Active", "PastDue"].contains(&status) {
                self.shop.count("subscriptions that were begun");
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.shop.count("subscriptions that were given up");
        Ok(())
    }

    /// Cancels a plan whose first month is paid, or gets money of it back. One that was given up or has ended is left alone.
    async fn end_plan(&self, fate: PlanFate) -> Result<()> {
        if fate == PlanFate::Keep {
            return Ok(());
        }
        let until = Instant::now() + PATIENCE;
        let mut plan = loop {
            let mut seen = self.shop.read("general/subscription", self.account).await?;
            let subscription = seen.get_mut("subscription").map(Value::take).unwrap_or_default();
            match word(&subscription, "status") {
                "Active" => break subscription,
                "Pending" if Instant::now() < until => tokio::time::sleep(PAUSE).await,
                "Pending" => {
                    return Err(Error::Other(format!("a plan was not paid within {PATIENCE:?}: {subscription}")));
                }
                _ => return Ok(()),
            }
        };
        if fate == PlanFate::RefundAtPayPal {
            return self.refund_at_paypal(&plan).await;
        }
        if fate == PlanFate::RefundPart {
            let order = plan.get_mut("order").map(Value::take).unwrap_or_default();
            let id = id_of(&order).ok_or_else(|| Error::Other(format!("a plan without its order: {order}")))?;
            self.shop.count("months that an admin gave back in part");
            return self.refund_part(&order, id, 50).await;
        }
        match self.shop.insist(Method::POST, "general/subscription/cancel", self.account, None).await? {
            // 404: an earlier request, whose answer was lost, has canceled it, and it has ended since.
            (200 | 404, _) => self.shop.count("plans that were canceled"),
            (status, body) => return Err(unexpected("the cancellation of a plan", status, &body)),
        }
        Ok(())
    }

    /// PayPal gives the first month of a plan back and tells the server, which no client has asked.
    async fn refund_at_paypal(&self, plan: &Value) -> Result<()> {
        let list = self.shop.read("general/order?limit=100", self.account).await?;
        let orders = list.get("items").and_then(Value::as_array);
        // The newest order is the first one.
        let first = orders.and_then(|orders| orders.iter().rfind(|order| word(order, "kind") == "Subscription"));
        let given = id_of(plan).and_then(|plan| self.shop.providers.paypal.give_month_back(plan));
        let (Some(order), Some(amount)) = (first.and_then(id_of), given) else {
            return Err(Error::Other(format!("a plan without a month that PayPal could give back: {plan}")));
        };
        self.shop.notes().refunded.insert(order, amount);
        self.shop.count("months that PayPal gave back itself");
        Ok(())
    }

    /// One purchase with all that follows. `known` are the buyer's orders so far.
    async fn purchase(&self, purchase: &Purchase, known: &mut BTreeSet<Uuid>) -> Result<()> {
        let Some(order) = self.order(purchase.country, known).await? else {
            self.shop.count("purchases that were given up");
            return Ok(());
        };
        let id = id_of(&order).ok_or_else(|| unexpected("an order", 201, &order))?;
        if purchase.country == Country::Other && !self.approve(purchase.fate, &order) {
            return self.cancel(id).await;
        }
        if let Fate::Cancel { is_approved: true } = purchase.fate {
            return self.cancel(id).await;
        }
        let status = self.complete(id).await?;
        self.shop.count(format!("purchases that ended as {status}"));
        if status != "Paid" {
            return Ok(());
        }
        self.shop.notes().paid.insert(id);
        match purchase.fate {
            Fate::RefundOwn { requests } => self.refund_own(id, requests).await,
            Fate::RefundPart { percent } => self.refund_part(&order, id, percent).await,
            Fate::Keep | Fate::Cancel { .. } => Ok(()),
        }
    }

    /// Orders a pack. `None` if that was refused too often.
    async fn order(&self, country: Country, known: &mut BTreeSet<Uuid>) -> Result<Option<Value>> {
        let body = json!({ "itemId": self.shop.pack, "country": country.name(), "isAgreed": true });
        for _ in 0..MAX_ORDERS {
            match self.shop.ask(Method::POST, "general/order", self.account, Some(&body)).await {
                Reply::Answered(201, order) => {
                    known.extend(id_of(&order));
                    return Ok(Some(order));
                }
                Reply::Answered(status, body) if status < 500 && status != 429 => {
                    return Err(unexpected("an order", status, &body));
                }
                other => self.shop.count(repetition(&other)),
            }
            if let Some(order) = self.look_up(known).await? {
                self.shop.count("orders that were found after a lost answer");
                return Ok(Some(order));
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(None)
    }

    /// The newest order that the buyer did not know and that has not failed.
    async fn look_up(&self, known: &mut BTreeSet<Uuid>) -> Result<Option<Value>> {
        let mut list = self.shop.read("general/order?limit=100", self.account).await?;
        let Some(Value::Array(orders)) = list.get_mut("items").map(Value::take) else {
            return Err(Error::Other(format!("a list of orders without items: {list}")));
        };
        let is_pack = |order: &Value| (word(order, "type"), word(order, "kind")) == ("Payment", "Credit");
        let packs = orders.into_iter().filter(is_pack);
        let mut found = None;
        for order in packs {
            let is_new = id_of(&order).is_some_and(|id| known.insert(id));
            if is_new && found.is_none() && word(&order, "status") != "Failed" {
                found = Some(order);
            }
        }
        Ok(found)
    }

    /// The buyer approves the payment; false if it is to be canceled instead.
    fn approve(&self, fate: Fate, order: &Value) -> bool {
        let page = word(order, "payAt");
        if page.is_empty() && word(order, "status") == "Ready" {
            // Its address was lost with the answer of the provider.
            self.shop.count("orders without an address to pay at");
            return false;
        }
        if fate == (Fate::Cancel { is_approved: false }) {
            return false;
        }
        if !page.is_empty() && !self.shop.providers.paypal.approve(page) {
            self.shop.wrong(format!("PayPal does not know the page {page}"));
        }
        true
    }

    /// Cancels an order. One that is being charged or that a notice has paid goes on to its end.
    async fn cancel(&self, id: Uuid) -> Result<()> {
        let path = format!("general/order/{id}/cancel");
        let (status, order) = self.shop.insist(Method::POST, &path, self.account, None).await?;
        match status {
            200 => self.shop.count(format!("purchases that ended as {}", word(&order, "status"))),
            409 => {
                let status = self.complete(id).await?;
                self.shop.count(format!("purchases that ended as {status}"));
                if status == "Paid" {
                    self.shop.notes().paid.insert(id);
                }
            }
            _ => return Err(unexpected("a cancellation", status, &order)),
        }
        Ok(())
    }

    /// Comes back from the provider until the order has ended. Returns its status.
    async fn complete(&self, id: Uuid) -> Result<String> {
        let (path, until) = (format!("general/order/{id}/complete"), Instant::now() + PATIENCE);
        loop {
            let (status, order) = self.shop.insist(Method::POST, &path, self.account, None).await?;
            match word(&order, "status") {
                "Ready" => {}
                "" => return Err(unexpected("the completion of an order", status, &order)),
                ended => return Ok(ended.to_owned()),
            }
            if Instant::now() > until {
                return Err(Error::Other(format!("order {id} has not ended within {PATIENCE:?}: {order}")));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Asks for the money of an order, with so many requests at once.
    async fn refund_own(&self, id: Uuid, requests: usize) -> Result<()> {
        let (path, read) = (format!("general/order/{id}/refund"), format!("general/order/{id}"));
        self.refund((path.as_str(), read.as_str(), self.account), None, requests, id).await
    }

    /// An admin gives a part of the money back, and takes as large a part of the credits.
    async fn refund_part(&self, order: &Value, id: Uuid, percent: i64) -> Result<()> {
        let part = |field: &str| order.get(field).and_then(Value::as_i64).unwrap_or(0) * percent / 100;
        let body = json!({ "amount": part("amount").max(1), "credits": part("credits"), "reason": "a drill" });
        let (path, read) = (format!("admin/order/{id}/refund"), format!("admin/order/{id}"));
        self.refund((path.as_str(), read.as_str(), Account::Admin), Some(&body), 1, id).await
    }

    /// Asks until the order has a refund.
    async fn refund(
        &self,
        (path, read, account): (&str, &str, Account),
        body: Option<&Value>,
        requests: usize,
        id: Uuid,
    ) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let asked = (0..requests).map(|_| self.shop.ask(Method::POST, path, account, body));
            for reply in join_all(asked).await {
                match reply {
                    // 409: the other request, or an earlier one whose answer was lost, was first.
                    Reply::Answered(200 | 409, _) => {}
                    Reply::Answered(status, body) if status < 500 && status != 429 => {
                        return Err(unexpected("a refund", status, &body));
                    }
                    other => self.shop.count(repetition(&other)),
                }
            }
            let order = self.shop.read(read, account).await?;
            let refunded = order.get("refundedAmount").and_then(Value::as_i64).unwrap_or(0);
            if refunded > 0 {
                let asked = body.and_then(|body| body.get("amount")).or_else(|| order.get("amount"));
                let asked = asked.and_then(Value::as_i64).unwrap_or(0);
                self.shop.notes().refunded.insert(id, asked);
                self.shop.count("refunds that were asked for");
                return Ok(());
            }
            if Instant::now() > until {
                return Err(Error::Other(format!("order {id} was not refunded within {PATIENCE:?}: {order}")));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Tries each code by several accounts at once.
async fn redeem_all(shop: &Shop, codes: &[Vec<usize>]) {
    for (code, accounts) in shop.codes.iter().zip(codes) {
        let tries = accounts.iter().map(|number| redeem(shop, code, Account::Buyer(*number)));
        for error in join_all(tries).await.into_iter().filter_map(Result::err) {
            shop.wrong(format!("a code: {error}"));
        }
        tokio::time::sleep(CODE_PAUSE).await;
    }
}

/// Tries a code until it is used, by this account or another one.
async fn redeem(shop: &Shop, code: &str, account: Account) -> Result<()> {
    let body = json!({ "code": code });
    match shop.insist(Method::POST, "general/coupon", account, Some(&body)).await? {
        (201, used) => {
            shop.notes().coupon_uses.extend(id_of(&used));
            shop.count("codes that were used, as their user was told");
            Ok(())
        }
        (409, _) => {
            shop.count("codes that were used before");
            Ok(())
        }
        (status, body) => Err(unexpected("a code", status, &body)),
    }
}

fn unexpected(what: &str, status: u16, body: &Value) -> Error {
    Error::Other(format!("{what} was answered {status}: {body}"))
}
