//! Agents beside workers: the tokens that admit them, and the tunnels to their workers.
//!
//! An agent is connected to one node, which owns its worker for as long as it lives: [`super::ownership`] follows the
//! row that is written here. A returning agent is recognized by its identity.

pub(super) mod agent;
pub(super) mod store;
#[cfg(test)]
mod tests;
pub(super) mod token;

use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _};

use self::agent::{AgentConnection, AgentFacts, AgentHello, AgentRefusal, AgentView};
use self::store::AgentRegistration;
use self::token::{AgentToken, NewAgentToken};
use super::ownership;
use crate::audit::{self, Act, Action};
use crate::caller::AuthMethod;
use crate::database;
use crate::ids::{AgentTokenId, WorkerId};
use crate::{Caller, Core, Error, Result, names};

const NAME_CHARACTERS: usize = 60;
/// Longer texts from agents are cut, because people read them.
const TEXT_CHARACTERS: usize = 300;
const MOST_GPUS: usize = 32;
const MOST_MODELS: usize = 2000;

/// # Errors
/// [`Error::Forbidden`] for callers other than admins, [`Error::SessionRequired`] for an API key; [`Error::Invalid`]
/// for a bad name or pool.
pub async fn create_agent_token(core: &Core, caller: &Caller, name: &str, pools: &[String]) -> Result<NewAgentToken> {
    let by = caller.must_be_admin()?;
    must_be_person(caller)?;
    let name = names::trimmed(name, 1..=NAME_CHARACTERS).filter(|name| !name.chars().any(names::is_hidden));
    let name = name.ok_or_else(|| Error::invalid("name", "must have 1 to 60 characters"))?;
    let mut pools = pools.to_vec();
    pools.sort();
    pools.dedup();
    let is_known = |name: &String| core.settings.pools.iter().any(|pool| pool.name == *name);
    if pools.is_empty() || !pools.iter().all(is_known) {
        return Err(Error::invalid("pools", "must be pools of the configuration, at least one"));
    }
    let (secret, hash, prefix) = token::make();
    let token = AgentToken {
        id: AgentTokenId::new(),
        name: name.to_owned(),
        pools,
        prefix,
        created_at: core.clock.now(),
        last_used_at: None,
        revoked_at: None,
        removed_agents: 0,
    };
    let after = json!({ "name": token.name, "pools": token.pools });
    let mut tx = database::begin(&core.db).await?;
    store::insert_token(&mut tx, &token, &hash).await?;
    audit::record(&mut tx, by, Act::new(Action::AgentTokenCreate, token.id).after(after), token.created_at).await?;
    tx.commit().await?;
    Ok(NewAgentToken { token, secret })
}

/// All tokens, newest first, including revoked ones.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins.
pub async fn agent_tokens(core: &Core, caller: &Caller) -> Result<Vec<AgentToken>> {
    caller.must_be_admin()?.read_only();
    Ok(store::tokens(&core.db).await?)
}

/// Revokes a token; its agents are disconnected within seconds. Idempotent.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`] for an unknown token.
pub async fn revoke_agent_token(core: &Core, caller: &Caller, id: AgentTokenId) -> Result<()> {
    let by = caller.must_be_admin()?;
    must_be_person(caller)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let name = store::revoke_token(&mut tx, id, now).await?.ok_or(Error::NotFound { what: "agent token" })?;
    audit::record(&mut tx, by, Act::new(Action::AgentTokenRevoke, id).after(json!({ "name": name })), now).await?;
    Ok(tx.commit().await?)
}

/// Admits agents of a token again after their workers were removed.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`] for an unknown or revoked token.
pub async fn readmit_agents(core: &Core, caller: &Caller, id: AgentTokenId) -> Result<()> {
    let by = caller.must_be_admin()?;
    must_be_person(caller)?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let name = store::name_of_valid(&mut tx, id).await?.ok_or(Error::NotFound { what: "agent token" })?;
    let allowed = store::readmit(&mut tx, id).await?;
    let after = json!({ "name": name, "agents": allowed });
    audit::record(&mut tx, by, Act::new(Action::AgentTokenAllow, id).after(after), now).await?;
    Ok(tx.commit().await?)
}

/// All agents, without their lists of models.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins.
pub async fn agents(core: &Core, caller: &Caller) -> Result<Vec<AgentView>> {
    caller.must_be_admin()?.read_only();
    Ok(store::agents(&core.db, None).await?)
}

/// The agent of a worker, with its models.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`] if no agent connects the worker.
pub async fn agent(core: &Core, caller: &Caller, worker: WorkerId) -> Result<AgentView> {
    caller.must_be_admin()?.read_only();
    store::agents(&core.db, Some(worker)).await?.pop().ok_or(Error::NotFound { what: "agent" })
}

/// Whether a text is a valid agent token.
pub async fn is_agent_token(core: &Core, token: &str) -> Result<bool> {
    match token::hash_of_token(token) {
        Some(hash) => Ok(store::find_token(&core.db, &hash).await?.is_some()),
        None => Ok(false),
    }
}

