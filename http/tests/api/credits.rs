//! The statement of credits, its filters and its file.

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::ledger::{self, GrantKind, LedgerPost, Movement, NewGrant};

use crate::site::{Browser, Site, error, text};

const ENTRIES: &str = "/api/general/credit/entries";
const FILE: &str = "/api/general/credit/entries.csv";
const GRANT: i16 = 0;
const HOLD: i16 = 1;

async fn id_of(site: &Site, who: &Browser) -> UserId {
    let user: Value = site.get(who, "/api/auth").await.json().await.expect("the caller");
    UserId(text(&user, "_id").parse().expect("an id"))
}

async fn grant(site: &Site, account: UserId, source: String, amount: i64) {
    let new = NewGrant { kind: GrantKind::Operator, source, amount, expires_at: None };
    ledger::grant(&site.core, account, new).await.expect("a grant");
}

/// A job that held 30 credits and spent 12.
async fn run(site: &Site, account: UserId) -> JobId {
    let job = JobId::new();
    for movement in
        [Movement::Hold { job, want: 30, at_least: 30, day_ceiling: None }, Movement::Settle { job, used: 12 }]
    {
        site.core.ledger.post(LedgerPost { account, movement, attached: None }).await.expect("enough credits");
    }
    job
}

/// Moves the entries of a kind to another time.
async fn move_to(site: &Site, account: UserId, kind: i16, at: &str) {
    let at: DateTime<Utc> = at.parse().expect("a time");
    let millis = u128::try_from(at.timestamp_millis()).expect("after 1970");
    sqlx::query("UPDATE credit_entries SET id = $1, created_at = $2 WHERE account_id = $3 AND kind = $4")
        .bind(Uuid::from_u128(millis << 80 | u128::try_from(kind).expect("a kind")))
        .bind(at)
        .bind(account.0)
        .bind(kind)
        .execute(&site.core.db)
        .await
        .expect("an entry of one kind");
}

async fn kinds(site: &Site, who: &Browser, query: &str) -> Vec<String> {
    let answer = site.get(who, &format!("{ENTRIES}{query}")).await;
    assert_eq!(answer.status(), 200, "{query}");
    let page: Value = answer.json().await.expect("a statement");
    page["items"].as_array().expect("a list").iter().map(|entry| text(entry, "kind")).collect()
}

#[actix_web::test]
async fn statement_is_filtered_by_kind_and_by_whole_days() {
    let site = Site::start().await;
    let ann = site.person().await;
    let account = id_of(&site, &ann).await;
    run(&site, account).await;
    move_to(&site, account, GRANT, "2025-12-31T23:59:59.999Z").await;
    move_to(&site, account, HOLD, "2026-01-01T00:00:00Z").await;
    assert_eq!(kinds(&site, &ann, "").await, ["Release", "Capture", "Hold", "Grant"]);
    assert_eq!(kinds(&site, &ann, "?kind=Capture").await, ["Capture"]);
    assert_eq!(kinds(&site, &ann, "?kind=Expire").await, [""; 0]);
    assert_eq!(kinds(&site, &ann, "?until=2025-12-31").await, ["Grant"]);
    assert_eq!(kinds(&site, &ann, "?from=2026-01-01").await, ["Release", "Capture", "Hold"]);
    assert_eq!(kinds(&site, &ann, "?from=2026-01-01&until=2026-01-01&kind=Hold").await, ["Hold"]);
    assert_eq!(kinds(&site, &ann, "?from=2026-01-02").await, [""; 0]);
    // The cursor continues within the filter.
    let page: Value = site.get(&ann, &format!("{ENTRIES}?from=2026-01-01&limit=2")).await.json().await.expect("JSON");
    let next = format!("?from=2026-01-01&limit=2&cursor={}", text(&page, "nextCursor"));
    assert_eq!(kinds(&site, &ann, &next).await, ["Hold"]);
    site.finish().await;
}

#[actix_web::test]
async fn wrong_filter_of_a_statement_is_named() {
    let site = Site::start().await;
    let ann = site.person().await;
    for path in [ENTRIES, FILE] {
        for (query, field) in [
            ("kind=grant", "kind"),
            ("kind=", "kind"),
            ("from=2026-02-30", "from"),
            ("from=2026-01-01T00:00:00Z", "from"),
            ("until=tomorrow", "until"),
            ("from=2026-01-02&until=2026-01-01", "until"),
        ] {
            let (status, code, body) = error(site.get(&ann, &format!("{path}?{query}")).await).await;
            assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}?{query}");
            assert_eq!(body["details"][0]["field"], json!(field), "{path}?{query}: {body}");
        }
        assert_eq!(error(site.get(&Browser::default(), path).await).await.0, 401);
    }
    assert_eq!(error(site.get(&ann, &format!("{FILE}?limit=1")).await).await.0, 400, "a file has no pages");
    site.finish().await;
}

