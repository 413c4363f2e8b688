//! The jobs API of newer front ends: list, one job, cancel.

use std::cmp::Reverse;

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::assets::AssetKind;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, ClientPrompt, ClientPromptFilter, Status};
use verdigraph_core::{Core, Error};

use super::rows::{JobDetail, row};
use super::state::PromptState;
use super::{MOST, find as find_prompt, plain_error};
use crate::caller::Caller;
use crate::editor::dialect::Dialect;
use crate::error::Result;
use crate::extract::RawBody;
use crate::query::Query;

/// Rows without `limit`, of ComfyUI and of Comfy Cloud.
const USUAL_ROWS: i64 = 200;
const USUAL_CLOUD_ROWS: i64 = 100;

#[derive(Debug, Default, Deserialize)]
pub(super) struct JobsQuery {
    status: Option<String>,
    workflow_id: Option<String>,
    output_type: Option<String>,
    sort_by: Option<String>,
    sort_order: Option<String>,
    limit: Option<String>,
    offset: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobSort {
    Created,
    Duration,
}

/// A query that is valid.
#[derive(Debug, PartialEq)]
struct JobsPage {
    dialect: Dialect,
    /// Empty for all.
    states: Vec<PromptState>,
    output_kind: Option<AssetKind>,
    sort: JobSort,
    ascends: bool,
    limit: Option<i64>,
    offset: i64,
}

impl JobsPage {
    /// The limit that the answer tells, and the number of rows to read.
    fn limits(&self) -> (Option<i64>, i64) {
        match self.dialect {
            Dialect::Local => (self.limit, self.limit.unwrap_or(USUAL_ROWS).min(MOST)),
            Dialect::Cloud => {
                let limit = self.limit.unwrap_or(USUAL_CLOUD_ROWS);
                (Some(limit), limit)
            }
        }
    }

    fn wants(&self, prompt: &ClientPrompt) -> bool {
        self.states.is_empty() || self.states.contains(&PromptState::told(prompt, self.dialect))
    }

    /// The statuses of waiting and running prompts to read, empty for all; `None` to read none.
    fn active_statuses(&self) -> Option<Vec<Status>> {
        // Clients of Comfy Cloud find a prompt that is to stop among the canceled ones.
        let may_stop = self.dialect == Dialect::Cloud && self.states.contains(&PromptState::Cancelled);
        let is_read = |state: &PromptState| state.is_active() && (may_stop || self.states.contains(state));
        let active = PromptState::all().filter(is_read);
        let statuses: Vec<Status> = active.flat_map(PromptState::statuses).collect();
        // A job without its end has no outputs of a kind.
        let is_asked = self.output_kind.is_none() && (self.states.is_empty() || !statuses.is_empty());
        is_asked.then_some(statuses)
    }

    /// The statuses of ended prompts to read, as [`Self::active_statuses`].
    fn ended_statuses(&self) -> Option<Vec<Status>> {
        let ended = self.states.iter().filter(|state| !state.is_active());
        let statuses: Vec<Status> = ended.flat_map(|state| state.statuses()).collect();
        (self.states.is_empty() || !statuses.is_empty()).then_some(statuses)
    }
}

impl JobsQuery {
    /// # Errors
    /// The text of ComfyUI's error.
    fn read(&self, dialect: Dialect) -> std::result::Result<JobsPage, String> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let mut states = Vec::new();
        for name in given(&self.status).iter().flat_map(|names| names.split(',')).map(str::trim) {
            states.push(PromptState::from_name(name).ok_or_else(|| {
                format!(
                    "Invalid status value(s): {name}. Valid values: pending, in_progress, completed, failed, cancelled"
                )
            })?);
        }
        let output_kind = match given(&self.output_type).as_deref() {
            None => None,
            Some("image") => Some(AssetKind::Image),
            Some("video") => Some(AssetKind::Video),
            Some("audio") => Some(AssetKind::Audio),
            Some(_) => return Err("output_type must be 'image', 'video' or 'audio'".to_owned()),
        };
        // ComfyUI's and Comfy Cloud's words.
        let sort = match given(&self.sort_by).as_deref() {
            None | Some("created_at" | "create_time") => JobSort::Created,
            Some("execution_duration" | "execution_time") => JobSort::Duration,
            Some(_) => return Err("sort_by must be 'created_at' or 'execution_duration'".to_owned()),
        };
        let ascends = match given(&self.sort_order).as_deref() {
            None | Some("desc") => false,
            Some("asc") => true,
            Some(_) => return Err("sort_order must be 'asc' or 'desc'".to_owned()),
        };
        if self.workflow_id.as_ref().is_some_and(|id| id.contains('\0')) {
            return Err("workflow_id must be the id of a workflow".to_owned());
        }
        let number = |name: &str, text: &Option<String>| {
            given(text).map(|text| text.parse::<i64>().map_err(|_| format!("{name} must be an integer"))).transpose()
        };
        let limit = number("limit", &self.limit)?;
        if limit.is_some_and(|limit| limit < 1) {
            return Err("limit must be a positive integer".to_owned());
        }
        if dialect == Dialect::Cloud && limit.is_some_and(|limit| limit > MOST) {
            return Err(format!("limit must be between 1 and {MOST}"));
        }
        let offset = number("offset", &self.offset)?.unwrap_or(0).max(0);
        Ok(JobsPage { dialect, states, output_kind, sort, ascends, limit, offset })
    }
}

