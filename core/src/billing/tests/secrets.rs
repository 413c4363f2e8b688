//! No number of a card, key or token of a provider is in a log, an error or the database.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use secrecy::SecretString;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::toss::{card_by_window, form, toss_shop};
use super::*;
use crate::billing::methods;
use crate::testing::payment_server::PaymentFault;
use crate::testing::paypal::{PAYPAL_SECRET, PAYPAL_TOKEN, TestPayPal};
use crate::testing::toss::{TOSS_AUTH_KEY, TOSS_BILLING_KEY, TOSS_SECRET_KEY};

/// The card's number in both spellings and a part of it, its holder's digits, and the keys of both providers.
const SECRETS: [&str; 9] = [
    "5327501234567890",
    "5327-5012",
    "501234567",
    "881224",
    PAYPAL_SECRET,
    PAYPAL_TOKEN,
    TOSS_AUTH_KEY,
    TOSS_BILLING_KEY,
    TOSS_SECRET_KEY,
];

/// Everything that is logged, at any level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Log {
    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write!(text, "{}={value:?} ", field.name()).expect("a string");
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The tables whose rows have this text, also as the bytes of a column.
async fn tables_with(core: &TestCore, text: &str) -> Vec<String> {
    let named = "SELECT table_name::text FROM information_schema.tables
                 WHERE table_schema = 'public' AND table_type = 'BASE TABLE'";
    let tables: Vec<String> = sqlx::query_scalar(named).fetch_all(&core.db).await.expect("tables");
    let bytes: String = text.bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    let mut found = Vec::new();
    for table in tables {
        let sql = format!("SELECT count(*) FROM {table} t WHERE position($1 IN t::text) + position($2 IN t::text) > 0");
        let count: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(text)
            .bind(&bytes)
            .fetch_one(&core.db)
            .await
            .expect("a number");
        if count > 0 {
            found.push(table);
        }
    }
    found
}

#[actix::test]
async fn no_card_key_or_token_is_logged_stored_or_told() {
    let log = Log::default();
    // With one subscriber alone, tracing asks the thread that meets a call first, which may be another test's.
    let _second = tracing::Dispatch::new(Log::default());
    let guard = tracing::subscriber::set_default(log.clone());
    let (core, toss, item, ann) = toss_shop().await;
    let paypal = TestPayPal::start().await;
    let node = core.another_with("both", |settings| paypal.configure(settings));
    let caller = Caller::customer(ann);
    let mut told = format!("{:?}", form());

    let opened = methods::begin(&core, &caller, BillingCountry::Korea).await.expect("a window");
    toss.refuse("card", 400, "INVALID_CARD_NUMBER");
    toss.refuse("card", 401, "UNAUTHORIZED_KEY");
    toss.fail("card", PaymentFault::LoseAnswer);
    for _ in 0..3 {
        let refused = methods::save_card(&core, &caller, opened.id, form()).await.err();
        write!(told, "{refused:?}").expect("a string");
    }
    methods::save_card(&core, &caller, opened.id, form()).await.expect("a saved card");
    let wrong = methods::begin(&core, &caller, BillingCountry::Korea).await.expect("a window");
    toss.fail("issue", PaymentFault::LoseAnswer);
    let key = SecretString::from(TOSS_AUTH_KEY);
    let lost = methods::complete(&core, &caller, wrong.id, Some(&key)).await.err();
    write!(told, "{lost:?}").expect("a string");
    card_by_window(&core, ann).await;

    for fault in [PaymentFault::LoseAnswer, PaymentFault::WrongAmount] {
        toss.fail("charge", fault);
        bought(&core, ann, &item).await;
    }
    toss.refuse("charge", 401, "UNAUTHORIZED_KEY");
    bought(&core, ann, &item).await;
    paypal.fail("create", PaymentFault::LoseAnswer);
    let order = buy(&node, &caller, &Purchase::of(item.id, BillingCountry::Other)).await.expect("an order");
    paypal.end_tokens();
    paypal.refuse("capture", 500, "INTERNAL_SERVER_ERROR", "");
    completed(&node, &order).await;
    paypal.refuse("token", 401, "", "");
    paypal.end_tokens();
    let refused = buy(&node, &caller, &Purchase::of(item.id, BillingCountry::Other)).await.err();
    write!(told, "{refused:?}").expect("a string");
    core.clock.advance(TimeDelta::minutes(1));
    follow_due(&node).await.expect("a round");
    drop(guard);

    let logged = log.text();
    assert!(logged.contains("PayPal refused a call") && logged.contains("UNAUTHORIZED_KEY"), "nothing was logged");
    for secret in SECRETS {
        let at = logged.find(secret).map(|at| logged[at.saturating_sub(200)..at].to_owned());
        assert_eq!(at, None, "{secret} is in the log");
        assert!(!told.contains(secret), "{secret} is in an error: {told}");
        assert_eq!(tables_with(&core, secret).await, Vec::<String>::new(), "{secret} is stored");
    }
    assert_eq!(core.database.count("SELECT count(*) FROM payment_methods WHERE secret IS NOT NULL").await, 2);
}
