//! A user's whole data as one JSON document, streamed while it is read.

mod billing_views;

use actix_web::web::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;
use verdigraph_core::editor::EditorFile;
use verdigraph_core::ids::{CommentId, EntryId, JobId, UserId};
use verdigraph_core::jobs::JobFilter;
use verdigraph_core::ledger::EntryFilter;
use verdigraph_core::list::ListQuery;
use verdigraph_core::notifications::NotificationOrder;
use verdigraph_core::{
    Caller, Core, Error, assets, billing, comments, editor, gallery, jobs, ledger, mini_apps, notifications, users,
    workflows,
};

use self::billing_views::{ExportedCard, ExportedSubscription};
use crate::error::ApiError;
use crate::job_views::JobPopulation;
use crate::populate::{self, Population};
use crate::views::assets::AssetView;
use crate::views::coupons::CouponUseView;
use crate::views::credits::{EntryView, GrantView};
use crate::views::notifications::NotificationSettingsView;
use crate::views::orders::OrderView;
use crate::views::output_assets::OutputAssetView;
use crate::views::users::{ApiKeyView, SessionView, UserView};
use crate::views::workflows::{DraftView, graph_text};

/// Items read at a time.
const PIECE: i64 = 100;
const PIECE_PAGE: u32 = 100;
/// Workflows read at a time: a graph may have megabytes.
const GRAPHS: i64 = 10;

/// Where the document continues.
enum Part {
    Profile(Box<UserView>),
    Keys,
    Sessions,
    Grants,
    Entries(Option<EntryId>),
    Coupons(Option<String>),
    Orders(Option<String>),
    Cards(Option<String>),
    Subscriptions(Option<String>),
    Jobs(Option<JobId>),
    Workflows(Option<String>),
    Pictures(Option<String>),
    /// The page number.
    Uploads(u32),
    Comments(Option<CommentId>),
    /// How many were read before.
    Notifications(i64),
    /// Mini apps shared with the user.
    Shared(Option<String>),
    /// Files of the node editor, after this path.
    EditorFiles(String),
    /// Unsaved graphs, after this revision.
    Drafts(Option<Uuid>),
    Blocks,
    End,
}

/// The document in pieces. An error ends the download early, so that a partial document cannot look complete.
pub fn stream(core: Core, caller: Caller, profile: UserView) -> impl Stream<Item = Result<Bytes, ApiError>> {
    let begin = Some((core, caller, Part::Profile(Box::new(profile))));
    stream::unfold(begin, |state| async move {
        let (core, caller, place) = state?;
        match piece(&core, &caller, place).await {
            Ok((text, next)) => {
                let more = next.map(|next| (core, caller, next));
                Some((Ok(Bytes::from(text)), more))
            }
            Err(error) => Some((Err(ApiError::from(error)), None)),
        }
    })
}

