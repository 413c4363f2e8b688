//! Fetches the outputs of a prompt: every file once, within limits, and stores them before the job is told. A file that
//! cannot be fetched becomes a note; the others are delivered. The prompt runs again only if no output can be delivered
//! and another attempt may help.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use indexmap::IndexSet;
use serde_json::Value;
use verdigraph_core::assets::{Spool, file_name};
use verdigraph_core::fleet::{self, NodeOutput, OutputItem, OutputKind, Undelivered, UndeliveredCode};

use super::outage::Outage;
use super::pictures::Pictures;
use super::ports::{Files, FilesError, Limits, StoredFile};
use super::state::{CollectError, CollectPolicy};
use crate::comfy::json::CUT;
use crate::comfy::output::{self, Folder, Piece};
use crate::comfy::{Client, Failure, FileRef};

const CONCURRENCY: usize = 4;
/// Attempts for a file that the worker answers with an error, and the pause between them. A worker that does not answer
/// is retried for `patience`: it may have crashed with its next prompt and come back with its files.
const TRIES: u32 = 3;
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// The outputs of a prompt while they are fetched.
pub(super) struct Collection {
    limits: Limits,
    nodes: Vec<(String, Vec<Piece>)>,
    wanted: IndexSet<FileRef>,
    /// Results so far.
    fetched: HashMap<FileRef, Result<StoredFile, FetchFailure>>,
    pictures: Pictures,
    received: Vec<NodeOutput>,
    /// Whether all pictures from the socket were stored or noted as lost.
    has_received: bool,
}

/// Why a file is not delivered.
#[derive(Debug, Clone)]
struct FetchFailure {
    code: UndeliveredCode,
    reason: String,
    remedy: Remedy,
}

/// What may help to get a file that is not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    None,
    /// The worker is gone; another one can run the prompt.
    OtherWorker,
    /// The worker's cache names a file that is gone.
    ForgetResults,
    /// The worker or the storage had a fault that may be temporary.
    OtherTry,
}

impl Collection {
    /// Starts with nothing fetched. Files beyond the limit are never fetched.
    pub fn of(outputs: &[(String, Arc<Value>)], pictures: Pictures, limits: Limits) -> Self {
        let mut room = TextBudget::default();
        let nodes: Vec<(String, Vec<Piece>)> =
            outputs.iter().map(|(node, output)| (node.clone(), room.fit(output::pieces(output)))).collect();
        let mut wanted: IndexSet<FileRef> = IndexSet::new();
        let mut fetched = HashMap::new();
        for piece in nodes.iter().flat_map(|(_, pieces)| pieces) {
            let Piece::File { file, .. } = piece else { continue };
            if wanted.len() < limits.files || wanted.contains(file) {
                wanted.insert(file.clone());
            } else {
                let reason = format!("a job delivers at most {} files", limits.files);
                let loss = FetchFailure::permanent(UndeliveredCode::TooManyFiles, reason);
                fetched.insert(file.clone(), Err(loss));
            }
        }
        Self { limits, nodes, wanted, fetched, pictures, received: Vec::new(), has_received: false }
    }

    /// Fetches and stores all files. Waits for an unavailable storage unless the policy is
    /// [`CollectPolicy::Immediate`]. Files that were fetched are kept if this future is dropped.
    pub async fn fetch(&mut self, client: &Client, store: OutputStore<'_>) {
        self.store_received(store).await;
        let (limits, total_bytes) = (self.limits, &AtomicU64::new(0));
        let mut fetches = stream::iter(self.wanted.clone())
            .map(|file| async move { (fetch(client, store, limits, total_bytes, &file).await, file) })
            .buffer_unordered(CONCURRENCY);
        while let Some((result, file)) = fetches.next().await {
            self.fetched.insert(file, result);
        }
    }

    /// Whether the worker lacks a file that its nodes name.
    pub fn misses_files(&self) -> bool {
        self.losses().any(|loss| loss.remedy == Remedy::ForgetResults)
    }

