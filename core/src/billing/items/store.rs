//! SQL of items.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::item::{Prices, Product, ShopItem};
use crate::ids::ShopItemId;

/// A row of `shop_items`.
struct Row {
    id: Uuid,
    name: String,
    credits: Option<i64>,
    plan: Option<String>,
    price_krw: Option<i64>,
    price_usd: Option<i64>,
    is_active: bool,
    created_at: DateTime<Utc>,
}

impl From<Row> for ShopItem {
    fn from(row: Row) -> Self {
        Self {
            id: ShopItemId(row.id),
            name: row.name,
            product: match row.plan {
                Some(plan) => Product::Subscription(plan),
                None => Product::Credit(row.credits.unwrap_or_default()),
            },
            prices: Prices { krw: row.price_krw, usd: row.price_usd },
            is_active: row.is_active,
            created_at: row.created_at,
        }
    }
}

pub(super) async fn insert(connection: &mut PgConnection, item: &ShopItem) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO shop_items (id, name, credits, plan, price_krw, price_usd, is_active, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        item.id.0,
        item.name,
        item.product.credits(),
        item.product.plan(),
        item.prices.krw,
        item.prices.usd,
        item.is_active,
        item.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn update(connection: &mut PgConnection, item: &ShopItem) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE shop_items SET name = $2, credits = $3, plan = $4, price_krw = $5, price_usd = $6, is_active = $7
         WHERE id = $1",
        item.id.0,
        item.name,
        item.product.credits(),
        item.product.plan(),
        item.prices.krw,
        item.prices.usd,
        item.is_active,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// An item, locked until the transaction ends.
pub(super) async fn lock(connection: &mut PgConnection, id: ShopItemId) -> sqlx::Result<Option<ShopItem>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, credits, plan, price_krw, price_usd, is_active, created_at FROM shop_items
         WHERE id = $1 FOR UPDATE",
        id.0,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(ShopItem::from))
}

/// Items before an id, newest first.
pub(super) async fn list(db: &PgPool, before: Uuid, limit: i64) -> sqlx::Result<Vec<ShopItem>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, credits, plan, price_krw, price_usd, is_active, created_at FROM shop_items
         WHERE id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(ShopItem::from).collect())
}

/// The items that are offered.
pub(super) async fn offered(db: &PgPool, most: i64) -> sqlx::Result<Vec<ShopItem>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, credits, plan, price_krw, price_usd, is_active, created_at FROM shop_items
         WHERE is_active ORDER BY id LIMIT $1",
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(ShopItem::from).collect())
}

/// An item that is offered.
pub(super) async fn find_offered(db: &PgPool, id: ShopItemId) -> sqlx::Result<Option<ShopItem>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, credits, plan, price_krw, price_usd, is_active, created_at FROM shop_items
         WHERE id = $1 AND is_active",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(ShopItem::from))
}

/// An item, offered or not.
pub(super) async fn find(db: &PgPool, id: ShopItemId) -> sqlx::Result<Option<ShopItem>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, credits, plan, price_krw, price_usd, is_active, created_at FROM shop_items WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(ShopItem::from))
}
