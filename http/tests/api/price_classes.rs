//! Price classes and deadlines of submits, quotes and batches.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::jobs::{ended, prompt, with_idle_worker, with_worker};
use crate::shares::private_app;
use crate::site::{Browser, Site, error, text};

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn in_seconds(site: &Site, seconds: i64) -> String {
    written(site.core.clock.now() + Duration::seconds(seconds))
}

async fn job(site: &Site, who: &Browser, id: &str) -> Value {
    site.get(who, &format!("/api/general/job/{id}")).await.json().await.expect("a job")
}

#[actix_web::test]
async fn flex_run_costs_no_more_than_its_quote_and_tells_its_class_and_deadline() {
    let site = Site::with(|settings| {
        settings.queue.deadline_margin_seconds = 1;
        // Prices differ at each millisecond, however fast the machine is.
        settings.pools.iter_mut().for_each(|pool| pool.credits_per_second = 100_000);
        settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 1_000_000_000);
    })
    .await;
    let ann = site.person().await;
    let (_worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let deadline = in_seconds(&site, 3600);
    let submit = async |query: &str, body: &Value| -> Value {
        let answer = site.send(&ann, Method::POST, &format!("/api/general/job/{query}"), body).await;
        assert_eq!(answer.status(), 201, "{query}: {:?}", answer.text().await);
        answer.json().await.expect("a job")
    };
    let form = submit(&format!("workflow-api/{app}?priceClass=flex&deadline={deadline}"), &json!({})).await;
    let run = ended(&site, &ann, &text(&form, "_id")).await;
    assert_eq!((&run["status"], &run["priceClass"]), (&json!("Done"), &json!("flex")), "{run}");
    assert_eq!(run["deadline"].as_str().and_then(|at| at.parse().ok()), deadline.parse::<DateTime<Utc>>().ok());
    assert_eq!((&run["promotedAt"], &run["lane"]), (&Value::Null, &json!("flex")));
    let used = run["credits"]["used"].as_i64().expect("credits");
    let ran_ms = run["durationMs"].as_i64().expect("a time");
    assert!(used > 0 && used <= ran_ms * 60, "60 % of 100,000 credits a second: {run}");

    let quote: Value =
        site.get(&ann, &format!("/api/general/workflow-api/{app}/quote")).await.json().await.expect("a quote");
    let credits = |of: &Value| of["expected"]["credits"].as_i64().unwrap_or_else(|| panic!("no credits: {quote}"));
    assert_eq!(quote["flex"]["percent"], 60);
    assert!(credits(&quote["flex"]) < credits(&quote), "{quote}");

    let again = submit(&format!("{}/again?priceClass=flex", text(&form, "_id")), &json!({})).await;
    assert_eq!(ended(&site, &ann, &text(&again, "_id")).await["priceClass"], "flex");
    let standard = submit("prompt", &prompt(1)).await;
    let standard = ended(&site, &ann, &text(&standard, "_id")).await;
    assert_eq!((&standard["priceClass"], &standard["deadline"]), (&json!("standard"), &Value::Null));
    site.finish().await;
}

#[actix_web::test]
async fn impossible_deadline_is_refused_with_the_earliest_one() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = with_idle_worker(&site).await;
    let submit = async |query: &str| {
        site.send(&ann, Method::POST, &format!("/api/general/job/prompt?{query}"), &prompt(1)).await
    };
    for class in ["standard", "flex"] {
        let (status, code, body) =
            error(submit(&format!("priceClass={class}&deadline={}", in_seconds(&site, 5))).await).await;
        assert_eq!((status, code.as_str()), (422, "DEADLINE_NOT_POSSIBLE"), "{body}");
        let earliest = body["details"]["earliest"].as_str().expect("a time");
        let earliest: DateTime<Utc> = earliest.parse().expect("RFC 3339");
        assert!(earliest > site.core.clock.now() + Duration::seconds(60), "without its margin: {earliest}");
        let later = written(earliest + Duration::seconds(5));
        assert_eq!(submit(&format!("priceClass={class}&deadline={later}")).await.status(), 201);
    }
    for (query, field) in [
        (format!("deadline={}", in_seconds(&site, 31 * 86_400)), "deadline"),
        ("priceClass=cheap".to_owned(), "priceClass"),
    ] {
        let answer = submit(&query).await;
        assert_eq!(answer.status(), 400, "{query}");
        let refused: Value = answer.json().await.expect("an error");
        assert_eq!(refused["details"][0]["field"], json!(field), "{refused}");
    }
    assert_eq!(submit("deadline=07:00").await.status(), 400);
    site.finish().await;
}

#[actix_web::test]
async fn idempotency_key_with_other_terms_is_another_request() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = with_idle_worker(&site).await;
    let submit = async |query: &str| {
        let request = ann.sign(site.ask(Method::POST, &format!("/api/general/job/prompt{query}")));
        request.header("Idempotency-Key", "one").json(&prompt(1)).send().await.expect("an answer")
    };
    assert_eq!(submit("?priceClass=flex").await.status(), 201);
    assert_eq!(submit("?priceClass=flex").await.status(), 201);
    let (status, code, _) = error(submit("").await).await;
    assert_eq!((status, code.as_str()), (422, "IDEMPOTENCY_MISMATCH"));
    site.finish().await;
}

#[actix_web::test]
async fn items_of_a_batch_have_the_terms_of_the_batch_or_their_own() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (_worker, _folder) = with_idle_worker(&site).await;
    let deadline = in_seconds(&site, 7200);
    let item = |key: &str, more: Value| {
        let mut item = json!({ "key": key, "prompt": prompt(1)["prompt"] });
        item.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        format!("{item}\n")
    };
    let file = item("a", json!({})) + &item("b", json!({ "priceClass": "standard", "maxCredits": 7 }));
    let path = format!("/api/general/job/batch?priceClass=flex&deadline={deadline}");
    let request = ann.sign(site.ask(Method::POST, &path)).header("content-type", "application/x-ndjson");
    let answer = request.body(file).send().await.expect("an answer").text().await.expect("lines");
    let ids: Vec<String> = answer
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].as_str().map(str::to_owned))
        .collect();
    let [first, second] = ids.as_slice() else { panic!("two jobs: {answer}") };
    let (first, second) = (job(&site, &ann, first).await, job(&site, &ann, second).await);
    assert_eq!((&first["priceClass"], &second["priceClass"]), (&json!("flex"), &json!("standard")));
    assert!(first["deadline"].is_string() && first["deadline"] == second["deadline"], "{first} {second}");
    assert_eq!((&first["credits"]["most"], &second["credits"]["most"]), (&Value::Null, &json!(7)));
    let why: Value =
        site.get(&ann, &format!("/api/general/job/{}/why", text(&first, "_id"))).await.json().await.expect("a reason");
    assert!(why["code"].is_string(), "{why}");
    let wrong = ann.sign(site.ask(Method::POST, "/api/general/job/batch?priceClass=x"));
    let wrong = wrong.header("content-type", "application/x-ndjson").body("").send().await.expect("an answer");
    assert_eq!(wrong.status(), 400);
    site.finish().await;
}
