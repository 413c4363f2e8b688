//! Promotions: admins make them, visitors see those that are offered.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::billing::{self, NewPromotion, PromotionBanner, PromotionChange, PromotionKind, PromotionOffer};
use verdigraph_core::ids::PromotionId;
use verdigraph_core::{Core, Error};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::present;
use crate::moment::Moment;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::promotions::{CurrentPromotionsView, PromotionView};
use crate::views::words::{BannerAudienceWord, PromotionKindWord};

#[derive(OpenApi)]
#[openapi(paths(current, list, create, change))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/promotion").get(current))
        .service(web::resource("/admin/promotion").get(list).post(create))
        .service(web::resource("/admin/promotion/{id}").patch(change));
}

/// The promotions that the caller is offered now: a banner, and the bonus of a first purchase
#[openapi::path(get, path = "/api/public/promotion", tag = "promotions",
    responses((status = 200, body = CurrentPromotionsView)))]
async fn current(core: Data<Core>, caller: Caller) -> Result<Json<CurrentPromotionsView>> {
    Ok(Json(billing::current_promotions(&core, &caller).await?.into()))
}

/// Promotions, newest first (admins only)
#[openapi::path(get, path = "/api/admin/promotion", tag = "promotions", params(CursorQuery),
    responses((status = 200, body = Cursor<PromotionView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<PromotionView>>> {
    let page = billing::list_promotions(&core, &caller, query.page()?).await?;
    let items = page.items.into_iter().map(PromotionView::from).collect();
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}

/// Writes a body that has the fields of an offer behind its own.
macro_rules! with_offer {
    ($(#[$attribute:meta])* pub struct $body:ident { $($own:tt)* }) => {
        $(#[$attribute])*
        pub struct $body {
            $($own)*
            /// Of a banner, as the next five fields.
            #[serde(default)]
            #[schema(value_type = Option<BannerAudienceWord>)]
            audience: Option<String>,
            #[serde(default)]
            #[schema(min_length = 1, max_length = 160)]
            text_en: Option<String>,
            #[serde(default)]
            #[schema(min_length = 1, max_length = 160)]
            text_ko: Option<String>,
            /// The text of the link.
            #[serde(default)]
            #[schema(min_length = 1, max_length = 40)]
            label_en: Option<String>,
            #[serde(default)]
            #[schema(min_length = 1, max_length = 40)]
            label_ko: Option<String>,
            /// A path of the site.
            #[serde(default)]
            #[schema(min_length = 1, max_length = 200, example = "/pricing")]
            link: Option<String>,
            /// Percent of bonus credits with a first purchase.
            #[serde(default)]
            #[schema(minimum = 1, maximum = 100)]
            percent: Option<i32>,
        }

        impl $body {
            fn take_offer(&mut self) -> OfferFields {
                let Self { audience, text_en, text_ko, label_en, label_ko, link, percent, .. } = self;
                let banner = [audience, text_en, text_ko, label_en, label_ko, link].map(Option::take);
                OfferFields { banner, percent: *percent }
            }
        }
    };
}

with_offer! {
    /// A promotion to create: a banner with all its texts, or a percentage.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PromotionBody {
        /// For admins.
        #[schema(min_length = 1, max_length = 80)]
        name: String,
        #[schema(value_type = PromotionKindWord)]
        kind: String,
        /// Whether it is offered; it is by default.
        #[serde(default)]
        is_active: Option<bool>,
        /// At once by default.
        #[serde(default)]
        #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
        starts_at: Option<Moment>,
        /// In the future and after `startsAt`; never by default.
        #[serde(default)]
        #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
        ends_at: Option<Moment>,
    }
}

/// The fields of an offer, as bodies have them.
struct OfferFields {
    /// `audience`, `textEn`, `textKo`, `labelEn`, `labelKo` and `link`.
    banner: [Option<String>; 6],
    percent: Option<i32>,
}

const BANNER_FIELDS: [&str; 6] = ["audience", "textEn", "textKo", "labelEn", "labelKo", "link"];

impl OfferFields {
    /// The offer of this kind.
    fn offer(self, kind: PromotionKind) -> std::result::Result<PromotionOffer, Error> {
        let needed = |field: &str| Error::invalid(field, format!("is needed for {}", kind.name()));
        let needless = |field: &str| Error::invalid(field, format!("does not belong to {}", kind.name()));
        match kind {
            PromotionKind::Banner => {
                if self.percent.is_some() {
                    return Err(needless("percent"));
                }
                if let Some((_, field)) = self.banner.iter().zip(BANNER_FIELDS).find(|(given, _)| given.is_none()) {
                    return Err(needed(field));
                }
                let [audience, text_en, text_ko, label_en, label_ko, link] = self.banner.map(Option::unwrap_or_default);
                let audience = audience.parse()?;
                Ok(PromotionOffer::Banner(PromotionBanner { audience, text_en, text_ko, label_en, label_ko, link }))
            }
            PromotionKind::FirstPurchase => {
                if let Some((_, field)) = self.banner.iter().zip(BANNER_FIELDS).find(|(given, _)| given.is_some()) {
                    return Err(needless(field));
                }
                Ok(PromotionOffer::FirstPurchase { percent: self.percent.ok_or_else(|| needed("percent"))? })
            }
        }
    }
}

impl TryFrom<PromotionBody> for NewPromotion {
    type Error = Error;

    fn try_from(mut body: PromotionBody) -> std::result::Result<Self, Error> {
        let fields = body.take_offer();
        Ok(Self {
            name: body.name,
            offer: fields.offer(body.kind.parse()?)?,
            is_active: body.is_active.unwrap_or(true),
            starts_at: body.starts_at.map(Into::into),
            ends_at: body.ends_at.map(Into::into),
        })
    }
}

/// Creates a promotion (admins only)
///
/// Of several active banners the newest one is shown, of several bonuses the largest is given.
#[openapi::path(post, path = "/api/admin/promotion", tag = "promotions", request_body = PromotionBody,
    responses((status = 201, body = PromotionView)))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<PromotionBody>) -> Result<HttpResponse> {
    caller.must_be_admin()?.read_only();
    let promotion = billing::create_promotion(&core, &caller, body.try_into()?).await?;
    Ok(HttpResponse::Created().json(PromotionView::from(promotion)))
}

with_offer! {
    /// A change of a promotion. What is left out stays; `null` removes a date. The six fields of a banner are changed
    /// together; the kind stays.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PromotionChangeBody {
        #[serde(default)]
        #[schema(min_length = 1, max_length = 80)]
        name: Option<String>,
        #[serde(default)]
        is_active: Option<bool>,
        #[serde(default, deserialize_with = "present")]
        #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
        starts_at: Option<Option<Moment>>,
        /// After `startsAt`.
        #[serde(default, deserialize_with = "present")]
        #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
        ends_at: Option<Option<Moment>>,
    }
}