    /// Returns the fetched files in the order of the outputs, with a note about each missing file. Fails if all outputs
    /// are required, none can be delivered, and another attempt may help. For files that the worker lacks only the
    /// first attempt fails: a node that names missing files twice never wrote them.
    pub fn end(mut self, policy: CollectPolicy, attempt: i32) -> Result<Vec<NodeOutput>, CollectError> {
        for file in &self.wanted {
            if !self.fetched.contains_key(file) {
                let reason = "it could not be fetched in time".to_owned();
                let loss = FetchFailure { code: UndeliveredCode::NotInTime, reason, remedy: Remedy::OtherTry };
                self.fetched.insert(file.clone(), Err(loss));
            }
        }
        if policy == CollectPolicy::Required {
            self.check_delivery(attempt)?;
        }
        let notes = policy != CollectPolicy::Immediate;
        let fetched = &self.fetched;
        let outputs = self.nodes.into_iter().flat_map(|(node, pieces)| node_outputs(&node, pieces, fetched, notes));
        Ok(outputs.chain(self.received).collect())
    }

    fn losses(&self) -> impl Iterator<Item = &FetchFailure> {
        self.fetched.values().filter_map(|fetched| fetched.as_ref().err())
    }

    fn check_delivery(&self, attempt: i32) -> Result<(), CollectError> {
        if self.pictures.missed {
            return Err(CollectError::Failed(
                "pictures may have been sent while the socket was not connected".to_owned(),
            ));
        }
        if !self.has_received {
            return Err(CollectError::Failed("pictures from the socket could not be stored in time".to_owned()));
        }
        let texts = self.nodes.iter().flat_map(|(_, pieces)| pieces).any(|piece| matches!(piece, Piece::Text { .. }));
        let received = self.received.iter().flat_map(|output| &output.items);
        let mut received = received.filter(|item| !matches!(item, OutputItem::Undelivered(_)));
        if texts || received.next().is_some() || self.fetched.values().any(Result::is_ok) {
            return Ok(());
        }
        let is_stored = |item: &OutputItem| !matches!(item, OutputItem::Undelivered(note) if note.code == UndeliveredCode::FileNotStored);
        if !self.received.iter().flat_map(|output| &output.items).all(is_stored) {
            return Err(CollectError::Failed("pictures from the socket could not be stored".to_owned()));
        }
        let lost = |remedy: Remedy| {
            let mut files = self.wanted.iter().filter_map(|file| Some((file, self.fetched.get(file)?.as_ref().err()?)));
            let (file, loss) = files.find(|(_, loss)| loss.remedy == remedy)?;
            Some(format!("output {}: {}", file.filename, loss.reason))
        };
        if let Some(reason) = lost(Remedy::OtherWorker) {
            return Err(CollectError::WorkerGone(reason));
        }
        if let Some(reason) = lost(Remedy::ForgetResults).filter(|_| attempt < 2) {
            return Err(CollectError::FileMissing(reason));
        }
        lost(Remedy::OtherTry).map_or(Ok(()), |reason| Err(CollectError::Failed(reason)))
    }

    async fn store_received(&mut self, store: OutputStore<'_>) {
        let mut lost = std::mem::take(&mut self.pictures.lost);
        for (node_id, pictures) in std::mem::take(&mut self.pictures.nodes) {
            let mut items = Vec::new();
            for picture in pictures {
                match store.put(picture).await {
                    Ok(stored) => items.push(file_item(stored, None, false)),
                    Err(error) => lost.push((node_id.clone(), UndeliveredCode::FileNotStored, error.to_string())),
                }
            }
            let notes = lost.iter().filter(|(node, ..)| *node == node_id);
            let notes = notes.map(|(_, code, reason)| Undelivered::new("image", *code, reason.clone())).collect();
            items.extend(Undelivered::condensed(notes).into_iter().map(OutputItem::Undelivered));
            if !items.is_empty() {
                self.received.push(NodeOutput { node_id, kind: OutputKind::Images, items });
            }
        }
        self.has_received = true;
    }
}

