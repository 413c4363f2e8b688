//! Promotions: what they offer, and to whom.

use chrono::{DateTime, Utc};

use crate::ids::PromotionId;
use crate::word_list::word_list;

word_list! {
    /// The kind of a promotion.
    pub enum PromotionKind for "kind" { Banner, FirstPurchase }
}

word_list! {
    /// Who sees a banner.
    pub enum BannerAudience for "audience" {
        Everyone,
        /// Signed-in users with the first plan of the settings.
        WithoutPaidPlan,
    }
}

/// A text with a link at the head of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromotionBanner {
    pub audience: BannerAudience,
    pub text_en: String,
    pub text_ko: String,
    /// The text of the link.
    pub label_en: String,
    pub label_ko: String,
    /// A path of the site.
    pub link: String,
}

/// What a promotion offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromotionOffer {
    Banner(PromotionBanner),
    /// So many percent more credits with the first pack that an account pays.
    FirstPurchase {
        percent: i32,
    },
}

impl PromotionOffer {
    #[must_use]
    pub fn kind(&self) -> PromotionKind {
        match self {
            Self::Banner(_) => PromotionKind::Banner,
            Self::FirstPurchase { .. } => PromotionKind::FirstPurchase,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promotion {
    pub id: PromotionId,
    /// For admins.
    pub name: String,
    pub offer: PromotionOffer,
    pub is_active: bool,
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// A promotion to create.
#[derive(Debug, Clone)]
pub struct NewPromotion {
    pub name: String,
    pub offer: PromotionOffer,
    pub is_active: bool,
    /// `None`: at once.
    pub starts_at: Option<DateTime<Utc>>,
    /// `None`: never.
    pub ends_at: Option<DateTime<Utc>>,
}

/// A change of a promotion; `None` keeps what is there, `Some(None)` removes a date.
#[derive(Debug, Clone, Default)]
pub struct PromotionChange {
    pub name: Option<String>,
    /// Of the same kind.
    pub offer: Option<PromotionOffer>,
    pub is_active: Option<bool>,
    pub starts_at: Option<Option<DateTime<Utc>>>,
    pub ends_at: Option<Option<DateTime<Utc>>>,
}

/// The promotions that a caller is offered now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CurrentPromotions {
    pub banner: Option<(PromotionId, PromotionBanner)>,
    /// Percent of bonus credits with the first pack; `None` also for an account that has bought one.
    pub first_purchase: Option<i32>,
}

/// Bonus credits of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurchaseBonus {
    pub promotion: PromotionId,
    pub credits: i64,
}
