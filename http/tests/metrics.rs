//! Dashboard and alerts against the real server: every series they use must exist on a server that ran a job.

mod node;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use verdigraph_core::metrics::{SERIES, SeriesType};
use verdigraph_core::testing::TestDatabase;

use node::{BINARY, Node, api_key};

fn config(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../config").join(file)
}

/// Names of series anywhere in a text.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with("verdigraph_")).map(str::to_owned).collect()
}

/// The expressions of a dashboard and its variables.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "expr" || key == "query" => found.push(text.clone()),
                    other => expressions(other, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        _ => {}
    }
}

/// The series of a scrape with their values; an invalid line fails.
fn told(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("not a sample: {line}"));
        assert!(value.parse::<f64>().is_ok(), "not a number: {line}");
        names.insert(series.split('{').next().unwrap_or_default().to_owned());
    }
    names
}

#[actix_web::test]
async fn dashboard_and_alert_series_exist() {
    let database = TestDatabase::new().await;
    let node = Node::start(&database);
    let key = api_key(&node.url).await;
    let workflow = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workers/tests/data/fixtures");
    let workflow = std::fs::read_dir(workflow).expect("recordings").next().expect("a recording").expect("an entry");
    let ran = Command::new(BINARY)
        .args(["run".as_ref(), workflow.path().join("workflow.json").as_os_str()])
        .args(["--server", &node.url, "--api-key", &key, "-o"])
        .arg(node.folder.path().join("outputs"))
        .output()
        .expect("the client starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));

    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let answer = http.get(format!("{}/metrics", node.url)).send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    let text = answer.text().await.expect("a text");
    let mut told = told(&text);
    // A series without a value yet is not in the scrape.
    told.extend(SERIES.iter().map(|series| match series.form {
        SeriesType::Counter => series.name.to_owned(),
        SeriesType::Seconds | SeriesType::Pieces => format!("{}_bucket", series.name),
    }));

    let dashboard = std::fs::read_to_string(config("grafana/verdigraph.json")).expect("the dashboard");
    let dashboard: Value = serde_json::from_str(&dashboard).expect("JSON");
    let mut panels = Vec::new();
    expressions(&dashboard, &mut panels);
    assert!(panels.len() > 20, "only {} expressions were found", panels.len());
    let alerts = std::fs::read_to_string(config("prometheus/alerts.yml")).expect("the alerts");
    let shown = named(&panels.join("\n"));
    let unseen: Vec<&str> =
        SERIES.iter().map(|series| series.name).filter(|name| !shown.iter().any(|one| one.starts_with(name))).collect();
    assert!(unseen.is_empty(), "no panel of the dashboard shows {unseen:?}");
    for (place, wanted) in [("dashboard", shown), ("alerts", named(&alerts))] {
        assert!(wanted.len() > 10, "the {place} names only {wanted:?}");
        let missing: Vec<&String> = wanted.difference(&told).collect();
        assert!(missing.is_empty(), "the {place} names what no server tells: {missing:?}\n{text}");
    }

    let value = |series: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(series)?.trim().parse::<f64>().ok());
        line.unwrap_or_else(|| panic!("{series} is not told:\n{text}"))
    };
    assert_eq!(value("verdigraph_job_submits_total{outcome=\"accepted\"}"), 1.0);
    assert_eq!(value("verdigraph_job_transitions_total{status=\"Done\"}"), 1.0);
    assert_eq!(value("verdigraph_job_dispatch_seconds_count{lane=\"api\"}"), 1.0);
    assert_eq!(value("verdigraph_ledger_movements_total{kind=\"hold\"}"), 1.0);
    assert!(value("verdigraph_ledger_credits_total{kind=\"capture\"}") >= 1.0);
    let submits = "verdigraph_http_requests_total{route=\"/api/general/job/prompt\",method=\"POST\",status=\"201\"}";
    assert_eq!(value(submits), 1.0);
    assert_eq!(value("verdigraph_workers{pool=\"cpu\",state=\"Idle\"}"), 1.0);
}
