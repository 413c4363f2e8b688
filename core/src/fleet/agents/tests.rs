//! Agents and tokens against the database, without connections.

use secrecy::ExposeSecret as _;

use super::*;
use crate::fleet::{self, AgentModel, WorkerAction};
use crate::testing::TestCore;

fn hello(name: &str, identity: char, run: char) -> AgentHello {
    AgentHello {
        name: name.to_owned(),
        pool: None,
        identity: identity.to_string().repeat(64),
        run: run.to_string().repeat(64),
        facts: AgentFacts::default(),
    }
}

async fn token(core: &Core, pools: &[&str]) -> (AgentTokenId, String) {
    let pools: Vec<String> = pools.iter().map(|&pool| pool.to_owned()).collect();
    let made = create_agent_token(core, &Caller::system(), "machines", &pools).await.expect("a token");
    (made.token.id, made.secret.expose_secret().to_owned())
}

async fn connect(core: &Core, token: &str, hello: AgentHello) -> Result<AgentConnection, AgentRefusal> {
    connect_agent(core, token, hello, |_| Ok(())).await.expect("the database")
}

#[actix::test]
async fn agent_name_is_reserved_and_returning_agent_keeps_its_worker() {
    let test = TestCore::new().await;
    let core = &test.core;
    fleet::start(core, &[]).await.expect("a fleet");
    let (_, token) = token(core, &["cpu"]).await;
    let first = connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in");
    assert_eq!(
        core.fleet.roster().owner(first.worker),
        fleet::WorkerOwner::ThisNode,
        "the node of the tunnel owns the worker"
    );
    assert_eq!(connect(core, &token, hello("gpu", 'b', '2')).await, Err(AgentRefusal::NameTaken));
    assert_eq!(connect(core, &token, hello("gpu", 'a', '2')).await, Err(AgentRefusal::Connected), "a copy of it");
    // The same process reconnects before this node noticed the loss.
    assert_eq!(connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in").worker, first.worker);
    disconnect_agent(core, &first).await.expect("recorded");
    let again = connect(core, &token, hello("gpu", 'a', '2')).await.expect("a restarted agent is let in");
    assert_eq!(again.worker, first.worker);
    assert_eq!(check_agent(core, &first).await.expect("known"), Err(AgentRefusal::Elsewhere));
    assert_eq!(check_agent(core, &again).await.expect("known"), Ok(()));
    let taken =
        fleet::NewWorker { name: "gpu".into(), url: "http://10.0.0.9:8188".into(), pool: "cpu".into(), home: None };
    let refused = fleet::add(core, &Caller::system(), taken).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })), "the address of an agent's worker was changed: {refused:?}");
}

#[actix::test]
async fn token_admits_agents_to_its_pools_until_it_is_revoked() {
    let test = TestCore::new().await;
    let core = &test.core;
    fleet::start(core, &[]).await.expect("a fleet");
    let (id, two) = token(core, &["cpu", "standard"]).await;
    let to = |pool: Option<&str>| AgentHello { pool: pool.map(str::to_owned), ..hello("gpu", 'a', '1') };
    assert_eq!(connect(core, &two, to(None)).await, Err(AgentRefusal::WhichPool));
    assert_eq!(connect(core, &two, to(Some("pro"))).await, Err(AgentRefusal::Pool));
    assert_eq!(connect(core, "vga_wrong", to(Some("cpu"))).await, Err(AgentRefusal::Token));
    assert_eq!(connect(core, &two, hello("", 'a', '1')).await, Err(AgentRefusal::Malformed));
    let agent = connect(core, &two, to(Some("standard"))).await.expect("let in");
    assert_eq!(core.fleet.roster().view(agent.worker).expect("a worker").pool, "standard");
    revoke_agent_token(core, &Caller::system(), id).await.expect("revoked");
    assert_eq!(check_agent(core, &agent).await.expect("known"), Err(AgentRefusal::Token));
    assert_eq!(connect(core, &two, to(Some("cpu"))).await, Err(AgentRefusal::Token));
    assert!(!is_agent_token(core, &two).await.expect("known"));
    let acts = audit::entries(core, &Caller::system(), audit::AuditFilter::default(), None, 10).await.expect("the log");
    let acts: Vec<Action> = acts.into_iter().map(|entry| entry.act.action).collect();
    assert_eq!(acts, [Action::AgentTokenRevoke, Action::AgentTokenCreate]);
}