pub(super) async fn list(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    query: Query<JobsQuery>,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let dialect = Dialect::of(&request);
    let page = match query.read(dialect) {
        Ok(page) => page,
        Err(text) => return Ok(plain_error(StatusCode::BAD_REQUEST, &text)),
    };
    let (limit, rows) = page.limits();
    let (prompts, total) = prompts(&core, &caller, &page, query.workflow_id.clone(), rows).await?;
    let outputs = jobs::prompt_outputs(&core, &prompts).await?;
    let jobs: Vec<_> = prompts
        .iter()
        .map(|prompt| row(prompt, outputs.get(&prompt.job).map(Vec::as_slice).unwrap_or_default(), dialect))
        .collect();
    let seen = page.offset.saturating_add(i64::try_from(jobs.len()).unwrap_or(i64::MAX));
    // Without rows a client would ask for the same page again and again: a sorted list ends after MOST ended jobs.
    let has_more = !jobs.is_empty() && seen < total;
    let pagination = json!({ "offset": page.offset, "limit": limit, "total": total, "has_more": has_more });
    Ok(HttpResponse::Ok().json(json!({ "jobs": jobs, "pagination": pagination })))
}

/// One page, and the number of all that match.
async fn prompts(
    core: &Core,
    caller: &Caller,
    page: &JobsPage,
    workflow_id: Option<String>,
    rows: i64,
) -> Result<(Vec<ClientPrompt>, i64)> {
    let filter = |statuses| ClientPromptFilter {
        statuses,
        workflow_id: workflow_id.clone(),
        output_kind: page.output_kind,
        without_never_ran: false,
    };
    let mut found = Vec::new();
    if let Some(statuses) = page.active_statuses() {
        found = jobs::active_client_prompts(core, caller, &filter(statuses), MOST).await?;
        found.retain(|prompt| page.wants(prompt));
    }
    let mut total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    if let Some(statuses) = page.ended_statuses() {
        let ended = filter(statuses);
        total += jobs::count_ended_client_prompts(core, caller, &ended).await?;
        let is_in_order = page.sort == JobSort::Created && !page.ascends;
        if is_in_order && found.is_empty() {
            let place = (page.offset, rows);
            return Ok((jobs::ended_client_prompts(core, caller, &ended, place).await?, total));
        }
        let most = if is_in_order { page.offset.saturating_add(rows).min(MOST) } else { MOST };
        found.extend(jobs::ended_client_prompts(core, caller, &ended, (0, most)).await?);
    }
    Ok((sorted(found, page, rows), total))
}

/// A page of these prompts, each once: one may have ended between two reads.
fn sorted(mut prompts: Vec<ClientPrompt>, page: &JobsPage, rows: i64) -> Vec<ClientPrompt> {
    prompts.sort_by_key(|prompt| Reverse(prompt.job));
    prompts.dedup_by_key(|prompt| prompt.job);
    if page.sort == JobSort::Duration {
        prompts.sort_by_key(|prompt| Reverse(prompt.ran_ms.unwrap_or(0)));
    }
    if page.ascends {
        prompts.reverse();
    }
    let [offset, rows] = [page.offset, rows].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    prompts.into_iter().skip(offset).take(rows).collect()
}