#[actix_web::test]
async fn file_has_the_signed_entries_of_the_filter_and_of_one_account() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let account = id_of(&site, &ann).await;
    run(&site, id_of(&site, &bob).await).await;
    let job = run(&site, account).await;
    let answer = site.get(&ann, FILE).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
    let disposition = answer.headers()["content-disposition"].to_str().expect("text").to_owned();
    assert!(disposition.starts_with("attachment; filename=\"credits-2026-01-01.csv\""), "{disposition}");
    let file = answer.text().await.expect("a whole file");

    let page: Value = site.get(&ann, ENTRIES).await.json().await.expect("JSON");
    let (granted, lot) = (page["items"][3]["amount"].as_i64().expect("an amount"), text(&page["items"][3], "grant"));
    let line = |kind: &str, amount: i64, after: i64, job: &str| {
        let spent = if kind == "Capture" { 12 } else { 0 };
        format!("2026-01-01T00:00:00Z,{kind},{amount},{after},{job},{lot},{spent}\r\n")
    };
    let job = job.to_string();
    let expected = [
        "time,kind,amount,balanceAfter,job,grant,spent\r\n".to_owned(),
        line("Release", 18, granted - 12, &job),
        line("Capture", 0, granted - 30, &job),
        line("Hold", -30, granted - 30, &job),
        line("Grant", granted, granted, ""),
    ];
    assert_eq!(file, expected.concat());

    let of = async |query: &str| site.get(&ann, &format!("{FILE}?{query}")).await.text().await.expect("a whole file");
    assert_eq!(of("kind=Capture&from=2026-01-01").await, format!("{}{}", expected[0], expected[2]));
    assert_eq!(of("from=2026-01-02").await, expected[0], "an empty statement has a header");
    site.finish().await;
}

#[actix_web::test]
async fn debit_is_in_statement_file_and_grants() {
    let site = Site::start().await;
    let ann = site.person().await;
    let account = id_of(&site, &ann).await;
    grant(&site, account, "order:1".into(), 50).await;
    let debit = Movement::Debit { source: "order:1".into(), amount: 20 };
    site.core.ledger.post(LedgerPost { account, movement: debit, attached: None }).await.expect("50 are available");
    assert_eq!(kinds(&site, &ann, "?kind=Debit").await, ["Debit"]);
    let file = site.get(&ann, &format!("{FILE}?kind=Debit")).await.text().await.expect("a whole file");
    let lines: Vec<&str> = file.lines().skip(1).collect();
    assert!(matches!(lines[..], [line] if line.contains(",Debit,-20,")), "{file}");
    let credit: Value = site.get(&ann, "/api/general/credit").await.json().await.expect("a balance");
    let grants = credit["grants"].as_array().expect("a list");
    let bought = grants.iter().find(|grant| grant["amount"] == 50).expect("the grant");
    assert_eq!((&bought["remaining"], &bought["debited"]), (&json!(30), &json!(20)), "{credit}");
    site.finish().await;
}

#[actix_web::test]
async fn reason_that_was_used_grants_nothing_else() {
    const GRANT_PATH: &str = "/api/admin/credit/grant";
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let users = [id_of(&site, &ann).await, id_of(&site, &bob).await];
    let first = json!({ "user": users[0].0, "amount": 10, "reason": "thanks" });
    let with = |field: &str, value: Value| {
        let mut body = first.clone();
        body[field] = value;
        body
    };
    let given = site.send(&admin, Method::POST, GRANT_PATH, &first).await;
    assert_eq!(given.status(), 201);
    let balance: Value = given.json().await.expect("a balance");
    for other in [
        with("amount", json!(11)),
        with("kind", json!("Coupon")),
        with("expiresAt", json!("2999-01-01T00:00:00Z")),
        json!({ "user": users[0].0, "amount": 9, "reason": "  thanks " }),
    ] {
        let (status, code, _) = error(site.send(&admin, Method::POST, GRANT_PATH, &other).await).await;
        assert_eq!((status, code.as_str()), (409, "GRANT_REASON_USED"), "{other}");
    }
    let again = site.send(&admin, Method::POST, GRANT_PATH, &first).await;
    assert_eq!(again.status(), 201, "a request that is sent again");
    assert_eq!(again.json::<Value>().await.expect("a balance")["available"], balance["available"]);
    let another = site.send(&admin, Method::POST, GRANT_PATH, &with("user", json!(users[1].0))).await;
    assert_eq!(another.status(), 201, "the reason of another person's grant");

    // Of several amounts at once, one is given and the others are told.
    let bodies: Vec<Value> =
        (1..=4).map(|amount| json!({ "user": users[0].0, "amount": amount, "reason": "race" })).collect();
    let sent = bodies.iter().map(|body| site.send(&admin, Method::POST, GRANT_PATH, body));
    let mut statuses: Vec<u16> = join_all(sent).await.iter().map(|answer| answer.status().as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    site.finish().await;
}

#[actix_web::test]
async fn long_file_has_each_entry_once() {
    let site = Site::start().await;
    let ann = site.person().await;
    let account = id_of(&site, &ann).await;
    // With the plan's allowance, two full pages and an empty one.
    for part in 0..9 {
        join_all((0..111).map(|number| grant(&site, account, format!("{part}-{number}"), 1))).await;
    }
    let all = site.get(&ann, FILE).await.text().await.expect("a whole file");
    let balances: Vec<i64> =
        all.lines().skip(1).map(|line| line.split(',').nth(3).expect("a balance").parse().expect("a number")).collect();
    assert_eq!(balances.len(), 1000);
    assert!(balances.is_sorted_by(|newer, older| *newer == older + 1), "newest first, none twice: {balances:?}");
    site.finish().await;
}