#[actix::test]
async fn removed_worker_is_refused_until_its_token_readmits_it() {
    let test = TestCore::new().await;
    let core = &test.core;
    fleet::start(core, &[]).await.expect("a fleet");
    let (id, token) = token(core, &["cpu"]).await;
    let agent = connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in");
    fleet::change(core, &Caller::system(), agent.worker, WorkerAction::Remove).await.expect("removed");
    assert_eq!(check_agent(core, &agent).await.expect("known"), Err(AgentRefusal::Removed));
    for identity in ['a', 'b'] {
        assert_eq!(connect(core, &token, hello("gpu", identity, '1')).await, Err(AgentRefusal::Removed));
    }
    assert_eq!(agent_tokens(core, &Caller::system()).await.expect("tokens")[0].removed_agents, 1);
    readmit_agents(core, &Caller::system(), id).await.expect("allowed");
    assert_ne!(connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in").worker, agent.worker);
}

#[actix::test]
async fn leaving_agent_drains_until_it_reconnects_and_its_facts_are_bounded() {
    let test = TestCore::new().await;
    let core = &test.core;
    fleet::start(core, &[]).await.expect("a fleet");
    let (_, token) = token(core, &["cpu"]).await;
    let agent_now = connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in");
    let is_draining = || core.fleet.roster().view(agent_now.worker).expect("a worker").draining;
    drain_agent(core, &agent_now).await.expect("recorded");
    assert!(is_draining());
    connect(core, &token, hello("gpu", 'a', '1')).await.expect("let in");
    assert!(!is_draining());
    let model = AgentModel { name: "m".repeat(9000), size_bytes: 1 };
    let facts = AgentFacts { models: vec![model; 9000], ..AgentFacts::default() };
    record_agent_facts(core, &agent_now, facts).await.expect("recorded");
    record_agent_server(core, &agent_now, Some("x\u{0}".repeat(9000))).await.expect("recorded");
    let known = agent(core, &Caller::system(), agent_now.worker).await.expect("known");
    assert_eq!((known.facts.models.len(), known.facts.models[0].name.len()), (MOST_MODELS, TEXT_CHARACTERS));
    assert_eq!(known.note.map(|note| note.len()), Some(TEXT_CHARACTERS));
    assert_eq!(agents(core, &Caller::system()).await.expect("known")[0].facts.models, [], "a list is short");
}

#[actix::test]
async fn agent_names_are_machine_names_and_not_reserved_ones() {
    let test = TestCore::new().await;
    let core = &test.core;
    fleet::start(core, &[]).await.expect("a fleet");
    let (_, token) = token(core, &["cpu"]).await;
    let called = async |name: &str| connect(core, &token, hello(name, 'a', '1')).await;
    for path in [
        "../x",
        "a/b",
        "a\\b",
        "..",
        ".hidden",
        "-x",
        "C:gpu",
        "~root",
        "%2e%2e",
        "x?y",
        "<b>",
        "gpu\u{2010}1",
        "ｇｐｕ",
        "gрu",
    ] {
        assert_eq!(called(path).await, Err(AgentRefusal::Name), "{path}");
    }
    for ours in ["built-in", "Built-In", "built_in", "builtin", "bui1t-in", "built in 	".trim(), "BUILT.IN"] {
        assert_eq!(called(ours).await, Err(AgentRefusal::NameTaken), "{ours}");
    }
    for (fine, identity) in [("gpu-01.lan", 'b'), ("Render box (2)", 'c'), ("작업실-1", 'd'), ("машина", 'e')]
    {
        let connected = connect(core, &token, hello(fine, identity, '1')).await;
        assert!(connected.is_ok(), "{fine}: {connected:?}");
    }
    assert_eq!(called("gpu-0l.lan").await, Err(AgentRefusal::NameTaken), "it looks like gpu-01.lan");
}
