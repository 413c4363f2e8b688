//! Views of jobs that need more than the job's row: its workflow, its outputs.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};
use verdigraph_core::assets::{AssetKind, EmbeddedMetadata};
use verdigraph_core::fleet::Undelivered;
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::ids::{JobId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use verdigraph_core::jobs::{self, Job, JobPreview, JobProgress, JobStatus, OutputPiece, QueuePosition, StatusReason};
use verdigraph_core::workflows::{self, Workflow};
use verdigraph_core::{Caller, Core, Fault, Result, ledger, mini_apps};

use crate::populate::Population;
use crate::views::assets::{download_url, media_url};
use crate::views::jobs::{
    EtaView, FileOutputView, JobCredits, JobResult, JobView, NodeOutputsView, ProgressView, QueueView, StatusView,
    UndeliveredView, WhyView,
};
use crate::views::output_assets::raw_url;
use crate::views::translations::{ByLanguageView, TranslationView};
use crate::views::workflows::WorkflowCard;

/// The mini apps and workflows of a list of jobs.
pub struct JobPopulation {
    apps: HashMap<WorkflowApiVersionId, (WorkflowApiId, WorkflowId)>,
    workflows: HashMap<WorkflowId, WorkflowCard>,
    /// Credits held by jobs that have not ended.
    held: HashMap<JobId, i64>,
    results: HashMap<JobId, JobResult>,
    undelivered: HashMap<JobId, Vec<UndeliveredView>>,
}

impl JobPopulation {
    /// Reads everything at once, for any number of jobs.
    pub async fn of(core: &Core, caller: &Caller, jobs: &[Job]) -> Result<Self> {
        let versions: BTreeSet<WorkflowApiVersionId> = jobs.iter().filter_map(|job| job.version).collect();
        let apps = mini_apps::versions(core, &Vec::from_iter(versions)).await?;
        let apps: HashMap<_, _> = apps.into_iter().map(|(version, app)| (version, (app.id, app.workflow))).collect();
        let behind: BTreeSet<WorkflowId> = apps.values().map(|(_, workflow)| *workflow).collect();
        let list = workflows::of_runs(core, &Vec::from_iter(behind)).await?;
        let population = Population::of(core, &list).await?;
        let card = |workflow: &Workflow| population.card(workflow).brief();
        let open: Vec<JobId> = jobs.iter().filter(|job| !job.status.is_terminal()).map(|job| job.id).collect();
        let held = ledger::held_by(core, &open).await?;
        let base_url = core.settings.base_url();
        let glimpses = jobs::previews(core, caller, jobs).await?.into_iter();
        let results = glimpses.map(|(job, glimpse)| (job, result_view(&glimpse, base_url))).collect();
        let undelivered = jobs::undelivered(core, caller, jobs).await?.into_iter();
        let views = |notes: Vec<(String, Undelivered)>| notes.into_iter().map(UndeliveredView::from).collect();
        let undelivered = undelivered.map(|(job, notes)| (job, views(notes))).collect();
        Ok(Self {
            apps,
            held,
            results,
            undelivered,
            workflows: list.iter().map(|workflow| (workflow.id, card(workflow))).collect(),
        })
    }

    /// A job's view.
    #[must_use]
    pub fn job(&self, job: Job) -> JobView {
        let app = job.version.and_then(|version| self.apps.get(&version)).copied();
        let price_class = job.price_class().into();
        let seeds = match job.seeds {
            Some(Value::Object(seeds)) => seeds,
            _ => Map::new(),
        };
        JobView {
            id: job.id.0,
            status: job.status.name(),
            fault: job.status.fault().map(Fault::name),
            execute_exception: job.execute_exception,
            validate_exception: job.validate_exception,
            node_errors: job.node_errors,
            prompt_result: None,
            workflow_api: app.map(|(api, _)| api.0),
            workflow_api_version: job.version.map(|version| version.0),
            workflow: app.and_then(|(_, workflow)| self.workflows.get(&workflow).cloned()),
            lane: job.lane.name(),
            pool: job.pool,
            attempt: job.attempt,
            batch: job.batch.map(|batch| batch.0),
            labels: job.labels.into_map(),
            price_class,
            deadline: job.deadline,
            promoted_at: job.promoted_at,
            created_at: job.created_at,
            started_at: job.started_at,
            ended_at: job.ended_at,
            duration_ms: job.ran_ms,
            credits: JobCredits {
                held: self.held.get(&job.id).copied().unwrap_or(0),
                used: job.credits_used,
                most: job.max_credits,
            },
            result: self.results.get(&job.id).cloned(),
            undelivered: self.undelivered.get(&job.id).cloned().unwrap_or_default(),
            form: job.form,
            seeds,
        }
    }
}

impl From<(String, Undelivered)> for UndeliveredView {
    fn from((node_id, note): (String, Undelivered)) -> Self {
        let Undelivered { name, code, message, count } = note;
        Self { node_id, name, code: code.name(), message, count }
    }
}

impl From<JobStatus> for StatusView {
    fn from(status: JobStatus) -> Self {
        let JobStatus { job, queue, progress } = status;
        Self {
            id: job.id.0,
            status: job.status.name(),
            fault: job.status.fault().map(Fault::name),
            execute_exception: job.execute_exception,
            validate_exception: job.validate_exception,
            node_errors: job.node_errors,
            queue: queue.map(QueueView::from),
            progress: progress.map(ProgressView::from),
        }
    }
}

impl From<StatusReason> for WhyView {
    fn from(why: StatusReason) -> Self {
        let StatusReason { code, message, details, released_by } = why;
        Self { code: code.name(), message, details, released_by }
    }
}

impl From<QueuePosition> for QueueView {
    fn from(place: QueuePosition) -> Self {
        let QueuePosition { position, eta_seconds } = place;
        Self { position, eta_seconds: eta_seconds.map(|(low, high)| EtaView { low, high }) }
    }
}

impl From<JobProgress> for ProgressView {
    fn from(progress: JobProgress) -> Self {
        Self {
            node_id: progress.node_id,
            node_title: progress.node_title,
            value: progress.value,
            max: progress.max,
            nodes_done: progress.nodes_done,
            nodes_total: progress.nodes_total,
        }
    }
}

/// A job's outputs, with their names from its mini app.
pub async fn outputs(core: &Core, caller: &Caller, id: JobId) -> Result<Vec<NodeOutputsView>> {
    outputs_of(core, caller, &jobs::find(core, caller, id).await?).await
}

/// [`outputs`] of a job that was read already.
pub async fn outputs_of(core: &Core, caller: &Caller, job: &Job) -> Result<Vec<NodeOutputsView>> {
    // At the same time: neither needs the other, and a client waits for both at the end of its job.
    let (outputs, owns_graph) =
        tokio::try_join!(jobs::outputs_of(core, caller, job), jobs::owns_graph(core, caller, job.version))?;
    let app = match job.version {
        Some(version) => Some(mini_apps::version(core, version).await?),
        None => None,
    };
    let entry_of = |node: &str| app.as_ref()?.outputs().iter().find(|entry| entry.id == node);
    let base_url = core.settings.base_url();
    Ok(outputs
        .into_iter()
        .map(|output| {
            let mut by_kind = Map::new();
            let mut undelivered = Vec::new();
            for (kind, piece) in output.pieces {
                let piece = match piece {
                    OutputPiece::Undelivered(note) => {
                        undelivered.push(UndeliveredView::from((output.node_id.clone(), note)));
                        continue;
                    }
                    piece => piece,
                };
                let Some(value) = piece_value(piece, base_url, owns_graph) else { continue };
                if let Value::Array(items) = by_kind.entry(kind).or_insert_with(|| Value::Array(Vec::new())) {
                    items.push(value);
                }
            }
            let entry = entry_of(&output.node_id);
            NodeOutputsView {
                name: entry.map_or_else(|| output.node_id.clone(), |entry| entry.name.clone()),
                translations: entry.and_then(|entry| {
                    ByLanguageView::of(&entry.translations, |words| {
                        Some(TranslationView { name: words.name.clone(), description: None })
                    })
                }),
                node_id: output.node_id,
                outputs: by_kind,
                undelivered,
            }
        })
        .collect())
}

/// The nodes' results like `outputs` in ComfyUI's history: node id → output type → files by their names, and texts. Each file
/// has its `url` too.
#[must_use]
pub fn prompt_result(outputs: &[NodeOutputsView]) -> Value {
    let item = |item: &Value| {
        let Value::Object(file) = item else { return item.clone() };
        let field = |key: &str| file.get(key).cloned().unwrap_or_default();
        let name = field("fileName");
        let last = |url: &Value| url.as_str().and_then(|url| url.rsplit('/').next()).map(Value::from);
        let name = if name.is_null() { last(&field("url")).unwrap_or_default() } else { name };
        json!({ "filename": name, "subfolder": "", "type": "output", "url": field("url"), "outputAsset": field("outputAsset") })
    };
    let node = |node: &NodeOutputsView| {
        let kinds = node.outputs.iter().map(|(kind, items)| {
            let items = items.as_array().into_iter().flatten().map(item).collect();
            (kind.clone(), Value::Array(items))
        });
        (node.node_id.clone(), Value::Object(kinds.collect()))
    };
    Value::Object(outputs.iter().map(node).collect())
}

fn piece_value(piece: OutputPiece, base_url: &str, owns_graph: bool) -> Option<Value> {
    match piece {
        OutputPiece::Text(text) => Some(Value::String(text)),
        OutputPiece::Asset(asset) => serde_json::to_value(file_view(&asset, base_url, owns_graph)).ok(),
        OutputPiece::Undelivered(_) | OutputPiece::Gone => None,
    }
}

fn result_view(glimpse: &JobPreview, base_url: &str) -> JobResult {
    let JobPreview { first, count } = glimpse;
    let key = format!("{}.{}", first.content.0, first.media.extension());
    let is_image = first.media.kind() == AssetKind::Image;
    JobResult {
        output_asset: first.id.0,
        kind: if is_image { "image" } else { "video" },
        thumbnail_url: first.has_preview.then(|| media_url(base_url, "w200", &key)),
        blur_hash: first.blur_hash.clone(),
        is_nsfw: first.is_nsfw,
        is_private: first.is_private,
        count: *count,
    }
}

fn file_view(asset: &OutputAsset, base_url: &str, owns_graph: bool) -> FileOutputView {
    let has_more = owns_graph && matches!(asset.embedded, EmbeddedMetadata::Separate(_));
    FileOutputView {
        original_url: has_more.then(|| format!("{base_url}/api/general/output-asset/{}/original", asset.id.0)),
        url: raw_url(asset, base_url),
        file_name: asset.name.clone(),
        download_url: asset.name.as_deref().map(|name| download_url(base_url, &asset.content, name)),
        output_asset: asset.id.0,
        width: asset.width,
        height: asset.height,
        size_bytes: asset.size_bytes,
        content_type: asset.content_type(),
        has_preview: asset.has_preview,
    }
}
