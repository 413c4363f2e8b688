//! Saved workflows as official clients list, read, save and delete them. They are the caller's workflows of the site; a
//! new one is private.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use verdigraph_core::graph::JsonText;
use verdigraph_core::ids::WorkflowId;
use verdigraph_core::list::{ListQuery, MAX_PAGE};
use verdigraph_core::workflows::{self, NewGraph, NewWorkflow, Translations, Workflow};
use verdigraph_core::{Core, Error};

use super::asset_view::time;
use crate::caller::Caller;
use crate::editor::prompt::is_editor_format;
use crate::error::Result;
use crate::extract::{self, RawBody};
use crate::query::Query;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/workflows").get(list).post(save))
        .service(web::resource("/workflows/{id}/content").get(content))
        .service(web::resource("/workflows/{id}").delete(delete));
}

/// Pages of workflows that a list reads: more are not sorted or searched here.
const MOST_PAGES: usize = 10;
const USUAL: usize = 20;

const GONE: Error = Error::NotFound { what: "workflow" };

#[derive(Debug, Deserialize)]
struct WorkflowsQuery {
    limit: Option<String>,
    sort: Option<String>,
    order: Option<String>,
    /// A part of the name, in any case.
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WorkflowSort {
    Created,
    Updated,
    Name,
}

/// A query that is valid.
#[derive(Debug, PartialEq, Eq)]
struct WorkflowsPage {
    limit: usize,
    sort: WorkflowSort,
    is_descending: bool,
    name: Option<String>,
}

impl WorkflowsQuery {
    fn read(&self) -> std::result::Result<WorkflowsPage, Error> {
        let most = usize::try_from(MAX_PAGE).unwrap_or(usize::MAX);
        let limit = match self.limit.as_deref() {
            None => USUAL,
            Some(text) => {
                let limit = text.parse::<usize>().ok().filter(|limit| (1..=most).contains(limit));
                limit.ok_or_else(|| Error::invalid("limit", format!("must be between 1 and {most}")))?
            }
        };
        let sort = match self.sort.as_deref() {
            None | Some("create_time") => WorkflowSort::Created,
            Some("update_time") => WorkflowSort::Updated,
            Some("name") => WorkflowSort::Name,
            Some(_) => return Err(Error::invalid("sort", "must be create_time, update_time or name")),
        };
        let is_descending = match self.order.as_deref() {
            None | Some("desc") => true,
            Some("asc") => false,
            Some(_) => return Err(Error::invalid("order", "must be asc or desc")),
        };
        let name = self.name.as_deref().map(str::to_lowercase).filter(|name| !name.is_empty());
        Ok(WorkflowsPage { limit, sort, is_descending, name })
    }
}

impl WorkflowsPage {
    /// Whether the list is in the order of the site's own.
    fn is_newest_first(&self) -> bool {
        self.name.is_none() && self.is_descending && self.sort == WorkflowSort::Created
    }

