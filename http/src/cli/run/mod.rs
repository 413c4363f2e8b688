//! `verdigraph run`: a client of the REST API for the shell and for scripts.
//!
//! Submits an API-format prompt or a mini app, follows the job, saves its outputs (see `save`), and returns an exit
//! code for scripts. With `--batch` it submits a file of items instead.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | the job is Done and every output is saved; every item of a batch was accepted |
//! | 1 | the job ended in another status; items of a batch were refused |
//! | 2 | the command line or a local file is wrong |
//! | 3 | the server refused the request or cannot be reached |
//! | 4 | the job is Done and its delivered outputs are saved, but some could not be delivered |
//! | 130 | interrupted; the job was canceled, a batch continues |

mod batch;
mod display;
mod follow;
mod form;
mod input;
mod prompt;
mod save;
mod sse;
mod target;

use std::path::PathBuf;
use std::process::ExitCode;

use secrecy::SecretString;

use super::client::Client;
use super::failure::Failure;
use display::Display;
use target::Target;

/// The default server.
const LOCAL_SERVER: &str = "http://localhost:8080";

/// Submits a workflow, follows it, and saves its outputs.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// A prompt file in ComfyUI's API format, or the id or address of a mini app.
    #[arg(required_unless_present = "batch")]
    pub target: Option<String>,
    /// Submits many jobs: a file with one item per line, `{"key", "workflowApi", "form"}` or `{"key", "prompt"}`. Run
    /// it again after a failure: exactly the missing jobs are created.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "inputs"])]
    pub batch: Option<PathBuf>,
    /// With --batch: writes a line for each item, with its job or the refusal.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub out: Option<PathBuf>,
    /// With --batch: waits until every job has ended.
    #[arg(long, requires = "batch")]
    pub wait: bool,
    /// A value for an input: `3.seed=5` in a prompt (node 3), `prompt=a fox` in a mini app; `@FILE` takes a file, and
    /// `3.mode:=2.5` sends JSON as written.
    #[arg(long = "input", short = 'i', value_name = "NAME=VALUE|@FILE")]
    pub inputs: Vec<String>,
    /// The platform's address [default: that of the mini app's address, else http://localhost:8080].
    #[arg(long, value_name = "URL", env = "VERDIGRAPH_SERVER")]
    pub server: Option<String>,
    /// An API key; a local server's demo key is found automatically.
    #[arg(long, value_name = "KEY", env = "VERDIGRAPH_API_KEY", hide_env_values = true)]
    pub api_key: Option<String>,
    /// Where outputs are saved; created if missing.
    #[arg(long, short = 'o', value_name = "DIR", default_value = ".")]
    pub output: PathBuf,
    /// Prints one JSON object per line for every event, instead of text.
    #[arg(long)]
    pub json: bool,
    /// The data folder of a local installation, with its demo accounts.
    #[arg(long, value_name = "DIR", env = "DATA", default_value = ".data")]
    pub data: PathBuf,
}

/// Runs the command.
pub async fn run(args: Run) -> ExitCode {
    let display = Display::new(args.json);
    match perform(args, &display).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            display.failed(&failure);
            ExitCode::from(failure.exit)
        }
    }
}

async fn perform(args: Run, display: &Display) -> Result<(), Failure> {
    let (target, origin) = match &args.target {
        Some(target) => Target::parse(target).map(|(target, origin)| (Some(target), origin))?,
        None => (None, None),
    };
    let server = args.server.or(origin).unwrap_or_else(|| LOCAL_SERVER.to_owned());
    let key = match args.api_key {
        Some(key) => Some(SecretString::from(key)),
        None => target::demo_key(&server, &args.data),
    };
    let client = Client::new(&server, key)?;
    if let Some(path) = &args.batch {
        let batch = batch::Batch { path, out: args.out.as_deref(), wait: args.wait, json: args.json };
        return batch::run(&client, batch).await;
    }
    let target = target.ok_or_else(|| Failure::usage("name a prompt file or a mini app"))?;
    let inputs = args.inputs.iter().map(|text| input::parse(text)).collect::<Result<Vec<_>, _>>()?;
    tokio::fs::create_dir_all(&args.output)
        .await
        .map_err(|error| Failure::usage(format!("cannot make {}: {error}", args.output.display())))?;

    let submitted = match target {
        Target::Prompt(path) => {
            let request = prompt::prepare(&client, &path, &inputs, display).await?;
            client.submit("/api/general/job/prompt", &*request).await?
        }
        Target::MiniApp(id) => {
            let form = form::prepare(&client, &id, &inputs, display).await?;
            client.submit(&format!("/api/general/job/workflow-api/{id}"), &form).await?
        }
    };
    display.submitted(&submitted);

    let last = follow::until_end(&client, &submitted.id, display).await?;
    if last.status != "Done" {
        return Err(Failure::job(&last));
    }
    let outputs = client.outputs(&submitted.id).await?;
    let saved = save::all(&client, &outputs, &args.output, display).await?;
    let undelivered: Vec<_> = outputs.iter().flat_map(|node| &node.undelivered).collect();
    undelivered.iter().for_each(|note| display.undelivered(note));
    display.done(&last, &saved);
    match undelivered.iter().map(|note| note.count).sum() {
        0 => Ok(()),
        count => Err(Failure::partial(count)),
    }
}
