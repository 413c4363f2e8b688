//! Checks that counters and positions match the rows, by deriving them again.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::Result;

/// The number of rows that violate one invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations {
    pub promise: &'static str,
    pub broken: i64,
}

/// Each invariant with a statement that counts its violations.
const INVARIANTS: [(&str, &str); 13] = [
    (
        "workflows count their likes",
        "FROM workflows w LEFT JOIN (SELECT workflow_id, count(*) AS n FROM workflow_likes GROUP BY 1) l
           ON l.workflow_id = w.id WHERE w.like_count <> coalesce(l.n, 0)",
    ),
    (
        "pictures count their likes",
        "FROM output_assets o LEFT JOIN (SELECT output_asset_id, count(*) AS n FROM output_asset_likes GROUP BY 1) l
           ON l.output_asset_id = o.id WHERE o.like_count <> coalesce(l.n, 0)",
    ),
    (
        "comments count likes and dislikes",
        "FROM comments c LEFT JOIN (SELECT comment_id, count(*) FILTER (WHERE is_like) AS likes,
             count(*) FILTER (WHERE NOT is_like) AS dislikes FROM comment_likes GROUP BY 1) l ON l.comment_id = c.id
         WHERE c.like_count <> coalesce(l.likes, 0) OR c.dislike_count <> coalesce(l.dislikes, 0)",
    ),
    (
        "comments count their living answers",
        "FROM comments c LEFT JOIN (SELECT parent_id, count(*) AS n FROM comments WHERE deleted_at IS NULL AND parent_id
             IS NOT NULL GROUP BY 1) a ON a.parent_id = c.id WHERE c.reply_count <> coalesce(a.n, 0)",
    ),
    (
        "places of comments run from 1 to the last, and the living are counted",
        "FROM comment_places p FULL JOIN (SELECT coalesce(parent_id, workflow_id, output_asset_id) AS target, count(*) AS n,
             min(place) AS first, max(place) AS last, count(*) FILTER (WHERE deleted_at IS NULL) AS living
             FROM comments GROUP BY 1) c ON c.target = p.target_id
         WHERE p.last IS DISTINCT FROM c.n OR c.first <> 1 OR c.last <> c.n OR p.living IS DISTINCT FROM c.living",
    ),
    (
        "later places of comments are later",
        "FROM (SELECT created_at < lag(created_at) OVER (PARTITION BY coalesce(parent_id, workflow_id, output_asset_id)
             ORDER BY place) AS is_early FROM comments) c WHERE is_early",
    ),
    (
        "deleted comments have neither author nor content",
        "FROM comments WHERE (deleted_at IS NULL) <> (user_id IS NOT NULL) OR (deleted_at IS NULL) <> (content <> '')",
    ),
    (
        "answers stand below comments of the same post, one deep",
        "FROM comments a JOIN comments c ON c.id = a.parent_id WHERE c.parent_id IS NOT NULL
           OR (a.workflow_id, a.output_asset_id) IS DISTINCT FROM (c.workflow_id, c.output_asset_id)",
    ),
    (
        "boxes count all notifications and those of each kind",
        "FROM notification_boxes b FULL JOIN (
             SELECT user_id, kind, count(*) AS n, max(kind_place) AS last FROM notifications GROUP BY 1, 2
             UNION ALL SELECT user_id, 0, count(*), max(place) FROM notifications GROUP BY 1
           ) n USING (user_id, kind) WHERE b.total IS DISTINCT FROM n.n OR n.last <> n.n",
    ),
    (
        "tags are listed as their workflows are",
        "FROM workflow_tag_links l JOIN workflows w ON w.id = l.workflow_id WHERE l.is_nsfw <> w.is_nsfw
           OR l.listed_at IS DISTINCT FROM CASE WHEN NOT w.is_private AND w.deleted_at IS NULL THEN w.published_at END",
    ),
    (
        "workflows have one to five tags",
        "FROM workflows w LEFT JOIN (SELECT workflow_id, count(*) AS n FROM workflow_tag_links WHERE position IS NOT NULL
             GROUP BY 1) l ON l.workflow_id = w.id WHERE coalesce(l.n, 0) NOT BETWEEN 1 AND 5",
    ),
    (
        "no author likes their own post",
        "FROM (SELECT 1 FROM workflow_likes l JOIN workflows w ON w.id = l.workflow_id AND w.user_id = l.user_id
               UNION ALL SELECT 1 FROM output_asset_likes l JOIN output_assets o ON o.id = l.output_asset_id
                 AND o.user_id = l.user_id) own",
    ),
    (
        "posts, comments and notifications are of people who are there",
        "FROM (SELECT user_id FROM workflows UNION SELECT user_id FROM output_assets UNION SELECT user_id FROM comments
               UNION SELECT user_id FROM notifications UNION SELECT actor_id FROM notifications) named
         WHERE user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = named.user_id)",
    ),
];

/// Checks all invariants.
pub async fn check(db: &mut PgConnection) -> Result<Vec<Violations>> {
    let mut findings = Vec::with_capacity(INVARIANTS.len());
    for (promise, from) in INVARIANTS {
        let statement = AssertSqlSafe(format!("SELECT count(*) {from}"));
        findings.push(Violations { promise, broken: sqlx::query_scalar(statement).fetch_one(&mut *db).await? });
    }
    Ok(findings)
}