/// One piece of text, and what follows it.
async fn piece(core: &Core, caller: &Caller, place: Part) -> Result<(String, Option<Part>), Error> {
    match place {
        Part::Profile(profile) => {
            let points = users::contact_points(core, UserId(profile.id)).await?;
            let points: serde_json::Map<_, _> =
                points.into_iter().map(|point| (point.kind.word().to_owned(), point.value.into())).collect();
            let text = format!("{{\"profile\":{},\"contactPoints\":{}", json(&*profile)?, json(&points)?);
            Ok((text, Some(Part::Keys)))
        }
        Part::Keys => {
            let keys = users::api_keys(core, caller).await?.into_iter().map(ApiKeyView::from);
            Ok((whole("apiKeys", keys)?, Some(Part::Sessions)))
        }
        Part::Sessions => {
            let sessions = users::sessions(core, caller, None).await?.into_iter().map(SessionView::from);
            Ok((whole("sessions", sessions)?, Some(Part::Grants)))
        }
        Part::Grants => {
            let grants = ledger::grants(core, caller).await?.into_iter().map(GrantView::from);
            Ok((whole("creditGrants", grants)?, Some(Part::Entries(None))))
        }
        Part::Entries(before) => {
            let entries = ledger::entries(core, caller, &EntryFilter::default(), before, PIECE).await?;
            let next = entries.last().map(|last| last.id);
            part(
                "creditEntries",
                before.is_none(),
                entries.into_iter().map(EntryView::from),
                next,
                Part::Coupons(None),
                |id| Part::Entries(Some(id)),
            )
        }
        Part::Coupons(cursor) => {
            let page = billing::own_coupon_uses(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = page.items.into_iter().map(CouponUseView::from);
            part("couponUses", cursor.is_none(), views, page.next_cursor, Part::Orders(None), |next| {
                Part::Coupons(Some(next))
            })
        }
        Part::Orders(cursor) => {
            let page = billing::own_orders(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = page.items.into_iter().map(OrderView::from);
            part("orders", cursor.is_none(), views, page.next_cursor, Part::Cards(None), |next| {
                Part::Orders(Some(next))
            })
        }
        Part::Cards(cursor) => {
            let page = billing::own_saved_cards(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = page.items.into_iter().map(ExportedCard::from);
            part("savedCards", cursor.is_none(), views, page.next_cursor, Part::Subscriptions(None), |next| {
                Part::Cards(Some(next))
            })
        }
        Part::Subscriptions(cursor) => {
            let page = billing::own_subscriptions(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = page.items.into_iter().map(ExportedSubscription::from);
            part("subscriptions", cursor.is_none(), views, page.next_cursor, Part::Jobs(None), |next| {
                Part::Subscriptions(Some(next))
            })
        }
        Part::Jobs(before) => {
            let found = jobs::list(core, caller, &JobFilter::default(), before, PIECE).await?;
            let next = found.last().map(|last| last.id);
            let population = JobPopulation::of(core, caller, &found).await?;
            let views = found.into_iter().map(|job| population.job(job));
            part("jobs", before.is_none(), views, next, Part::Workflows(None), |id| Part::Jobs(Some(id)))
        }
        Part::Workflows(cursor) => workflows_piece(core, caller, cursor).await,
        Part::Pictures(cursor) => {
            let page = gallery::mine(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = page.items.into_iter().map(|picture| OutputAssetView::new(picture, core.settings.base_url()));
            part("pictures", cursor.is_none(), views, page.next_cursor, Part::Uploads(1), |next| {
                Part::Pictures(Some(next))
            })
        }
        Part::Uploads(page) => {
            let (found, _) = assets::mine(core, caller, page, PIECE_PAGE).await?;
            let next = (!found.is_empty()).then(|| page.saturating_add(1));
            let views = found.into_iter().map(|asset| AssetView::new(asset, core.settings.base_url()));
            part("uploads", page == 1, views, next, Part::Comments(None), Part::Uploads)
        }
        Part::Comments(before) => {
            let written = comments::mine(core, caller, before, PIECE).await?;
            let next = written.last().map(|last| last.id);
            let views = populate::comments(core, written).await?.into_iter();
            part("comments", before.is_none(), views, next, Part::Notifications(0), |id| Part::Comments(Some(id)))
        }
        Part::Notifications(skip) => {
            // Oldest first, so that new notifications move none of them.
            let page = notifications::page(core, caller, None, skip, PIECE, NotificationOrder::Oldest).await?;
            let next = Some(skip.saturating_add(PIECE)).filter(|next| *next < page.total);
            let views = populate::notifications(core, caller, page.items).await?.into_iter();
            part("notifications", skip == 0, views, next, Part::Shared(None), Part::Notifications)
        }
        Part::Shared(cursor) => {
            let page = mini_apps::shared_with(core, caller, ListQuery::at((), cursor.as_deref(), PIECE)).await?;
            let views = populate::shared_apps(core, page.items).await?.into_iter();
            let after = Part::EditorFiles(String::new());
            part("sharedApps", cursor.is_none(), views, page.next_cursor, after, |next| Part::Shared(Some(next)))
        }
        Part::EditorFiles(after) => {
            let files = editor::files_after(core, caller, &after, GRAPHS).await?;
            let next = files.last().map(|last| last.info.path.to_string());
            let views = files.iter().map(EditorFileView::from);
            part("editorFiles", after.is_empty(), views, next, Part::Drafts(None), Part::EditorFiles)
        }
        Part::Drafts(after) => {
            let drafts = workflows::drafts_after(core, caller, after, GRAPHS).await?;
            let next = drafts.last().map(|(_, last)| last.revision);
            let views = drafts
                .into_iter()
                .map(|(id, draft)| ExportedDraft { workflow_id: id.map(|id| id.0), draft: draft.into() });
            part("drafts", after.is_none(), views, next, Part::Blocks, |next| Part::Drafts(Some(next)))
        }
        Part::Blocks => {
            let settings = editor::settings(core, caller).await?;
            let mailed = NotificationSettingsView::from(notifications::settings(core, caller).await?.mailed);
            let blocks = whole("blocks", populate::blocks(core, caller).await?.into_iter())?;
            let (mailed, settings) = (json(&mailed)?, json(&settings)?);
            let text = format!("{blocks},\"notificationSettings\":{mailed},\"editorSettings\":{settings}");
            Ok((text, Some(Part::End)))
        }
        Part::End => Ok(("}\n".to_owned(), None)),
    }
}

/// A file of the node editor. Nearly all are texts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EditorFileView {
    path: String,
    updated_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The content of a file that is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl From<&EditorFile> for EditorFileView {
    fn from(file: &EditorFile) -> Self {
        let text = std::str::from_utf8(&file.content).ok().map(str::to_owned);
        let base64 = text.is_none().then(|| STANDARD.encode(&file.content));
        Self { path: file.info.path.to_string(), updated_at: file.info.updated_at, text, base64 }
    }
}

/// An unsaved graph with its workflow.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedDraft {
    workflow_id: Option<Uuid>,
    #[serde(flatten)]
    draft: DraftView,
}

/// A workflow with its current graph.
#[derive(Serialize)]
struct WorkflowWithGraph {
    #[serde(flatten)]
    workflow: crate::views::workflows::WorkflowView,
    graph: Box<RawValue>,
}

async fn workflows_piece(
    core: &Core,
    caller: &Caller,
    cursor: Option<String>,
) -> Result<(String, Option<Part>), Error> {
    let page = workflows::mine(core, caller, ListQuery::at((), cursor.as_deref(), GRAPHS)).await?;
    let population = Population::of(core, &page.items).await?;
    let mut views = Vec::with_capacity(page.items.len());
    for workflow in page.items {
        let graph = workflows::graph(core, &workflow).await?;
        let graph = graph_text(graph.ui.as_ref(), graph.prompt.as_ref());
        let graph = RawValue::from_string(graph).map_err(|error| Error::Internal(error.to_string()))?;
        views.push(WorkflowWithGraph { workflow: population.workflow(workflow), graph });
    }
    let next = page.next_cursor;
    part("workflows", cursor.is_none(), views.into_iter(), next, Part::Pictures(None), |next| {
        Part::Workflows(Some(next))
    })
}

/// A list that is read at once.
fn whole<T: Serialize>(name: &str, list: impl Iterator<Item = T>) -> Result<String, Error> {
    Ok(format!(",\"{name}\":[{}]", items(list, true)?))
}

/// A page of a list; `next` is where it continues, `None` at its end.
fn part<T: Serialize, Id>(
    name: &str,
    first: bool,
    list: impl Iterator<Item = T>,
    next: Option<Id>,
    after: Part,
    goes_on: impl Fn(Id) -> Part,
) -> Result<(String, Option<Part>), Error> {
    let begin = if first { format!(",\"{name}\":[") } else { String::new() };
    let items = items(list, first)?;
    Ok(match next {
        Some(id) => (format!("{begin}{items}"), Some(goes_on(id))),
        None => (format!("{begin}{items}]"), Some(after)),
    })
}

/// Items separated by commas; a comma comes first unless the list begins here.
fn items<T: Serialize>(list: impl Iterator<Item = T>, first: bool) -> Result<String, Error> {
    let mut text = String::new();
    for item in list {
        if !(first && text.is_empty()) {
            text.push(',');
        }
        text.push_str(&json(&item)?);
    }
    Ok(text)
}

fn json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal(format!("an export cannot be written: {error}")))
}