impl TryFrom<PromotionChangeBody> for PromotionChange {
    type Error = Error;

    fn try_from(mut body: PromotionChangeBody) -> std::result::Result<Self, Error> {
        let fields = body.take_offer();
        let kind = match (fields.banner.iter().any(Option::is_some), fields.percent) {
            (true, _) => Some(PromotionKind::Banner),
            (false, Some(_)) => Some(PromotionKind::FirstPurchase),
            (false, None) => None,
        };
        Ok(Self {
            name: body.name,
            offer: kind.map(|kind| fields.offer(kind)).transpose()?,
            is_active: body.is_active,
            starts_at: body.starts_at.map(|starts_at| starts_at.map(Into::into)),
            ends_at: body.ends_at.map(|ends_at| ends_at.map(Into::into)),
        })
    }
}

/// Changes a promotion (admins only)
///
/// A promotion that is not active is not offered. Orders keep the bonus that they were promised.
#[openapi::path(patch, path = "/api/admin/promotion/{id}", tag = "promotions", params(("id" = Uuid, Path)),
    request_body = PromotionChangeBody, responses((status = 200, body = PromotionView)))]
async fn change(
    core: Data<Core>,
    caller: Caller,
    id: Path<PromotionId>,
    Body(body): Body<PromotionChangeBody>,
) -> Result<Json<PromotionView>> {
    caller.must_be_admin()?.read_only();
    Ok(Json(billing::change_promotion(&core, &caller, *id, body.try_into()?).await?.into()))
}