/// Comfy Cloud tells a job of another user from an unknown one.
pub(super) async fn find(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
) -> Result<HttpResponse> {
    let dialect = Dialect::of(&request);
    let Some(prompt) = find_prompt(&core, &caller, &id).await? else {
        let is_foreign = match (dialect, id.parse::<JobId>()) {
            (Dialect::Cloud, Ok(id)) => jobs::is_job_of_another(&core, &caller, id).await?,
            (Dialect::Cloud, Err(_)) | (Dialect::Local, _) => false,
        };
        if is_foreign {
            return Err(Error::Forbidden.into());
        }
        return Ok(plain_error(StatusCode::NOT_FOUND, JOB_NOT_FOUND));
    };
    let prompts = [prompt];
    let content = jobs::prompt_contents(&core, &prompts).await?.into_values().next();
    let outputs = jobs::prompt_outputs(&core, &prompts).await?.into_values().next().unwrap_or_default();
    Ok(HttpResponse::Ok().json(JobDetail::new(&prompts[0], content, &outputs, dialect)))
}

const JOB_NOT_FOUND: &str = "Job not found";

/// Cancels a waiting or running job; harmless for all others. Comfy Cloud refuses an unknown id.
pub(super) async fn cancel(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
) -> Result<HttpResponse> {
    let cancelled = match (find_prompt(&core, &caller, &id).await?, Dialect::of(&request)) {
        (Some(prompt), _) => cancel_one(&core, &caller, &prompt).await?,
        (None, Dialect::Cloud) => return Ok(plain_error(StatusCode::NOT_FOUND, JOB_NOT_FOUND)),
        (None, Dialect::Local) => false,
    };
    Ok(HttpResponse::Ok().json(json!({ "cancelled": cancelled })))
}

async fn cancel_one(core: &Core, caller: &Caller, prompt: &ClientPrompt) -> Result<bool> {
    if prompt.status.is_terminal() {
        return Ok(false);
    }
    jobs::cancel(core, caller, prompt.job).await?;
    Ok(true)
}

/// Jobs that one call cancels.
const CANCELED_AT_ONCE: usize = 500;