    fn of(&self, mut all: Vec<Workflow>) -> Vec<Workflow> {
        if let Some(name) = &self.name {
            all.retain(|workflow| workflow.name.to_lowercase().contains(name));
        }
        match self.sort {
            WorkflowSort::Created => all.sort_by_key(|workflow| workflow.id),
            WorkflowSort::Updated => all.sort_by_key(|workflow| (workflow.edited_at, workflow.id)),
            WorkflowSort::Name => all.sort_by_cached_key(|workflow| (workflow.name.to_lowercase(), workflow.id)),
        }
        if self.is_descending {
            all.reverse();
        }
        all.truncate(self.limit);
        all
    }
}

#[derive(Debug, Serialize)]
struct CloudWorkflow {
    id: WorkflowId,
    name: String,
    description: String,
    default_view: &'static str,
    latest_version: i32,
    created_at: String,
    updated_at: String,
}

impl From<Workflow> for CloudWorkflow {
    fn from(workflow: Workflow) -> Self {
        Self {
            id: workflow.id,
            name: workflow.name,
            description: workflow.description,
            default_view: if workflow.workflow_api.is_some() { "app" } else { "graph" },
            latest_version: workflow.version,
            created_at: time(workflow.created_at),
            updated_at: time(workflow.edited_at),
        }
    }
}

#[derive(Debug, Serialize)]
struct CloudWorkflows {
    data: Vec<CloudWorkflow>,
}

async fn list(core: Data<Core>, caller: Caller, query: Query<WorkflowsQuery>) -> Result<Json<CloudWorkflows>> {
    caller.signed_in()?;
    let page = query.read()?;
    let (mut all, mut cursor): (Vec<Workflow>, Option<String>) = (Vec::new(), None);
    for _ in 0..MOST_PAGES {
        let read = workflows::mine(&core, &caller, ListQuery::at((), cursor.as_deref(), MAX_PAGE)).await?;
        all.extend(read.items);
        cursor = read.next_cursor;
        if cursor.is_none() || (page.is_newest_first() && all.len() >= page.limit) {
            break;
        }
    }
    Ok(Json(CloudWorkflows { data: page.of(all).into_iter().map(CloudWorkflow::from).collect() }))
}

#[derive(Debug, Deserialize)]
struct NewCloudWorkflow {
    name: String,
    workflow_json: Box<RawValue>,
    description: Option<String>,
}

#[derive(Debug, Serialize)]
struct SavedWorkflow {
    id: WorkflowId,
    latest_version: i32,
}

/// Takes the editor's format and the API format.
async fn save(core: Data<Core>, caller: Caller, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let NewCloudWorkflow { name, workflow_json, description } = extract::parse_graph(&body.0)?;
    let text = Some(JsonText::new(&workflow_json));
    let graph = match is_editor_format(&workflow_json) {
        true => NewGraph { ui: text, prompt: None },
        false => NewGraph { ui: None, prompt: text },
    };
    let new = NewWorkflow {
        name,
        description: description.unwrap_or_default(),
        translations: Translations::default(),
        graph,
        is_private: true,
        cover: None,
        thumbnails: Vec::new(),
        tags: Vec::new(),
    };
    let Workflow { id, version: latest_version, .. } = workflows::create(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(SavedWorkflow { id, latest_version }))
}

/// A workflow of the caller. Not even an admin reads those of others here.
async fn own(core: &Core, caller: &Caller, id: &str) -> Result<Workflow> {
    let user = caller.signed_in()?;
    let id: WorkflowId = id.parse().map_err(|_| GONE)?;
    let found = workflows::find(core, caller, id).await?;
    if found.user == user { Ok(found) } else { Err(GONE.into()) }
}

#[derive(Debug, Serialize)]
struct WorkflowContent {
    id: String,
    version: i32,
    workflow_json: Box<RawValue>,
}

/// The editor's format where the workflow has it, else the API format.
async fn content(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<Json<WorkflowContent>> {
    let workflow = own(&core, &caller, &id).await?;
    let graph = workflows::graph(&core, &workflow).await?;
    let Workflow { id, version, .. } = workflow;
    let text = match (&graph.ui, &graph.prompt) {
        (Some(ui), _) => ui.as_str(),
        (None, Some(prompt)) => prompt.text.as_str(),
        (None, None) => "{}",
    };
    let workflow_json = RawValue::from_string(text.to_owned())
        .map_err(|error| Error::Internal(format!("a stored graph is invalid JSON: {error}")))?;
    Ok(Json(WorkflowContent { id: format!("{id}.{version}"), version, workflow_json }))
}

async fn delete(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<HttpResponse> {
    let workflow = own(&core, &caller, &id).await?;
    workflows::delete(&core, &caller, workflow.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(sort: &str, order: &str, limit: &str) -> WorkflowsQuery {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        WorkflowsQuery { limit: given(limit), sort: given(sort), order: given(order), name: None }
    }

    #[test]
    fn newest_first_is_the_order_without_words() {
        let page = query("", "", "").read().expect("a page");
        assert!(page.is_newest_first() && page.limit == USUAL);
        assert!(!query("name", "desc", "100").read().expect("a page").is_newest_first());
        for (sort, order, limit) in [("x", "", ""), ("", "up", ""), ("", "", "0"), ("", "", "101"), ("", "", "x")] {
            assert!(query(sort, order, limit).read().is_err(), "{sort} {order} {limit}");
        }
    }
}
