//! `verdigraph agent-token`: manages the tokens of agents.

use std::process::ExitCode;

use secrecy::ExposeSecret as _;
use verdigraph_core::{Caller, fleet};

use super::upkeep::{Installation, finish, with_database};
use crate::node::{NodeError, quiet_core};

/// Subcommands.
#[derive(Debug, clap::Subcommand)]
pub enum AgentToken {
    /// Creates a token, and prints it: it is shown once.
    Create {
        /// What it is for.
        name: String,
        /// A pool that its agents may join. Can be repeated.
        #[arg(long = "pool", required = true)]
        pools: Vec<String>,
        #[command(flatten)]
        installation: Installation,
    },
    /// Lists the tokens.
    List {
        #[command(flatten)]
        installation: Installation,
    },
    /// Revokes the tokens of a name; their agents are disconnected within seconds.
    Revoke {
        name: String,
        #[command(flatten)]
        installation: Installation,
    },
}

/// Runs the command.
pub async fn perform(command: AgentToken) -> ExitCode {
    let installation = match &command {
        AgentToken::Create { installation, .. }
        | AgentToken::List { installation }
        | AgentToken::Revoke { installation, .. } => installation.clone(),
    };
    let done = with_database(installation, async |settings, database| {
        let core = quiet_core(settings, database)?;
        let system = Caller::system();
        match command {
            AgentToken::Create { name, pools, .. } => {
                let new = fleet::create_agent_token(&core, &system, &name, &pools).await?;
                println!("{}", new.secret.expose_secret());
            }
            AgentToken::List { .. } => {
                for token in fleet::agent_tokens(&core, &system).await? {
                    let state = if token.revoked_at.is_some() { "revoked" } else { "valid" };
                    println!("{}… {} {} {}", token.prefix, state, token.pools.join(","), token.name);
                }
            }
            AgentToken::Revoke { name, .. } => {
                let tokens = fleet::agent_tokens(&core, &system).await?;
                let valid: Vec<_> =
                    tokens.into_iter().filter(|token| token.name == name && token.revoked_at.is_none()).collect();
                if valid.is_empty() {
                    return Err(NodeError::Other(format!("there is no valid token named {name}")));
                }
                for token in &valid {
                    fleet::revoke_agent_token(&core, &system, token.id).await?;
                }
                println!("{} revoked", valid.len());
            }
        }
        core.db.close().await;
        Ok(ExitCode::SUCCESS)
    });
    finish(done.await)
}
