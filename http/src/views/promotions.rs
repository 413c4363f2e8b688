//! Promotions, for admins and for those who are offered them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::billing::{CurrentPromotions, Promotion, PromotionBanner, PromotionOffer};
use verdigraph_core::ids::PromotionId;

use super::words::{BannerAudienceWord, PromotionKindWord};
use crate::openapi::ToSchema;

/// A promotion as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromotionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub kind: PromotionKindWord,
    pub is_active: bool,
    /// `null`: at once.
    pub starts_at: Option<DateTime<Utc>>,
    /// `null`: never.
    pub ends_at: Option<DateTime<Utc>>,
    /// Of a banner, as the next five fields.
    pub audience: Option<BannerAudienceWord>,
    pub text_en: Option<String>,
    pub text_ko: Option<String>,
    pub label_en: Option<String>,
    pub label_ko: Option<String>,
    pub link: Option<String>,
    /// Percent of bonus credits with a first purchase.
    pub percent: Option<i32>,
    pub created_at: DateTime<Utc>,
}

impl From<Promotion> for PromotionView {
    fn from(promotion: Promotion) -> Self {
        let kind = promotion.offer.kind().into();
        let (banner, percent) = match promotion.offer {
            PromotionOffer::Banner(banner) => (Some(banner), None),
            PromotionOffer::FirstPurchase { percent } => (None, Some(percent)),
        };
        let text = |of: fn(&PromotionBanner) -> &String| banner.as_ref().map(|banner| of(banner).clone());
        Self {
            id: promotion.id.0,
            name: promotion.name,
            kind,
            is_active: promotion.is_active,
            starts_at: promotion.starts_at,
            ends_at: promotion.ends_at,
            audience: banner.as_ref().map(|banner| banner.audience.into()),
            text_en: text(|banner| &banner.text_en),
            text_ko: text(|banner| &banner.text_ko),
            label_en: text(|banner| &banner.label_en),
            label_ko: text(|banner| &banner.label_ko),
            link: text(|banner| &banner.link),
            percent,
            created_at: promotion.created_at,
        }
    }
}

/// A banner at the head of the pages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerView {
    /// Of the promotion.
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub text_en: String,
    pub text_ko: String,
    /// The text of the link.
    pub label_en: String,
    pub label_ko: String,
    /// A path of the site.
    pub link: String,
}

impl From<(PromotionId, PromotionBanner)> for BannerView {
    fn from((id, banner): (PromotionId, PromotionBanner)) -> Self {
        let PromotionBanner { text_en, text_ko, label_en, label_ko, link, .. } = banner;
        Self { id: id.0, text_en, text_ko, label_en, label_ko, link }
    }
}

/// The promotions that the caller is offered now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentPromotionsView {
    pub banner: Option<BannerView>,
    /// Percent of bonus credits with the first pack of credits that an account pays; `null` also for an account that has
    /// bought one.
    pub first_purchase_percent: Option<i32>,
}

impl From<CurrentPromotions> for CurrentPromotionsView {
    fn from(current: CurrentPromotions) -> Self {
        Self { banner: current.banner.map(Into::into), first_purchase_percent: current.first_purchase }
    }
}
