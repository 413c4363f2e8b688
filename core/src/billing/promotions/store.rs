//! SQL of promotions and the bonuses that they gave.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::promotion::{Promotion, PromotionBanner, PromotionOffer, PurchaseBonus};
use crate::billing::text::word;
use crate::ids::{OrderId, PromotionId, UserId};

/// A row of `promotions`.
struct Row {
    id: Uuid,
    name: String,
    is_active: bool,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
    audience: Option<String>,
    text_en: Option<String>,
    text_ko: Option<String>,
    label_en: Option<String>,
    label_ko: Option<String>,
    link: Option<String>,
    percent: Option<i32>,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for Promotion {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        // The constraints of the table say that it has all texts or a percentage.
        let offer = match (row.audience, row.percent) {
            (Some(audience), _) => PromotionOffer::Banner(PromotionBanner {
                audience: word(&audience)?,
                text_en: row.text_en.unwrap_or_default(),
                text_ko: row.text_ko.unwrap_or_default(),
                label_en: row.label_en.unwrap_or_default(),
                label_ko: row.label_ko.unwrap_or_default(),
                link: row.link.unwrap_or_default(),
            }),
            (None, percent) => PromotionOffer::FirstPurchase { percent: percent.unwrap_or_default() },
        };
        Ok(Self {
            id: PromotionId(row.id),
            name: row.name,
            offer,
            is_active: row.is_active,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            created_at: row.created_at,
        })
    }
}

fn banner(promotion: &Promotion) -> Option<&PromotionBanner> {
    match &promotion.offer {
        PromotionOffer::Banner(banner) => Some(banner),
        PromotionOffer::FirstPurchase { .. } => None,
    }
}

fn percent(promotion: &Promotion) -> Option<i32> {
    match promotion.offer {
        PromotionOffer::Banner(_) => None,
        PromotionOffer::FirstPurchase { percent } => Some(percent),
    }
}

pub(super) async fn insert(connection: &mut PgConnection, promotion: &Promotion) -> sqlx::Result<()> {
    let banner = banner(promotion);
    sqlx::query!(
        "INSERT INTO promotions (id, name, kind, is_active, starts_at, ends_at, audience, text_en, text_ko, label_en,
                                 label_ko, link, percent, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        promotion.id.0,
        promotion.name,
        promotion.offer.kind().name(),
        promotion.is_active,
        promotion.starts_at,
        promotion.ends_at,
        banner.map(|banner| banner.audience.name()),
        banner.map(|banner| banner.text_en.as_str()),
        banner.map(|banner| banner.text_ko.as_str()),
        banner.map(|banner| banner.label_en.as_str()),
        banner.map(|banner| banner.label_ko.as_str()),
        banner.map(|banner| banner.link.as_str()),
        percent(promotion),
        promotion.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn update(connection: &mut PgConnection, promotion: &Promotion) -> sqlx::Result<()> {
    let banner = banner(promotion);
    sqlx::query!(
        "UPDATE promotions
         SET name = $2, is_active = $3, starts_at = $4, ends_at = $5, audience = $6, text_en = $7, text_ko = $8,
             label_en = $9, label_ko = $10, link = $11, percent = $12
         WHERE id = $1",
        promotion.id.0,
        promotion.name,
        promotion.is_active,
        promotion.starts_at,
        promotion.ends_at,
        banner.map(|banner| banner.audience.name()),
        banner.map(|banner| banner.text_en.as_str()),
        banner.map(|banner| banner.text_ko.as_str()),
        banner.map(|banner| banner.label_en.as_str()),
        banner.map(|banner| banner.label_ko.as_str()),
        banner.map(|banner| banner.link.as_str()),
        percent(promotion),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A promotion, locked until the transaction ends.
pub(super) async fn lock(connection: &mut PgConnection, id: PromotionId) -> sqlx::Result<Option<Promotion>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, is_active, starts_at, ends_at, audience, text_en, text_ko, label_en, label_ko, link, percent,
                created_at
         FROM promotions WHERE id = $1 FOR UPDATE",
        id.0,
    )
    .fetch_optional(connection)
    .await?;
    row.map(Promotion::try_from).transpose()
}

/// Promotions before an id, newest first.
pub(super) async fn list(db: &PgPool, before: Uuid, limit: i64) -> sqlx::Result<Vec<Promotion>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, is_active, starts_at, ends_at, audience, text_en, text_ko, label_en, label_ko, link, percent,
                created_at
         FROM promotions WHERE id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Promotion::try_from).collect()
}

/// The promotions in effect at this time: the newest banner of each audience, and the largest bonus.
pub(super) async fn in_effect(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<Vec<Promotion>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT DISTINCT ON (kind, audience)
                id, name, is_active, starts_at, ends_at, audience, text_en, text_ko, label_en, label_ko, link, percent,
                created_at
         FROM promotions
         WHERE is_active AND (starts_at IS NULL OR starts_at <= $1) AND (ends_at IS NULL OR ends_at > $1)
         ORDER BY kind, audience, percent DESC NULLS LAST, id DESC",
        now,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Promotion::try_from).collect()
}

/// Whether an account has paid a pack of credits, also one that was refunded.
pub(super) async fn has_bought(db: &PgPool, user: UserId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM orders WHERE user_id = $1 AND plan IS NULL AND paid_at IS NOT NULL) AS "has!""#,
        user.0,
    )
    .fetch_one(db)
    .await
}

/// Notes the bonus of an account; false if it had one, or has paid another pack of credits.
pub(super) async fn insert_bonus(
    connection: &mut PgConnection,
    (user, order): (UserId, OrderId),
    bonus: PurchaseBonus,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO purchase_bonuses (user_id, order_id, promotion_id, credits, given_at)
         SELECT $1, $2, $3, $4, $5
         WHERE NOT EXISTS (
           SELECT FROM orders WHERE user_id = $1 AND plan IS NULL AND paid_at IS NOT NULL AND id <> $2)
         ON CONFLICT (user_id) DO NOTHING",
        user.0,
        order.0,
        bonus.promotion.0,
        bonus.credits,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}
