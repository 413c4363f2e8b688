//! Agents beside workers: the tokens that let them in, and the tunnels by which their workers are reached.
//!
//! An agent is connected to one node, and its worker is that node's for as long as it lives: [`super::ownership`] takes
//! and gives it up by the row that is written here. An agent that comes back is known by its identity.

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
use self::store::{Came, Coming};
use self::token::{AgentToken, NewAgentToken};
use super::ownership;
use crate::audit::{self, Act, Action};
use crate::caller::Via;
use crate::ids::{AgentTokenId, WorkerId};
use crate::{Caller, Core, Error, Result, names};

/// Characters of a name.
const NAME_CHARACTERS: usize = 60;
/// Longer texts of an agent are cut: they are shown to people.
const TEXT_CHARACTERS: usize = 300;
const MOST_GPUS: usize = 32;
const MOST_MODELS: usize = 2000;

/// Makes a token for agents of these pools.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins, [`Error::SessionRequired`] for an API key; [`Error::Invalid`] for a bad
/// name or pool.
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
    let mut tx = core.db.begin().await?;
    store::insert_token(&mut tx, &token, &hash).await?;
    audit::record(&mut tx, by, Act::new(Action::AgentTokenCreate, token.id).after(after), token.created_at).await?;
    tx.commit().await?;
    Ok(NewAgentToken { token, secret })
}

/// The tokens, the newest first; revoked ones too.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins.
pub async fn agent_tokens(core: &Core, caller: &Caller) -> Result<Vec<AgentToken>> {
    caller.must_be_admin()?.to_read();
    Ok(store::tokens(&core.db).await?)
}

/// Revokes a token: its agents are cut off within seconds. Harmless when repeated.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] for an unknown token.
pub async fn revoke_agent_token(core: &Core, caller: &Caller, id: AgentTokenId) -> Result<()> {
    let by = caller.must_be_admin()?;
    must_be_person(caller)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let name = store::revoke_token(&mut tx, id, now).await?.ok_or(Error::NotFound { what: "agent token" })?;
    audit::record(&mut tx, by, Act::new(Action::AgentTokenRevoke, id).after(json!({ "name": name })), now).await?;
    Ok(tx.commit().await?)
}

/// Lets agents of a token in again whose workers were removed.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] for an unknown or revoked token.
pub async fn allow_agents(core: &Core, caller: &Caller, id: AgentTokenId) -> Result<()> {
    let by = caller.must_be_admin()?;
    must_be_person(caller)?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    if !store::is_valid(&mut tx, id).await? {
        return Err(Error::NotFound { what: "agent token" });
    }
    let allowed = store::allow(&mut tx, id).await?;
    audit::record(&mut tx, by, Act::new(Action::AgentTokenAllow, id).after(json!({ "agents": allowed })), now).await?;
    Ok(tx.commit().await?)
}

/// The agents, without the lists of their models.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins.
pub async fn agents(core: &Core, caller: &Caller) -> Result<Vec<AgentView>> {
    caller.must_be_admin()?.to_read();
    Ok(store::agents(&core.db, None).await?)
}

/// The agent of a worker, with its models.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] where no agent connects the worker.
pub async fn agent(core: &Core, caller: &Caller, worker: WorkerId) -> Result<AgentView> {
    caller.must_be_admin()?.to_read();
    store::agents(&core.db, Some(worker)).await?.pop().ok_or(Error::NotFound { what: "agent" })
}

/// Whether a text is a token that lets agents in.
///
/// # Errors
/// Database errors.
pub async fn lets_in(core: &Core, token: &str) -> Result<bool> {
    match token::presented(token) {
        Some(hash) => Ok(store::find_token(&core.db, &hash).await?.is_some()),
        None => Ok(false),
    }
}

/// Lets an agent in that is connected to this node, which connects to its worker at once. `prepare` makes the way to
/// the worker of this address before anybody may go it.
///
/// # Errors
/// Database errors; [`Error::Unavailable`] where no way can be made.
pub async fn connect_agent(
    core: &Core,
    token: &str,
    hello: AgentHello,
    prepare: impl FnOnce(&str) -> std::io::Result<()>,
) -> Result<Result<AgentConnection, AgentRefusal>> {
    let Some(hash) = token::presented(token) else { return Ok(Err(AgentRefusal::Token)) };
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
    let coming = Coming {
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
    let mut tx = core.db.begin().await?;
    let others = store::other_names(&mut tx, &name).await?;
    if BUILTIN_NAMES.iter().any(|own| names::look_alike(&name, own)) || others.iter().any(|other| is_twin(&name, other))
    {
        return Ok(Err(AgentRefusal::NameTaken));
    }
    let worker = match store::come(&mut tx, &coming).await? {
        Came::In(worker) => worker,
        Came::Refused(refusal) => return Ok(Err(refusal)),
    };
    prepare(&url).map_err(|error| Error::Unavailable {
        message: format!("no way to the worker can be made: {error}"),
        retry_after_seconds: 10,
    })?;
    tx.commit().await?;
    ownership::keep(core).await?;
    let name = name.to_owned();
    Ok(Ok(AgentConnection { worker, name, url, run: hello.run }))
}

/// Whether the connection still holds: its token, its worker, and that no other process or node has it.
///
/// # Errors
/// Database errors: nobody knows, so it holds on.
pub async fn agent_stands(core: &Core, agent: &AgentConnection) -> Result<Result<(), AgentRefusal>> {
    Ok(store::stands(&core.db, core.node, agent).await?)
}

/// What a connected agent says of its machine.
///
/// # Errors
/// Database errors.
pub async fn note_agent_facts(core: &Core, agent: &AgentConnection, facts: AgentFacts) -> Result<()> {
    Ok(store::note_facts(&core.db, core.node, agent, &bounded(facts)).await?)
}

/// What a connected agent says of its server.
///
/// # Errors
/// Database errors.
pub async fn note_agent_server(core: &Core, agent: &AgentConnection, note: Option<String>) -> Result<()> {
    let note = note.map(|note| cut(&note));
    Ok(store::note_server(&core.db, core.node, agent, note.as_deref()).await?)
}

/// A connected agent is about to end: its worker gets nothing new.
///
/// # Errors
/// Database errors.
pub async fn note_agent_leaves(core: &Core, agent: &AgentConnection) -> Result<()> {
    store::note_leaves(&core.db, core.node, agent).await?;
    ownership::keep(core).await?;
    Ok(())
}

/// The agent's connection to this node is over. The worker stays this node's, until the agent is connected elsewhere.
///
/// # Errors
/// Database errors.
pub async fn agent_gone(core: &Core, agent: &AgentConnection) -> Result<()> {
    Ok(store::gone(&core.db, core.node, agent).await?)
}

/// What the platform calls workers of its own.
const BUILTIN_NAMES: [&str; 2] = ["built-in", "builtin worker"];

/// Whether a name is one of a machine, and reads the same everywhere: letters and digits of one script in their plain form,
/// and what stands between them in host names. No path, no address, no option.
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

/// Whether two names are drawn alike and are not the same.
fn is_twin(one: &str, other: &str) -> bool {
    let drawn = |name: &str| skeleton(name).flat_map(char::to_lowercase).collect::<String>();
    one != other && drawn(one) == drawn(other)
}

/// Tokens open the installation to machines: a key that leaks must not make any.
fn must_be_person(caller: &Caller) -> Result<()> {
    match caller.via {
        Via::ApiKey(_) => Err(Error::SessionRequired),
        Via::Guest | Via::Session | Via::System => Ok(()),
    }
}

/// What an agent says of its machine, as far as it is kept.
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