pub(super) async fn cancel_many(core: Data<Core>, caller: Caller, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let Ok(body) = serde_json::from_slice::<Value>(&body.0) else {
        return Ok(plain_error(StatusCode::BAD_REQUEST, "Request body must be valid JSON"));
    };
    let Some(given) = body.get("job_ids").and_then(Value::as_array) else {
        return Ok(plain_error(StatusCode::BAD_REQUEST, "job_ids must be a list"));
    };
    if given.len() > CANCELED_AT_ONCE {
        let text = format!("job_ids has more than {CANCELED_AT_ONCE} ids");
        return Ok(plain_error(StatusCode::BAD_REQUEST, &text));
    }
    let is_id = |id: &&Value| id.as_str().is_some_and(|id| Uuid::parse_str(id).is_ok());
    let (valid, invalid): (Vec<&Value>, Vec<&Value>) = given.iter().partition(is_id);
    if !invalid.is_empty() {
        let texts: Vec<String> =
            invalid.iter().map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)).collect();
        let error = json!({ "error": "job_ids contains invalid id(s)", "invalid_ids": texts });
        return Ok(HttpResponse::BadRequest().json(error));
    }
    let mut cancelled = false;
    for id in valid.into_iter().filter_map(Value::as_str) {
        if let Some(prompt) = find_prompt(&core, &caller, id).await? {
            cancelled |= cancel_one(&core, &caller, &prompt).await?;
        }
    }
    Ok(HttpResponse::Ok().json(json!({ "cancelled": cancelled })))
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::prompt;
    use super::*;

    fn query(fields: &[(&str, &str)]) -> JobsQuery {
        let fields: serde_json::Map<String, Value> =
            fields.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        serde_json::from_value(Value::Object(fields)).expect("a query")
    }

    #[test]
    fn query_is_read_in_both_spellings() {
        let page = query(&[("status", "in_progress,pending"), ("limit", "200"), ("offset", "-5")]).read(Dialect::Local);
        let page = page.expect("a page");
        assert_eq!(page.states, [PromptState::InProgress, PromptState::Pending]);
        assert_eq!((page.limit, page.offset), (Some(200), 0));
        for word in ["execution_duration", "execution_time"] {
            assert_eq!(query(&[("sort_by", word)]).read(Dialect::Local).expect("a page").sort, JobSort::Duration);
        }
        assert_eq!(query(&[("status", "")]).read(Dialect::Local).expect("a page").states, []);
        for (field, value) in [
            ("status", "nope"),
            ("sort_by", "nope"),
            ("sort_order", "up"),
            ("limit", "0"),
            ("limit", "x"),
            ("offset", "x"),
            ("workflow_id", "a\0b"),
            ("output_type", "text"),
        ] {
            assert!(query(&[(field, value)]).read(Dialect::Local).is_err(), "{field}={value}");
        }
    }

    #[test]
    fn limits_are_those_of_the_dialect() {
        let limits = |fields: &[(&str, &str)], dialect| query(fields).read(dialect).map(|page| page.limits());
        assert_eq!(limits(&[], Dialect::Local), Ok((None, USUAL_ROWS)));
        assert_eq!(limits(&[], Dialect::Cloud), Ok((Some(100), 100)));
        assert_eq!(limits(&[("limit", "1000")], Dialect::Cloud), Ok((Some(1000), 1000)));
        assert_eq!(limits(&[("limit", "1001")], Dialect::Local), Ok((Some(1001), MOST)));
        assert!(limits(&[("limit", "1001")], Dialect::Cloud).is_err());
        let page = query(&[("output_type", "video")]).read(Dialect::Cloud).expect("a page");
        assert_eq!(page.output_kind, Some(AssetKind::Video));
    }

    #[test]
    fn prompt_that_is_to_stop_is_among_the_canceled_ones_of_comfy_cloud() {
        let mut stopping = prompt(Status::Running);
        stopping.is_cancel_requested = true;
        for (dialect, word, is_listed) in [
            (Dialect::Cloud, "cancelled", true),
            (Dialect::Cloud, "in_progress,pending", false),
            (Dialect::Cloud, "", true),
            (Dialect::Local, "cancelled", false),
            (Dialect::Local, "in_progress", true),
        ] {
            let page = query(&[("status", word)]).read(dialect).expect("a page");
            let is_read = page.active_statuses().is_some_and(|all| all.is_empty() || all.contains(&Status::Running));
            assert_eq!(is_read && page.wants(&stopping), is_listed, "{dialect:?} {word}");
        }
        let of_kind = query(&[("output_type", "image")]).read(Dialect::Cloud).expect("a page");
        assert_eq!((of_kind.active_statuses(), of_kind.ended_statuses()), (None, Some(Vec::new())));
        let active = query(&[("status", "pending")]).read(Dialect::Cloud).expect("a page");
        assert_eq!((active.active_statuses(), active.ended_statuses()), (Some(vec![Status::Pending]), None));
    }

    #[test]
    fn page_has_each_prompt_once_in_its_order() {
        let with = |id: u128, ran_ms| {
            let mut prompt = prompt(Status::Done);
            (prompt.job, prompt.ran_ms) = (JobId(Uuid::from_u128(id)), Some(ran_ms));
            prompt
        };
        let all = || vec![with(1, 30), with(3, 10), with(2, 20), with(3, 10)];
        let ids = |page: &JobsPage, rows| {
            sorted(all(), page, rows).iter().map(|prompt| prompt.job.0.as_u128()).collect::<Vec<_>>()
        };
        let page = query(&[]).read(Dialect::Local).expect("a page");
        assert_eq!(ids(&page, 9), [3, 2, 1]);
        assert_eq!(ids(&JobsPage { offset: 1, ..query(&[]).read(Dialect::Local).expect("a page") }, 1), [2]);
        assert_eq!(ids(&query(&[("sort_order", "asc")]).read(Dialect::Local).expect("a page"), 9), [1, 2, 3]);
        assert_eq!(ids(&query(&[("sort_by", "execution_time")]).read(Dialect::Local).expect("a page"), 9), [1, 2, 3]);
    }
}
