//! The measured lists, and how to request their pages.

use verdigraph_core::workflows::{root_tag, tag_below};

use crate::community::Community;

/// Whose credentials a list is requested with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Guest,
    Studio,
    Reader,
    Fan,
}

/// How a list is paged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// By the cursor of the previous page.
    Cursor,
    /// By page number.
    Number,
    /// By the number of skipped items.
    Skip,
    /// It has only one page.
    None,
}

#[derive(Debug, Clone)]
pub struct List {
    pub name: &'static str,
    pub asker: Viewer,
    pub paging: Paging,
    /// With its query, without the page.
    pub path: String,
}

/// All lists. The search words match some thousand pages.
pub fn lists(community: &Community) -> Vec<List> {
    use Paging::{Cursor, None, Number, Skip};
    use Viewer::{Fan, Guest, Reader, Studio};
    let (studio, post, comment) = (community.studio(), community.discussed(), community.answered());
    let (tag, parent) = (tag_below(1, 1).0, root_tag(1).0);
    let list = |name, asker, paging, path: String| List { name, asker, paging, path };
    vec![
        list("gallery, newest", Guest, Cursor, "/api/public/output-asset?sort=newest&limit=20".into()),
        list("gallery, most liked", Guest, Cursor, "/api/public/output-asset?sort=like&limit=20".into()),
        list("gallery, most viewed", Guest, Cursor, "/api/public/output-asset?sort=view&limit=20".into()),
        list("gallery, signed in", Fan, Cursor, "/api/general/output-asset?sort=newest&limit=20".into()),
        list("cards, newest", Guest, Cursor, "/api/public/workflow?sort=publishedAt&limit=20".into()),
        list("cards, most liked", Guest, Cursor, "/api/public/workflow?sort=like&limit=20".into()),
        list("cards, most viewed", Guest, Cursor, "/api/public/workflow?sort=view&limit=20".into()),
        list("cards, signed in", Fan, Cursor, "/api/general/workflow?sort=publishedAt&limit=20".into()),
        list("cards of a tag", Guest, Cursor, format!("/api/public/workflow?childrenTag={tag}&limit=20")),
        list("cards of a root tag", Guest, Cursor, format!("/api/public/workflow?parentTag={parent}&limit=20")),
        list("cards that a search finds", Guest, Cursor, "/api/public/workflow?q=canyon&limit=20".into()),
        list("comments", Guest, Number, format!("/api/public/comment/workflow/{post}?limit=20")),
        list("comments, signed in", Fan, Number, format!("/api/general/comment/workflow/{post}?limit=20")),
        list("answers", Guest, Number, format!("/api/public/comment/child/{comment}?limit=20")),
        list("notification box", Reader, None, "/api/general/notification-box/list/ALL/20".into()),
        list("notifications", Reader, Skip, "/api/general/notification-box/history?limit=20".into()),
        list("notifications of likes", Reader, Skip, "/api/general/notification-box/history?type=LIKE&limit=20".into()),
        list("profile, pictures", Guest, Cursor, format!("/api/public/output-asset/published/{studio}?limit=20")),
        list("profile, private", Studio, Cursor, format!("/api/general/output-asset/unpublished/{studio}?limit=20")),
        list("profile, workflows", Guest, Cursor, format!("/api/public/workflow/published/{studio}?limit=20")),
        list("favourite pictures", Fan, Cursor, "/api/general/output-asset/like?limit=20".into()),
        list("favourite workflows", Fan, Cursor, "/api/general/workflow/like?limit=20".into()),
    ]
}
