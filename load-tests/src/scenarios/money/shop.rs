//! The shop as its users see it: requests that are repeated while the server is down, and what was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::accounts::Proof;
use crate::error::{Error, Result};
use crate::payments::StandIns;

/// Timeout of one request, longer than the server's own.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(150);
/// Timeout of an answer, however often it is asked for.
const PATIENCE: Duration = Duration::from_mins(3);
/// Prices of a pack of credits and of a month of the plan.
const PACK_CREDITS: i64 = 1000;
const PACK_KRW: i64 = 9900;
const PACK_USD: i64 = 699;
pub const PLAN: &str = "Member";
pub const MONTH_KRW: i64 = 19_000;
pub const MONTH_USD: i64 = 1_900;

/// The shop, its accounts and the providers.
#[derive(Debug)]
pub struct Shop {
    http: reqwest::Client,
    server: String,
    admin: String,
    /// One API key per buyer.
    keys: Vec<String>,
    pub providers: StandIns,
    pub pack: String,
    pub plan: String,
    pub codes: Vec<String>,
    /// Purchases that have ended.
    pub progress: AtomicUsize,
    notes: Mutex<Notes>,
}

/// What clients have seen.
#[derive(Debug, Default, Clone)]
pub struct Notes {
    pub counts: BTreeMap<String, usize>,
    /// Orders that were seen paid.
    pub paid: BTreeSet<Uuid>,
    /// Money that each order gave back.
    pub refunded: BTreeMap<Uuid, i64>,
    /// Uses of coupons that were confirmed.
    pub coupon_uses: BTreeSet<Uuid>,
    /// Answers that no client should get.
    pub wrong: Vec<String>,
}

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    Admin,
    Buyer(usize),
}

/// An answer, or none.
#[derive(Debug)]
pub enum Reply {
    Answered(u16, Value),
    /// The connection was refused or broke: the request may have had its effect.
    Lost,
}

impl Shop {
    /// Offers a pack, a plan and a coupon with `codes` codes. The first key is the admin's.
    pub async fn open(server: String, providers: StandIns, keys: Vec<Proof>, codes: usize) -> Result<Self> {
        let mut keys = keys.into_iter().map(|proof| match proof {
            Proof::Key(key) | Proof::Session(key) => key,
        });
        let mut shop = Self {
            http: reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build()?,
            server,
            admin: keys.next().unwrap_or_default(),
            keys: keys.collect(),
            providers,
            pack: String::new(),
            plan: String::new(),
            codes: Vec::new(),
            progress: AtomicUsize::new(0),
            notes: Mutex::default(),
        };
        let pack = json!({ "name": "Pack", "kind": "Credit", "credits": PACK_CREDITS,
            "prices": { "KRW": PACK_KRW, "USD": PACK_USD } });
        shop.pack = shop.create("admin/item", &pack).await?;
        let plan = json!({ "name": PLAN, "kind": "Subscription", "plan": PLAN,
            "prices": { "KRW": MONTH_KRW, "USD": MONTH_USD } });
        shop.plan = shop.create("admin/item", &plan).await?;
        let coupon = json!({ "name": "Drill", "codeCount": codes, "usesPerAccount": 100,
            "benefit": { "kind": "Credits", "amount": 7, "plan": null, "days": null } });
        let coupon = shop.create("admin/coupon", &coupon).await?;
        let file = shop.request(Method::GET, &format!("admin/coupon/{coupon}/code.csv"), Account::Admin);
        let file = file.send().await?.error_for_status()?.text().await?;
        let first = |line: &str| line.split(',').next().unwrap_or_default().trim_matches('"').to_owned();
        shop.codes = file.lines().skip(1).map(first).filter(|code| !code.is_empty()).collect();
        Ok(shop)
    }

    async fn create(&self, path: &str, body: &Value) -> Result<String> {
        let answer = self.request(Method::POST, path, Account::Admin).json(body).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        let made: Value = serde_json::from_str(&text).unwrap_or_default();
        let id = made.get("_id").and_then(Value::as_str).map(str::to_owned);
        id.ok_or_else(|| Error::Other(format!("{path} was answered {status}: {text}")))
    }

    fn request(&self, method: Method, path: &str, account: Account) -> reqwest::RequestBuilder {
        // Each account has a network of its own, because some limits are per network.
        let (key, network) = match account {
            Account::Admin => (self.admin.as_str(), 0),
            Account::Buyer(number) => (self.keys.get(number).map_or("", String::as_str), number + 1),
        };
        let request = self.http.request(method, format!("{}/api/{path}", self.server)).header("api-key", key);
        request.header("x-forwarded-for", format!("10.{}.{}.1", network / 250, network % 250))
    }

    /// Sends a request once.
    pub async fn ask(&self, method: Method, path: &str, account: Account, body: Option<&Value>) -> Reply {
        let mut request = self.request(method, path, account);
        if let Some(body) = body {
            request = request.json(body);
        }
        match request.send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                match answer.bytes().await {
                    Ok(bytes) => Reply::Answered(status, serde_json::from_slice(&bytes).unwrap_or_default()),
                    Err(_) => Reply::Lost,
                }
            }
            Err(_) => Reply::Lost,
        }
    }

    /// Sends a request that can be repeated, until it is answered with success or refused for good. Returns the status
    /// and the body.
    pub async fn insist(
        &self,
        method: Method,
        path: &str,
        account: Account,
        body: Option<&Value>,
    ) -> Result<(u16, Value)> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.ask(method.clone(), path, account, body).await {
                Reply::Answered(status, body) if status < 500 && status != 429 => return Ok((status, body)),
                reply => self.count(repetition(&reply)),
            }
            if Instant::now() > until {
                return Err(Error::Other(format!("{path} was not answered within {PATIENCE:?}")));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Reads something that is there.
    pub async fn read(&self, path: &str, account: Account) -> Result<Value> {
        match self.insist(Method::GET, path, account, None).await? {
            (200, body) => Ok(body),
            (status, body) => Err(Error::Other(format!("{path} was answered {status}: {body}"))),
        }
    }

    /// Starts rounds of the upkeep tasks about money. While the server is down, the next call does.
    pub async fn run_upkeep(&self) {
        for task in ["payments", "subscriptions"] {
            let _down = self.ask(Method::POST, &format!("admin/upkeep/{task}/run"), Account::Admin, None).await;
        }
    }

    pub fn count(&self, what: impl Into<String>) {
        *self.notes().counts.entry(what.into()).or_default() += 1;
    }

    pub fn wrong(&self, what: impl Into<String>) {
        self.notes().wrong.push(what.into());
    }

    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A purchase has ended.
    pub fn advance(&self) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }
}

/// Why a request is repeated.
pub fn repetition(reply: &Reply) -> String {
    match reply {
        Reply::Lost => "requests whose connection was refused or broke".to_owned(),
        Reply::Answered(status, body) => {
            let code = body.get("code").and_then(Value::as_str).unwrap_or_default();
            format!("requests that were answered {status} {code}")
        }
    }
}

/// The id of a body.
pub fn id_of(body: &Value) -> Option<Uuid> {
    body.get("_id")?.as_str()?.parse().ok()
}

/// A text of a body, or an empty one.
pub fn word<'a>(body: &'a Value, field: &str) -> &'a str {
    body.get(field).and_then(Value::as_str).unwrap_or_default()
}