/// Registers an agent that connects to this node, and connects to its worker at once. `prepare` opens the tunnel for
/// this address before any node can use it.
///
/// # Errors
/// [`Error::Unavailable`] if `prepare` fails.
pub async fn connect_agent(
    core: &Core,
    token: &str,
    hello: AgentHello,
    prepare: impl FnOnce(&str) -> std::io::Result<()>,
) -> Result<Result<AgentConnection, AgentRefusal>> {
    let Some(hash) = token::hash_of_token(token) else { return Ok(Err(AgentRefusal::Token)) };
    let Some((token, pools)) = store::find_token(&core.db, &hash).await? else { return Ok(Err(AgentRefusal::Token)) };
    let name = names::trimmed(&hello.name, 1..=NAME_CHARACTERS).filter(|name| !name.chars().any(names::is_hidden));
    let is_short =
        |text: &str| (16..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(name) = name.filter(|_| is_short(&hello.identity) && is_short(&hello.run)) else {
        return Ok(Err(AgentRefusal::Malformed));
    };
    if !is_machine_name(&name) {
        return Ok(Err(AgentRefusal::Name));
    }
    let pool = match (hello.pool, pools.as_slice()) {
        (Some(pool), _) => pool,
        (None, [pool]) => pool.clone(),
        (None, _) => return Ok(Err(AgentRefusal::WhichPool)),
    };
    if !pools.contains(&pool) || !core.settings.pools.iter().any(|known| known.name == pool) {
        return Ok(Err(AgentRefusal::Pool));
    }
    let url = format!("agent:{name}");
    let registration = AgentRegistration {
        name: &name,
        url: &url,
        pool: &pool,
        identity: token::hash(&hello.identity),
        token,
        run: &hello.run,
        node: core.node,
        facts: bounded(hello.facts),
        now: core.clock.now(),
    };
    let mut tx = database::begin(&core.db).await?;
    let others = store::other_names(&mut tx, &name).await?;
    if BUILTIN_NAMES.iter().any(|own| names::look_alike(&name, own)) || others.iter().any(|other| is_twin(&name, other))
    {
        return Ok(Err(AgentRefusal::NameTaken));
    }
    let worker = match store::register(&mut tx, &registration).await? {
        Ok(worker) => worker,
        Err(refusal) => return Ok(Err(refusal)),
    };
    prepare(&url).map_err(|error| Error::Unavailable {
        message: format!("cannot open a tunnel to the worker {name}: {error}"),
        retry_after_seconds: 10,
    })?;
    tx.commit().await?;
    ownership::reconcile(core).await?;
    let name = name.to_owned();
    Ok(Ok(AgentConnection { worker, name, url, run: hello.run }))
}

/// Checks that the connection is still valid: the token, the worker, and that no other process or node has taken over.
///
/// # Errors
/// Only for database errors; the connection then stays open.
pub async fn check_agent(core: &Core, agent: &AgentConnection) -> Result<Result<(), AgentRefusal>> {
    Ok(store::check(&core.db, core.node, agent).await?)
}

pub async fn record_agent_facts(core: &Core, agent: &AgentConnection, facts: AgentFacts) -> Result<()> {
    Ok(store::update_facts(&core.db, core.node, agent, &bounded(facts)).await?)
}

pub async fn record_agent_server(core: &Core, agent: &AgentConnection, note: Option<String>) -> Result<()> {
    let note = note.map(|note| cut(&note));
    Ok(store::update_note(&core.db, core.node, agent, note.as_deref()).await?)
}

/// The agent is about to stop: its worker gets no new jobs.
pub async fn drain_agent(core: &Core, agent: &AgentConnection) -> Result<()> {
    store::set_leaving(&core.db, core.node, agent).await?;
    ownership::reconcile(core).await?;
    Ok(())
}

/// The agent has disconnected from this node, which keeps the worker until the agent connects elsewhere.
pub async fn disconnect_agent(core: &Core, agent: &AgentConnection) -> Result<()> {
    Ok(store::disconnect(&core.db, core.node, agent).await?)
}

/// Reserved for the platform's own workers.
const BUILTIN_NAMES: [&str; 2] = ["built-in", "builtin worker"];

/// Whether this is a plain machine name: letters and digits of one script, and the punctuation of host names. Paths,
/// addresses and options are refused.
fn is_machine_name(name: &str) -> bool {
    let is_plain = |c: char| match c {
        '-' | '_' | '.' | ' ' | '(' | ')' | '#' | '+' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => c.is_alphanumeric() && c.identifier_allowed(),
    };
    name.chars().all(is_plain)
        && name.nfkc().eq(name.chars())
        && name.is_single_script()
        && !name.starts_with(['.', '-'])
        && !name.ends_with('.')
        && !name.contains("..")
        && name.chars().any(char::is_alphanumeric)
}

/// Whether two different names look the same.
fn is_twin(one: &str, other: &str) -> bool {
    let drawn = |name: &str| skeleton(name).flat_map(char::to_lowercase).collect::<String>();
    one != other && drawn(one) == drawn(other)
}

/// Tokens admit machines, so a leaked API key must not create any.
fn must_be_person(caller: &Caller) -> Result<()> {
    match caller.auth_method {
        AuthMethod::ApiKey(_) => Err(Error::SessionRequired),
        AuthMethod::Guest | AuthMethod::Session | AuthMethod::System => Ok(()),
    }
}

fn bounded(facts: AgentFacts) -> AgentFacts {
    let text = |text: Option<String>| text.map(|text| cut(&text));
    let mut facts = AgentFacts {
        agent_version: cut(&facts.agent_version),
        os: text(facts.os),
        driver: text(facts.driver),
        comfyui_version: text(facts.comfyui_version),
        ..facts
    };
    facts.gpus.truncate(MOST_GPUS);
    facts.models.truncate(MOST_MODELS);
    facts.gpus.iter_mut().for_each(|gpu| gpu.name = cut(&gpu.name));
    facts.models.iter_mut().for_each(|model| model.name = cut(&model.name));
    facts
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !names::is_hidden(*c)).take(TEXT_CHARACTERS).collect()
}
