//! A plain ComfyUI client without accounts, queue or credits: posts prompts and stores the pictures.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;
use verdigraph_workers::comfy::message;
use verdigraph_workers::comfy::output::{Piece, pieces};
use verdigraph_workers::comfy::transport;
use verdigraph_workers::comfy::{Client, PostAnswer, PromptRequest, ServerMessage, Timeouts};

use super::Rate;
use crate::app::Recipe;
use crate::error::{Error, Result};

/// First seed of this side. The platform's start at 10^12.
const FIRST_SEED: u64 = 1;
const PICTURE_BYTES: u64 = 64 << 20;
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// Clients of one worker.
pub struct Plain {
    client: Client,
    folder: PathBuf,
    recipe: Recipe,
    seed: Cell<u64>,
}

impl Plain {
    /// Clients of the worker at `url`, which store pictures in `folder`.
    pub fn new(url: &str, folder: &std::path::Path, recipe: Recipe) -> Result<Self> {
        let timeouts = Timeouts::default();
        let client = Client::new(url, transport(timeouts)?, timeouts);
        Ok(Self { client, folder: folder.to_owned(), recipe, seed: Cell::new(FIRST_SEED) })
    }

    /// Runs this many clients with a prompt each for this long.
    pub async fn run(&self, clients: usize, length: Duration) -> Result<Rate> {
        let begin = Instant::now();
        let running = (0..clients).map(|_| self.client(begin + length));
        let times: Vec<Vec<f64>> = try_join_all(running).await?;
        let jobs = times.iter().map(|times| times.len() as u64).sum();
        Ok(Rate { jobs, seconds: begin.elapsed().as_secs_f64() })
    }

    /// Milliseconds of each job of one client, from posting its prompt until its picture is in a file.
    pub async fn one_by_one(&self, length: Duration) -> Result<Vec<f64>> {
        self.client(Instant::now() + length).await
    }

    async fn client(&self, until: Instant) -> Result<Vec<f64>> {
        let id = Uuid::new_v4().simple().to_string();
        let (mut socket, _) = tokio_tungstenite::connect_async(self.client.socket_url(&id)).await.map_err(other)?;
        let mut times = Vec::new();
        while Instant::now() < until {
            let begin = Instant::now();
            let prompt_id = Uuid::new_v4().hyphenated().to_string();
            let seed = self.seed.replace(self.seed.get() + 1);
            let prompt = to_raw_value(&self.recipe.prompt(seed)).map_err(other)?;
            let extra_data = to_raw_value(&json!({})).map_err(other)?;
            let request =
                PromptRequest { prompt: &prompt, client_id: &id, prompt_id: &prompt_id, extra_data: &extra_data };
            match self.client.post_prompt(&request, || true).await {
                PostAnswer::Queued { .. } => {}
                answer => return Err(Error::Other(format!("the worker did not take a prompt: {answer:?}"))),
            }
            let over = async {
                while let Some(frame) = socket.next().await {
                    let Message::Text(text) = frame.map_err(other)? else { continue };
                    match message::text(text.as_str()) {
                        Ok(ServerMessage::Executing { prompt_id: Some(about), node: None, .. })
                            if about == prompt_id =>
                        {
                            return Ok(());
                        }
                        _ => {}
                    }
                }
                Err(Error::Other("the worker closed its socket".to_owned()))
            };
            tokio::time::timeout(ENDED_WITHIN, over).await.map_err(other)??;
            self.keep(&prompt_id).await?;
            times.push(begin.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(times)
    }

    /// Downloads the outputs of a prompt to files.
    async fn keep(&self, prompt_id: &str) -> Result<()> {
        let ended = self.client.history(prompt_id).await.map_err(other)?;
        let outputs = ended.map(|ended| ended.outputs).unwrap_or_default();
        let mut kept = 0;
        for (_, output) in outputs {
            for piece in pieces(&output) {
                let Piece::File { file, .. } = piece else { continue };
                let file = self.client.view(&file, PICTURE_BYTES).await.map_err(other)?;
                tokio::fs::write(self.folder.join(format!("{prompt_id}-{kept}.png")), file.bytes().await?).await?;
                kept += 1;
            }
        }
        if kept > 0 { Ok(()) } else { Err(Error::Other(format!("prompt {prompt_id} made no picture"))) }
    }
}

fn other(error: impl std::fmt::Display) -> Error {
    Error::Other(format!("the plain client: {error}"))
}
