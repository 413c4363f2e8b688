//! Views of moderation cases, with the users and pictures they refer to.

use std::collections::HashMap;

use uuid::Uuid;
use verdigraph_core::assets::AssetKind;
use verdigraph_core::comments::Post;
use verdigraph_core::ids::{AssetId, OutputAssetId, UserId};
use verdigraph_core::moderation::{Case, CaseDetail, CaseReport, Decision, ReportTargetKind, Snapshot};
use verdigraph_core::{Core, Result, assets, gallery, users};

use crate::populate::user_cards;
use crate::views::assets::AssetView;
use crate::views::moderation::{CaseDetailView, CaseView, DecisionView, ReportView, SeenPictureView, SnapshotView};
use crate::views::output_assets::OutputAssetView;
use crate::views::users::{BanView, UserCard};

type Pictures = HashMap<Uuid, SeenPictureView>;
type People = HashMap<UserId, UserCard>;

/// Views of several cases.
pub async fn cases(core: &Core, cases: Vec<Case>) -> Result<Vec<CaseView>> {
    let people = people(core, cases.iter().flat_map(|case| [Some(case.author), case.decided_by]).flatten()).await?;
    let pictures =
        pictures(core, cases.iter().filter_map(|case| Some((case.thing.kind(), case.seen.picture?)))).await?;
    Ok(cases.into_iter().map(|case| view(case, &people, &pictures)).collect())
}

/// The view of one case.
pub async fn case(core: &Core, case: Case) -> Result<CaseView> {
    let people = people(core, [Some(case.author), case.decided_by].into_iter().flatten()).await?;
    let pictures = pictures(core, case.seen.picture.map(|picture| (case.thing.kind(), picture)).into_iter()).await?;
    Ok(view(case, &people, &pictures))
}

/// A case with its reports and its author's history.
pub async fn detail(core: &Core, detail: CaseDetail) -> Result<CaseDetailView> {
    let CaseDetail { case, now, post, reports, history } = detail;
    let kind = case.thing.kind();
    let snapshots = [Some(&case.seen), now.as_ref()].into_iter().flatten().chain(reports.iter().map(|one| &one.seen));
    let pictures = pictures(core, snapshots.filter_map(|seen| Some((kind, seen.picture?)))).await?;
    let named = [Some(case.author), case.decided_by].into_iter().flatten();
    let named = named.chain(reports.iter().map(|one| one.reporter)).chain(history.iter().map(|one| one.admin));
    let people = people(core, named).await?;
    let author = users::find(core, case.author).await?;
    let (workflow, output_asset) = match post {
        Some(Post::Workflow(id)) => (Some(id.0), None),
        Some(Post::OutputAsset(id)) => (None, Some(id.0)),
        None => (None, None),
    };
    Ok(CaseDetailView {
        case: view(case, &people, &pictures),
        now: now.map(|now| snapshot(now, &pictures)),
        workflow,
        output_asset,
        reports: reports.into_iter().map(|one| report(one, &people, &pictures)).collect(),
        history: history.into_iter().map(|one| decision(one, &people)).collect(),
        author_ban: author.ban_at(core.clock.now()).map(BanView::from),
    })
}

/// Views of a user's moderation history.
pub async fn decisions(core: &Core, history: Vec<Decision>) -> Result<Vec<DecisionView>> {
    let people = people(core, history.iter().map(|one| one.admin)).await?;
    Ok(history.into_iter().map(|one| decision(one, &people)).collect())
}

fn view(case: Case, people: &People, pictures: &Pictures) -> CaseView {
    CaseView {
        id: case.id.0,
        kind: case.thing.kind().into(),
        target: case.thing.id(),
        author: people.get(&case.author).cloned(),
        state: case.state.into(),
        revision: case.revision,
        open_reports: case.open_reports,
        all_reports: case.all_reports,
        seen: snapshot(case.seen, pictures),
        created_at: case.created_at,
        reported_at: case.reported_at,
        decided_at: case.decided_at,
        decided_by: case.decided_by.and_then(|admin| people.get(&admin).cloned()),
    }
}

fn snapshot(seen: Snapshot, pictures: &Pictures) -> SnapshotView {
    let picture = seen.picture.and_then(|id| pictures.get(&id).cloned());
    SnapshotView { title: seen.title, content: seen.content, picture }
}

fn report(report: CaseReport, people: &People, pictures: &Pictures) -> ReportView {
    ReportView {
        id: report.id.0,
        reporter: people.get(&report.reporter).cloned(),
        reason: report.reason.into(),
        text: report.text,
        seen: snapshot(report.seen, pictures),
        created_at: report.created_at,
        updated_at: report.updated_at,
        closed_at: report.closed_at,
    }
}

fn decision(decision: Decision, people: &People) -> DecisionView {
    DecisionView {
        id: decision.id,
        kind: decision.kind.into(),
        case: decision.case.map(|case| case.0),
        admin: people.get(&decision.admin).cloned(),
        text: decision.text,
        until: decision.until,
        created_at: decision.created_at,
    }
}

/// Cards of the named users.
async fn people(core: &Core, named: impl Iterator<Item = UserId>) -> Result<People> {
    let mut ids: Vec<UserId> = named.collect();
    ids.sort_unstable();
    ids.dedup();
    user_cards(core, &ids).await
}

/// The pictures that still exist: a workflow's and an upload's are assets, an output is its own.
async fn pictures(core: &Core, wanted: impl Iterator<Item = (ReportTargetKind, Uuid)>) -> Result<Pictures> {
    let (mut covers, mut outputs) = (Vec::new(), Vec::new());
    for (kind, id) in wanted {
        match kind {
            ReportTargetKind::Workflow | ReportTargetKind::Asset => covers.push(AssetId(id)),
            ReportTargetKind::OutputAsset => outputs.push(OutputAssetId(id)),
            ReportTargetKind::Comment => {}
        }
    }
    covers.sort_unstable();
    covers.dedup();
    outputs.sort_unstable();
    outputs.dedup();
    let base_url = core.settings.base_url();
    let mut found = Pictures::new();
    for (id, asset) in assets::find_all(core, &covers).await? {
        let kind = if asset.kind == AssetKind::Video { "video" } else { "image" };
        let asset = AssetView::new(asset, base_url);
        let poster_url = asset.metadata.video_preview_image_url;
        found.insert(id.0, SeenPictureView { url: asset.url, thumbnail_url: asset.thumbnail_url, kind, poster_url });
    }
    for output in gallery::find_all(core, &outputs).await? {
        let OutputAssetView { id, raw_url: url, asset, kind, .. } = OutputAssetView::new(output, base_url);
        let poster_url = asset.metadata.video_preview_image_url;
        found.insert(id, SeenPictureView { url, thumbnail_url: asset.thumbnail_url, kind, poster_url });
    }
    Ok(found)
}
