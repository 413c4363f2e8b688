//! `verdigraph-load`: load scenarios and crash drills against a private platform.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use verdigraph_load::floors::server as floor_server;
use verdigraph_load::scenarios::{
    Common, app_checks, audit, batch, community, crash, dispatch, end_to_end, feed, flex, floor, gaps, mixed, money,
    nodes, quotes, sdk, soak, submit, webhooks,
};
use verdigraph_load::{Error, Result, platform, worker};

// The same allocator as the server, so that comparisons are fair.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(name = "verdigraph-load", about = "Load scenarios and crash drills of Verdigraph")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Accepted jobs per second against the floors, memory of a long queue, submits beside idle listeners
    Submit(submit::Args),
    /// A file of 20,000 items against single submits, and the same file cut 50 times and sent again
    Batch(Common),
    /// Time from an accepted job to a worker, and to its end, on an idle and on a loaded system
    Dispatch(Common),
    /// Jobs per second with real pictures, through the platform and by a plain client of the same worker
    EndToEnd(Common),
    /// The pause between two prompts of a worker while outputs are slow to store, and the cost of a job for server and
    /// database at saturation
    Gaps(Common),
    /// One account's 100,000 API jobs beside 20 browser users
    Mixed(Common),
    /// 10,000 runs, each compared with the quote before it
    Quotes(Common),
    /// 500 clients of Comfy API v2 at once, each the official Python SDK with 20 jobs, and one client alone
    Sdk(sdk::Args),
    /// The load of `mixed` without and with 100,000 flex jobs in the queue; then 1,000 flex jobs with deadlines
    Flex(Common),
    /// Lists of a large community, at page 1 and page 1,000, against PostgreSQL alone
    Community(community::Args),
    /// Time until all mini apps are checked against a changed fleet, and the latency of submits beside it
    AppChecks(Common),
    /// Duration of the ledger audit, from the beginning and from the last proof
    Audit(audit::Args),
    /// Rates of the machine without the platform
    Floor(Common),
    /// Kills processes while jobs run, and checks that no job is lost, doubled or left with a hold
    Crash(crash::Args),
    /// Three nodes of one installation are killed, frozen and restarted, and their shared services fail, while jobs
    /// run; no job may be lost, doubled or run twice
    Nodes(nodes::Args),
    /// An hour of mixed load at half the peak, after which no resource may still grow
    Soak(Common),
    /// Webhook deliveries while the server is killed: each event must arrive, signed and in order; deliveries per
    /// second against a plain client, latency beside receivers that never answer, and submits beside subscribers
    Webhooks(webhooks::Args),
    /// The event feed, read by a consumer that is killed while three nodes write events: it must get each once
    Feed(Common),
    /// Purchases, renewals, refunds and coupons against stand-ins of PayPal and TossPayments that lose answers, while the
    /// server is killed; money and credits must agree, and no card or key may be left in a log or a table
    Money(Common),
    /// A ComfyUI worker; scenarios start these themselves
    #[command(name = worker::COMMAND, hide = true)]
    Worker(worker::Worker),
    /// The simplest ways to accept a job; scenarios start this themselves
    #[command(name = floor_server::COMMAND, hide = true)]
    FloorServer,
    /// Cleans up after a run; scenarios start this themselves
    #[command(name = platform::ATTEND, hide = true)]
    Attend,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Worker(args) => worker::serve(&args).map(|()| ExitCode::SUCCESS),
        Command::Attend => {
            platform::attend(std::io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Command::FloorServer => actix_rt::System::new().block_on(floor_server::serve()).map(|()| ExitCode::SUCCESS),
        Command::Submit(args) => scenario(submit::run(&args)),
        Command::Batch(args) => scenario(batch::run(&args)),
        Command::Dispatch(args) => scenario(dispatch::run(&args)),
        Command::EndToEnd(args) => scenario(end_to_end::run(&args)),
        Command::Gaps(args) => scenario(gaps::run(&args)),
        Command::Mixed(args) => scenario(mixed::run(&args)),
        Command::Quotes(args) => scenario(quotes::run(&args)),
        Command::Sdk(args) => scenario(sdk::run(&args)),
        Command::Flex(args) => scenario(flex::run(&args)),
        Command::Community(args) => scenario(community::run(&args)),
        Command::AppChecks(args) => scenario(app_checks::run(&args)),
        Command::Audit(args) => scenario(audit::run(&args)),
        Command::Floor(args) => scenario(floor::run(&args)),
        Command::Crash(args) => scenario(crash::run(&args)),
        Command::Nodes(args) => scenario(nodes::run(&args)),
        Command::Soak(args) => scenario(soak::run(&args)),
        Command::Webhooks(args) => scenario(webhooks::run(&args)),
        Command::Feed(args) => scenario(feed::run(&args)),
        Command::Money(args) => scenario(money::run(&args)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Runs a scenario until its end or a signal. All processes that it started end with it.
fn scenario(run: impl Future<Output = Result<ExitCode>>) -> Result<ExitCode> {
    use tokio::signal::unix::{SignalKind, signal};
    // The provider cannot be installed yet.
    drop(rustls::crypto::ring::default_provider().install_default());
    actix_rt::System::new().block_on(async {
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        tokio::select! {
            done = run => done,
            _ = interrupt.recv() => Err(Error::Other("interrupted".to_owned())),
            _ = terminate.recv() => Err(Error::Other("terminated".to_owned())),
        }
    })
}
