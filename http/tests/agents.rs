//! Workers behind agents: the real node, the real agent, and ComfyUI servers that only the agent can reach.

#[path = "agents/cuts.rs"]
mod cuts;
#[path = "agents/machine.rs"]
mod machine;
#[expect(dead_code, reason = "shared with the tests of what a node does")]
mod node;

use std::process::{Command, Stdio};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use verdigraph_core::testing::TestDatabase;
use verdigraph_scripted::{Fault, FaultKind, Options, Run, Scripted, Step};

use machine::{Agent, Balancer, Comfy, bounded, kill, token, until};
use node::{BINARY, Node, api_key};

/// A short lease, so that a killed node is given up soon. A node that lives keeps it while another one starts beside it.
const LEASE: (&str, &str) = ("VERDIGRAPH_JOBS_LEASE_SECONDS", "5");

/// A node whose own worker is paused: all jobs go to the agents' workers.
async fn installation(database: &TestDatabase) -> Node {
    let node = Node::with(database.url(), &[LEASE], Stdio::inherit());
    sqlx::query("UPDATE workers SET paused = true WHERE name = 'built-in'")
        .execute(&database.db)
        .await
        .expect("paused");
    node
}

async fn get(node: &Node, key: &str, path: &str) -> Value {
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let answer = http.get(format!("{}{path}", node.url)).header("api-key", key).send().await.expect("an answer");
    answer.json().await.expect("JSON")
}

