//! The number of statements of a list does not grow with its page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

use reqwest::Method;
use serde_json::Value;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use verdigraph_core::users::factory;
use verdigraph_http::populate;

use super::things::Things;
use super::{Row, rows};

/// Most statements of a page, however long it is.
const STATEMENTS: u64 = 6;
/// How many items exist in the first measurement, and how many more in the second. Some lists skip the first.
const FEW: usize = 2;
const MORE: usize = 4;
/// Items that are created for each measurement.
const EVERYTHING: [&str; 18] = [
    "new_public",
    "new_draft",
    "new_picture",
    "new_hidden",
    "new_asset",
    "new_input",
    "new_app",
    "new_share",
    "new_job",
    "new_comment",
    "new_key",
    "new_session",
    "new_notice",
    "new_notification",
    "new_case",
    "new_banned",
    // Once, because an account has one subscription.
    "own_plan",
    "new_worker",
];

/// Statements of this test's thread, which also runs the loops of the node.
static OWN: AtomicU64 = AtomicU64::new(0);
/// Statements of other threads, such as the server's.
static SERVED: AtomicU64 = AtomicU64::new(0);

/// Counts the statements that sqlx logs.
struct Counter(ThreadId);

impl<S: Subscriber> Layer<S> for Counter {
    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        let counted = if std::thread::current().id() == self.0 { &OWN } else { &SERVED };
        counted.fetch_add(1, Ordering::Relaxed);
    }
}

/// Most statements of an operation, and whether more are allowed for more items.
fn allowed(operation: &str) -> (u64, bool) {
    match operation {
        // Three lists in one.
        "GET /api/public/search" | "GET /api/public/mini-app/suggest" => (3 * STATEMENTS, false),
        // A user's whole data, in pieces, and each graph by itself: one may have megabytes.
        "GET /api/auth/me/export" => (u64::MAX, true),
        _ => (STATEMENTS, false),
    }
}

/// Whether the operation returns JSON, and is not a stream.
fn answers_json(api: &Value, row: &Row) -> bool {
    api["paths"][&row.path]["get"]["responses"]["200"]["content"]["application/json"].is_object()
}

/// The lowest count of several tries by operation and address, because the ledger runs statements too. Forms of a list are
/// counted separately.
async fn asked(things: &mut Things) -> BTreeMap<(String, String), u64> {
    let api = verdigraph_http::openapi::value();
    let mut found = BTreeMap::new();
    for row in rows().iter().filter(|row| row.method == Method::GET && !row.is_consumed && answers_json(&api, row)) {
        let [_, _, owner, admin, ..] = row.expected;
        let Some(role) = [("owner", owner), ("admin", admin)].into_iter().find(|(_, status)| *status == 200) else {
            continue;
        };
        let who = things.person(role.0);
        let path = things.fill(&row.address(), &who).await;
        let mut fewest = u64::MAX;
        for _ in 0..3 {
            let before = SERVED.load(Ordering::Relaxed);
            let answer = things.site.get(&who, &path).await;
            assert_eq!(answer.status().as_u16(), 200, "{path}");
            drop(answer.bytes().await.expect("a whole answer"));
            fewest = fewest.min(SERVED.load(Ordering::Relaxed) - before);
        }
        let twice = found.insert((row.operation(), row.address()), fewest);
        assert_eq!(twice, None, "{} stands twice for who may ask it", row.address());
    }
    found
}

async fn make(things: &mut Things, count: usize) {
    let owner = things.person("owner");
    for name in EVERYTHING {
        for _ in 0..count {
            things.fill(&format!("${name}"), &owner).await;
        }
    }
}

/// Users are cached, so that a page reads none. A new node reads the whole page's users at once.
async fn users_are_read_at_once(things: &mut Things) {
    let fresh = things.site.core.another("fresh");
    let mut people = Vec::new();
    for _ in 0..FEW + MORE {
        people.push(factory::user().insert(&fresh.db).await);
    }
    let before = OWN.load(Ordering::Relaxed);
    let cards = populate::user_cards(&fresh, &people).await.expect("cards");
    let asked = OWN.load(Ordering::Relaxed) - before;
    assert_eq!(cards.len(), people.len());
    assert!(asked <= 2, "{asked} statements for {} people and their pictures", people.len());
}

#[actix_web::test]
async fn statements_do_not_grow_with_the_page() {
    let counter = tracing_subscriber::registry().with(
        Counter(std::thread::current().id()).with_filter(Targets::new().with_target("sqlx::query", Level::DEBUG)),
    );
    tracing::subscriber::set_global_default(counter).expect("nothing else listens in this process");
    let mut things = Things::start().await;
    make(&mut things, FEW).await;
    let few = asked(&mut things).await;
    assert!(few.len() > 50 && few.values().any(|count| *count > 0), "nothing is counted: {few:?}");
    make(&mut things, MORE).await;
    let many = asked(&mut things).await;
    let wrong: Vec<String> = many
        .iter()
        .filter(|(list, count)| {
            let (most, grows) = allowed(&list.0);
            **count > most || (!grows && **count > few[*list])
        })
        .map(|(list, count)| format!("{list:?}: {} with few, {count} with many", few[list]))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    users_are_read_at_once(&mut things).await;
    things.finish().await;
}