impl FetchFailure {
    fn permanent(code: UndeliveredCode, reason: String) -> Self {
        Self { code, reason, remedy: Remedy::None }
    }

    fn job_too_large(limits: Limits) -> Self {
        let reason = format!("the outputs of the job are larger than {} bytes in all", limits.job_bytes);
        Self::permanent(UndeliveredCode::FileTooLarge, reason)
    }

    /// Classifies the failure that ended the attempts for a file.
    fn of(failure: &Failure) -> Self {
        use UndeliveredCode::{FileCutOff, FileMissing, FileRefused, FileTooLarge, WorkerError};
        let (code, remedy, reason) = match failure {
            Failure::Unreachable(_) | Failure::Refused(_) => {
                (FileCutOff, Remedy::OtherWorker, "the worker went away".to_owned())
            }
            Failure::Cut(_) => (FileCutOff, Remedy::OtherWorker, "the connection broke at every attempt".to_owned()),
            Failure::Status { status: 404 } => {
                (FileMissing, Remedy::ForgetResults, "the worker does not have it (404)".to_owned())
            }
            Failure::Status { status: status @ 400..500 } => {
                (FileRefused, Remedy::None, format!("the worker refuses to give it ({status})"))
            }
            Failure::Status { status } => {
                (WorkerError, Remedy::OtherTry, format!("the worker answered {status} at every attempt"))
            }
            Failure::Malformed(_) => (WorkerError, Remedy::OtherTry, failure.to_string()),
            Failure::TooLarge { .. } => (FileTooLarge, Remedy::None, format!("it is {failure}")),
            // Applies to JSON answers only; a file has no values to count.
            Failure::TooMany { .. } => (WorkerError, Remedy::None, failure.to_string()),
        };
        Self { code, reason, remedy }
    }
}

/// Where outputs are stored, and how long to wait.
#[derive(Clone, Copy)]
pub(super) struct OutputStore<'a> {
    pub files: &'a Arc<dyn Files>,
    pub policy: CollectPolicy,
    pub outage: &'a Outage,
    /// How long to wait for a worker that does not answer.
    pub patience: Duration,
}

impl OutputStore<'_> {
    async fn put(&self, file: Spool) -> Result<StoredFile, FilesError> {
        match self.policy {
            CollectPolicy::Required | CollectPolicy::BestEffort => self.outage.store(self.files, file).await,
            CollectPolicy::Immediate => self.files.store(file).await,
        }
    }
}

fn file_item(stored: StoredFile, name: Option<String>, temporary: bool) -> OutputItem {
    let StoredFile { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded } = stored;
    OutputItem::File { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded, name, temporary }
}

/// Limits for the texts of one job, in number and in bytes of JSON.
const MAX_TEXTS: usize = 1000;
const MAX_TEXT_BYTES: usize = 8 * fleet::SHOWN_BYTES;

/// Texts of a job so far, against those limits.
#[derive(Default)]
struct TextBudget {
    texts: usize,
    bytes: usize,
}

impl TextBudget {
    /// Cuts texts to the limits, and adds a note about each text that is not complete.
    fn fit(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut fitted = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let Piece::Text { key, text } = piece else {
                fitted.push(piece);
                continue;
            };
            // PostgreSQL accepts no NUL.
            let whole = if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
            let text = whole.strip_suffix(CUT).unwrap_or(&whole);
            let shown = fleet::shown(text);
            if self.texts >= MAX_TEXTS || self.bytes + shown.len() > MAX_TEXT_BYTES {
                let reason = format!("a job delivers at most {MAX_TEXTS} texts and {MAX_TEXT_BYTES} bytes of them");
                fitted.push(Piece::Undelivered(Undelivered::new(&key, UndeliveredCode::TooManyTexts, reason)));
                continue;
            }
            (self.texts, self.bytes) = (self.texts + 1, self.bytes + shown.len());
            let cut = (shown.len() < whole.len()).then(|| {
                let reason =
                    format!("the text is longer than {} bytes: its beginning is delivered", fleet::SHOWN_BYTES);
                Piece::Undelivered(Undelivered::new(&key, UndeliveredCode::TextCut, reason))
            });
            fitted.push(Piece::Text { key, text: shown.to_owned() });
            fitted.extend(cut);
        }
        fitted
    }
}

