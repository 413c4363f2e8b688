//! Jobs of several accounts on workers behind agents, while agents freeze or are killed and servers die: every job is
//! done once, and only jobs that ran on a dead server are retried.
//!
//! `VERDIGRAPH_CUTS=5,15,40,90 cargo nextest run -p verdigraph-http --test agents cuts` gives longer cuts, in seconds, and
//! more jobs.

use std::collections::HashMap;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;
use verdigraph_scripted::{Options, Run, Scripted, Step};

use super::machine::{Agent, kill, signal, token, until};
use super::node::{Node, api_key_of};
use super::{submit, until_connected};

const WORKERS: usize = 3;
const ACCOUNTS: usize = 4;
/// Run time of a prompt.
const RUN: Duration = Duration::from_millis(150);
/// Prompts that each server completes before the one that kills it.
const GOOD_BEFORE: usize = 4;

/// The lengths of the cuts in seconds, and the jobs of each account.
fn size() -> (Vec<u64>, usize) {
    match std::env::var("VERDIGRAPH_CUTS") {
        Ok(text) => (text.split(',').map(|part| part.trim().parse().expect("seconds")).collect(), 50),
        Err(_) => (vec![2], 15),
    }
}

#[actix_web::test]
async fn cut_off_jobs_end_once_and_only_running_ones_are_retried() {
    let (cuts, each) = size();
    let database = TestDatabase::new().await;
    let node = Node::with(database.url(), &[], Stdio::inherit());
    sqlx::query("UPDATE workers SET paused = true WHERE name = 'built-in'")
        .execute(&database.db)
        .await
        .expect("paused");
    let token = token(&database);
    let options = Options { delay: RUN, journal: true, ..Options::default() };
    let servers: Vec<Scripted> = (0..WORKERS).map(|_| Scripted::start(options.clone()).expect("a server")).collect();
    for (number, server) in servers.iter().enumerate() {
        let picture = json!({"images": [{"filename": format!("k{number}_.png"), "subfolder": "", "type": "output"}]});
        let run = Run::success(&["1".to_owned(), "2".to_owned()], &[("2".to_owned(), picture)], RUN);
        (0..GOOD_BEFORE).for_each(|_| server.script(run.clone()));
        server.script(run.until("execution_success", Step::Restart));
    }
    let mut agents: Vec<Agent> = Vec::new();
    for (number, server) in servers.iter().enumerate() {
        let name = format!("gpu{number}");
        agents.push(Agent::start(&node.url, &token, &name, &server.url(), &[]));
        until_connected(&database, &name).await;
    }
    let mut keys = Vec::new();
    for account in 0..ACCOUNTS {
        keys.push(api_key_of(&node.url, &format!("program{account}@example.com")).await);
    }
    let mut jobs = Vec::new();
    for key in &keys {
        for _ in 0..each {
            jobs.push(submit(&node, key).await);
        }
    }
    let all = i64::try_from(jobs.len()).expect("a count");
    // The cuts happen one after the other, each on an agent whose worker is busy, and one agent is killed.
    for (number, seconds) in cuts.iter().enumerate() {
        let agent = &agents[number % WORKERS];
        signal(&agent.process, Signal::STOP);
        tokio::time::sleep(Duration::from_secs(*seconds)).await;
        signal(&agent.process, Signal::CONT);
    }
    let last = &mut agents[WORKERS - 1];
    kill(&last.process);
    last.again(&[]);
    let ended = "SELECT count(*) FROM ended_jobs";
    until("all jobs have ended", async || (database.count(ended).await == all).then_some(())).await;

    let rows: Vec<(String, i16, i16)> = sqlx::query_as("SELECT id::text, status, attempt - withdrawn FROM ended_jobs")
        .fetch_all(&database.db)
        .await
        .expect("rows");
    let done = verdigraph_core::jobs::Status::Done as i16;
    let unlucky: Vec<_> = rows.iter().filter(|(_, status, _)| *status != done).collect();
    assert!(unlucky.is_empty(), "{unlucky:?}");
    let tried_again = rows.iter().filter(|(_, _, attempt)| *attempt != 1).count();
    assert!(tried_again <= WORKERS, "{tried_again} jobs spent a try; {WORKERS} servers died");
    // The server itself counts what it started and finished.
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let mut ran: HashMap<String, usize> = HashMap::new();
    for server in &servers {
        let journal: Vec<Value> =
            http.get(format!("{}/journal", server.url())).send().await.expect("an answer").json().await.expect("JSON");
        for entry in journal {
            *ran.entry(entry["id"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    assert!(ran.values().all(|times| *times == 1), "a prompt ran twice: {ran:?}");
    assert!(ran.len() <= jobs.len(), "{} prompts ran for {} jobs: finished work was run again", ran.len(), jobs.len());
    eprintln!("{} jobs, cuts of {cuts:?} s: {tried_again} tried again, {} prompts ended", jobs.len(), ran.len());
    let report = verdigraph_core::ledger::reconcile(&database.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:#?}");
}