async fn submit(node: &Node, key: &str) -> String {
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let prompt = json!({ "prompt": {
        "1": { "class_type": "EmptyImage", "inputs": { "width": 16, "height": 8, "batch_size": 1, "color": 1 } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" } },
    } });
    let request = http.post(format!("{}/api/general/job/prompt", node.url)).header("api-key", key).json(&prompt);
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    answer["_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

async fn running(node: &Node, key: &str, job: &str) {
    until("a running job", async || {
        let answer = get(node, key, &format!("/api/general/job/{job}/status")).await;
        (answer["status"] == "Running").then_some(())
    })
    .await;
}

async fn done(node: &Node, key: &str, job: &str) {
    let status = until("the job's end", async || {
        let answer = get(node, key, &format!("/api/general/job/{job}/status")).await;
        let status = answer["status"].as_str().unwrap_or_default().to_owned();
        (!["Pending", "Connecting", "Connected", "Running"].contains(&status.as_str())).then_some(status)
    });
    assert_eq!(status.await, "Done");
}

/// Whether the worker of this name is connected to its owner.
async fn is_connected(database: &TestDatabase, name: &str) -> bool {
    let found = sqlx::query_scalar::<_, bool>("SELECT connected FROM workers WHERE name = $1 AND owner IS NOT NULL");
    found.bind(name).fetch_optional(&database.db).await.expect("a database").unwrap_or(false)
}

async fn until_connected(database: &TestDatabase, name: &str) {
    until("a connected worker", async || is_connected(database, name).await.then_some(())).await;
}

#[actix_web::test]
async fn large_pictures_pass_the_tunnel_and_refused_agents_get_a_reason() {
    let database = TestDatabase::new().await;
    let node = installation(&database).await;
    let (token, key) = (token(&database), api_key(&node.url).await);
    let comfy = Comfy::start();
    let agent = Agent::start(&node.url, &token, "gpu", &comfy.url, &[]);
    until_connected(&database, "gpu").await;

    // Noise does not compress: three windows of a stream, up and down.
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = 1_u32;
    let noise = image::RgbImage::from_fn(1000, 1000, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, red, green, blue] = state.to_le_bytes();
        image::Rgb([red, green, blue])
    });
    noise.save(folder.path().join("noise.png")).expect("a picture");
    assert!(std::fs::metadata(folder.path().join("noise.png")).expect("a file").len() > 2 << 20);
    let workflow = json!({
        "1": { "class_type": "LoadImage", "inputs": { "image": "noise.png" } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "t" } },
    });
    let file = folder.path().join("workflow.json");
    std::fs::write(&file, workflow.to_string()).expect("a workflow");
    let ended = Command::new(BINARY)
        .arg("run")
        .arg(&file)
        .args(["--server", &node.url, "--api-key", &key, "-o"])
        .arg(folder.path().join("out"))
        .output()
        .expect("the client starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let saved = image::open(folder.path().join("out/2-0.png")).expect("a picture").into_rgb8();
    assert!(saved == noise, "the picture is another one");

    let other = Agent::start(&node.url, &token, "gpu", &comfy.url, &[]);
    other.says("another worker has this name").await;
    Agent::start(&node.url, "vga_wrong", "other", &comfy.url, &[]).says("401").await;

    let socket = format!("{}/api/agent", node.url.replace("http://", "ws://"));
    for garbage in [Message::text("{\"type\":\"hello\"}"), Message::text("x"), Message::binary(vec![0; 9000])] {
        let mut request = socket.as_str().into_client_request().expect("a request");
        request.headers_mut().insert("agent-token", token.parse().expect("a header"));
        let (mut stream, _) = connect_async(request).await.expect("a socket");
        stream.send(garbage).await.expect("sent");
        let answer = tokio::time::timeout(Duration::from_secs(30), stream.next()).await.expect("in time");
        let answer = answer.expect("an answer").expect("a frame").into_text().expect("a text");
        assert!(answer.contains("refused") && answer.contains("hello first"), "{answer}");
    }
    assert!(is_connected(&database, "gpu").await, "garbage closed another agent's connection");

    let revoked = machine::command(&database).args(["agent-token", "revoke", "machines"]).status().expect("a command");
    assert!(revoked.success());
    // Nodes read revocations every two seconds.
    bounded("the agent to be cut off", Duration::from_secs(20), agent.says("revoked")).await;
    until("a worker without its agent", async || (!is_connected(&database, "gpu").await).then_some(())).await;
}

#[actix_web::test]
async fn running_prompt_runs_once_when_agent_and_node_are_killed() {
    let database = TestDatabase::new().await;
    let first = installation(&database).await;
    let (token, key) = (token(&database), api_key(&first.url).await);
    let balancer = Balancer::before(&first.url).await;
    let comfy = Scripted::start(Options::default()).expect("a server");
    let hold = || {
        let outputs =
            [("2".to_owned(), json!({"images": [{"filename": "a_00001_.png", "subfolder": "", "type": "output"}]}))];
        let run = Run::success(&["1".to_owned(), "2".to_owned()], &outputs, Duration::ZERO);
        run.with_before("execution_success", Step::Hold)
    };
    let mut agent = Agent::start(&balancer.url, &token, "gpu", &comfy.url(), &[]);
    until_connected(&database, "gpu").await;

    // The agent is killed while a prompt runs.
    comfy.script(hold());
    let job = submit(&first, &key).await;
    running(&first, &key, &job).await;
    kill(&agent.process);
    // The node waits for the worker, which counts as busy.
    let cut = "SELECT count(*) FROM agents WHERE tunnel IS NULL";
    until("the cut", async || (database.count(cut).await == 1).then_some(())).await;
    agent.again(&[]);
    until("the agent", async || (database.count(cut).await == 0).then_some(())).await;
    comfy.release();
    done(&first, &key, &job).await;
    assert_eq!(comfy.posted().len(), 1, "it was rendered twice");

    // The agent's node is killed while a prompt runs; another node takes over both.
    let second = Node::with(database.url(), &[LEASE, ("VERDIGRAPH_WORKER_BUILTIN", "false")], Stdio::inherit());
    comfy.script(hold());
    let job = submit(&second, &key).await;
    running(&second, &key, &job).await;
    balancer.lead_to(&second.url);
    kill(&first.process);
    until("another owner", async || {
        let owners = "SELECT count(*) FROM workers w JOIN agents a ON a.worker_id = w.id AND a.tunnel = w.owner
                      JOIN nodes n ON n.id = w.owner WHERE w.connected AND (SELECT count(*) FROM nodes) = 1";
        (database.count(owners).await == 1).then_some(())
    })
    .await;
    comfy.release();
    done(&second, &key, &job).await;
    assert_eq!(comfy.posted().len(), 2, "it was rendered twice");

    // A hung server is restarted, and admins see it.
    let mark = second.folder.path().join("restarted");
    kill(&agent.process);
    agent.again(&["--hung-seconds", "1", "--restart-command", &format!("touch {}", mark.display())]);
    agent.says("connected").await;
    comfy.fault(Fault::always("GET /queue", FaultKind::Hang));
    agent.says("it is restarted").await;
    until("a restart", async || mark.exists().then_some(())).await;
    until("a note", async || {
        let noted = "SELECT count(*) FROM agents WHERE note LIKE 'the server%'";
        (database.count(noted).await == 1).then_some(())
    })
    .await;
    comfy.heal();
    let report = verdigraph_core::ledger::reconcile(&database.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:#?}");
}