/// Makes one output per kind, ordered by the first item of each kind. `with_notes` adds notes about missing items.
fn node_outputs(
    node: &str,
    pieces: Vec<Piece>,
    fetched: &HashMap<FileRef, Result<StoredFile, FetchFailure>>,
    with_notes: bool,
) -> Vec<NodeOutput> {
    let mut outputs: Vec<NodeOutput> = Vec::new();
    let mut notes = Vec::new();
    for piece in pieces {
        let (kind, item) = match piece {
            Piece::Text { text, .. } => (OutputKind::Text, OutputItem::Text { text }),
            Piece::Undelivered(note) => {
                notes.push(note);
                continue;
            }
            Piece::File { file, audio } => match fetched.get(&file) {
                Some(Ok(stored)) => {
                    let kind = output::kind(stored.media, audio);
                    let name = file_name(&file.filename, stored.media);
                    (kind, file_item(stored.clone(), name, file.folder == Folder::Temp))
                }
                Some(Err(FetchFailure { code, reason, .. })) => {
                    notes.push(Undelivered::new(&file.shown_name(), *code, reason.clone()));
                    continue;
                }
                None => continue,
            },
        };
        match outputs.iter_mut().find(|output| output.kind == kind) {
            Some(output) => output.items.push(item),
            None => outputs.push(NodeOutput { node_id: node.to_owned(), kind, items: vec![item] }),
        }
    }
    if with_notes && !notes.is_empty() {
        let items = Undelivered::condensed(notes).into_iter().map(OutputItem::Undelivered).collect();
        outputs.push(NodeOutput { node_id: node.to_owned(), kind: OutputKind::Files, items });
    }
    outputs
}

async fn fetch(
    client: &Client,
    store: OutputStore<'_>,
    limits: Limits,
    total_bytes: &AtomicU64,
    file: &FileRef,
) -> Result<StoredFile, FetchFailure> {
    let (mut tries, began) = (1, Instant::now());
    let received = loop {
        let left = limits.job_bytes.saturating_sub(total_bytes.load(Ordering::Relaxed));
        match client.view(file, limits.file_bytes.min(left)).await {
            Ok(received) => break received,
            Err(failure) => {
                let is_worth_it = match failure {
                    // The worker's files survive its process and the connection.
                    Failure::Unreachable(_) | Failure::Refused(_) | Failure::Cut(_) => {
                        tries < TRIES || began.elapsed() < store.patience
                    }
                    Failure::Status { status: 500.. } => tries < TRIES,
                    _ => false,
                };
                if is_worth_it {
                    tokio::time::sleep(RETRY_AFTER * tries.min(TRIES)).await;
                    tries += 1;
                    continue;
                }
                tracing::info!(file = file.filename, %failure, "cannot fetch an output");
                return Err(match failure {
                    Failure::TooLarge { limit_bytes } if limit_bytes < limits.file_bytes => {
                        FetchFailure::job_too_large(limits)
                    }
                    failure => FetchFailure::of(&failure),
                });
            }
        }
    };
    let size = received.len();
    if received.is_empty() {
        return Err(FetchFailure::permanent(UndeliveredCode::FileEmpty, "it is empty".to_owned()));
    }
    if total_bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > limits.job_bytes {
        total_bytes.fetch_sub(size, Ordering::Relaxed);
        return Err(FetchFailure::job_too_large(limits));
    }
    store.put(received).await.map_err(|error| FetchFailure {
        code: UndeliveredCode::FileNotStored,
        reason: error.to_string(),
        remedy: Remedy::OtherTry,
    })
}
