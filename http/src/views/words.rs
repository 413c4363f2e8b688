//! Closed lists of words, as types of the OpenAPI document, so that clients know all of them.

use serde::Serialize;
#[cfg(feature = "describe")]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(feature = "describe")]
use utoipa::openapi::{RefOr, schema::SchemaType};
#[cfg(feature = "describe")]
use utoipa::{PartialSchema, ToSchema};
use verdigraph_core::{audit, billing, jobs, moderation, requirements};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident of $of:ty),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Serialize)]
        #[serde(transparent)]
        pub struct $name(&'static str);

        impl From<$of> for $name {
            fn from(one: $of) -> Self {
                Self(one.name())
            }
        }

        #[cfg(feature = "describe")]

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words = <$of>::ALL.iter().map(|one| one.name());
                ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).enum_values(Some(words)).into()
            }
        }

        #[cfg(feature = "describe")]

        impl ToSchema for $name {}
    )+};
}

words! {
      /// A kind of object that can be reported.
    ReportKind of moderation::ReportTargetKind,
      /// The reason of a report.
    ReportReason of moderation::ReportReason,
      /// The state of a case.
    CaseState of moderation::CaseState,
      /// A moderator's verdict.
    CaseVerdict of moderation::Verdict,
      /// A kind of decision, about an object or a user.
    DecisionWord of moderation::DecisionKind,
      /// An admin's action; the part before the dot is the kind of its target.
    AuditAction of audit::Action,
      /// A node class or a model.
    RequirementWord of requirements::RequirementKind,
    /// What a run costs, and when it runs.
    PriceClassWord of jobs::PriceClass,
    /// A lane of the queue.
    LaneWord of jobs::Lane,
    /// A currency.
    CurrencyWord of billing::Currency,
    /// A billing country.
    CountryWord of billing::BillingCountry,
    /// A payment provider.
    PaymentProviderWord of billing::ProviderName,
    /// Where an order was paid, or what gave it without a payment: a coupon, or an admin (`Free`).
    OrderProviderWord of billing::OrderProvider,
    /// How a user got something: for money, by a coupon, or from an admin (`Free`).
    PaymentTypeWord of billing::PaymentType,
    /// What an item or an order is for: credits, or a month of a plan.
    ProductKindWord of billing::ProductKind,
    /// The kind of a promotion.
    PromotionKindWord of billing::PromotionKind,
    /// Who sees a banner.
    BannerAudienceWord of billing::BannerAudience,
    /// The state of a subscription.
    SubscriptionStatusWord of billing::SubscriptionStatus,
    /// Why a subscription ended.
    EndReasonWord of billing::EndReason,
    /// What pays a subscription: a saved card, or PayPal, which charges the buyer by its own calendar.
    PaidWithWord of billing::PaidWith,
    /// When a change of plan takes effect.
    ChangeTimeWord of billing::ChangeTime,
    /// The state of an order.
    OrderStatusWord of billing::OrderStatus,
    /// Why an order failed or was canceled.
    OrderFailureWord of billing::OrderFailure,
    /// Why a card was declined, in the words of TossPayments.
    DeclineReasonWord of billing::DeclineReason,
    /// The state of a refund.
    RefundStatusWord of billing::RefundStatus,
    /// The state of a payment at the test provider.
    TestPaymentStateWord of billing::TestPaymentState,
    /// What the test provider does with a payment.
    TestAnswerWord of billing::TestAnswer,
    /// The state of a card at the test provider.
    TestCardStateWord of billing::TestCardState,
    /// What a test card does with its charges.
    TestCardAnswerWord of billing::TestCardAnswer,
    /// The state of an agreement at the test provider.
    TestAgreementStateWord of billing::TestAgreementState,
    /// What happens to an agreement at the test provider.
    TestAgreementAnswerWord of billing::TestAgreementAnswer,
}

/// Words that the core parses but does not list. They are types of the document only; a test parses each of them.
macro_rules! spelled {
    ($($(#[$doc:meta])* $name:ident: $is_read:expr => [$($word:literal),+ $(,)?]);+ $(;)?) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub enum $name {}

            #[cfg(feature = "describe")]

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    let words = [$($word),+];
                    ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).enum_values(Some(words)).into()
                }
            }

            #[cfg(feature = "describe")]

            impl ToSchema for $name {}
        )+

        #[cfg(test)]
        #[test]
            fn every_word_of_the_document_is_parsed() {
            $(
                let is_read: fn(&str) -> bool = $is_read;
                for word in [$($word),+] {
                              assert!(is_read(word), "{} contains {word}, which is not parsed", stringify!($name));
                }
            )+
        }
    };
}

spelled! {
    /// A language of the pages.
    LanguageTag: |word| verdigraph_core::users::Language::from_tag(word).tag() == word => ["en", "ko"];
      /// How NSFW content is treated.
    NsfwWord: |word| word.parse::<verdigraph_core::filter::Nsfw>().is_ok() => ["View", "Hide", "Only"];
      /// How days are grouped.
    PeriodWord: |word| word.parse::<verdigraph_core::periods::Grouping>().is_ok() => ["day", "week", "month"];
    /// The order of workflows.
    WorkflowSort: |word| word.parse::<verdigraph_core::workflows::WorkflowOrder>().is_ok() => [
        "newest", "oldest", "like", "view", "publishedAt", "-_id", "_id", "-createdAt", "createdAt", "-likeCount",
        "-viewCount", "-publishedAt",
    ];
    /// The order of pictures.
    OutputAssetSort: |word| word.parse::<verdigraph_core::gallery::OutputOrder>().is_ok() => [
        "newest", "oldest", "like", "view", "-_id", "_id", "-createdAt", "createdAt", "-likeCount", "-viewCount",
    ];
    /// The order of videos.
    VideoSort: |word| word.parse::<verdigraph_core::videos::VideoOrder>().is_ok() => [
        "newest", "oldest", "-youtubeCreatedAt", "youtubeCreatedAt",
    ];
    /// The order of cases.
    CaseSort: |word| word.parse::<moderation::CaseOrder>().is_ok() => ["newest", "mostReported"];
      /// The kind of a grant.
    GrantWord: |word| crate::routes::credits::kind_of(word).is_some() => ["Operator", "Coupon", "Plan", "Purchase"];
    /// The kind of a coupon's benefit.
    BenefitWord: |word| crate::views::coupons::BENEFITS.contains(&word) => [
        "Credits", "Plan", "PercentOff",
    ];
    /// The kind of an entry of a statement.
    EntryWord: |word| crate::routes::credits::entry_kind_of(word).is_some_and(|kind| super::credits::entry_word(kind) == word) => [
        "Grant", "Hold", "Capture", "Release", "Expire", "Debit",
    ];
      /// A sign-in provider.
    ProviderWord: |word| crate::routes::social::named(word).is_ok() => ["google", "discord"];
      /// A kind of uploads.
    InputKindWord: |word| verdigraph_core::assets::AssetKind::from_word(word).as_str() == word => [
        "Image", "Video", "Audio", "Text",
    ];
      /// A mini app's kind of input.
    TakesWord: |word| word.parse::<verdigraph_core::workflows::Takes>().is_ok() => [
        "image", "video", "audio", "textfile", "text",
    ];
      /// A mini app's kind of output.
    MakesWord: |word| word.parse::<verdigraph_core::workflows::Makes>().is_ok() => [
        "image", "video", "audio", "text", "file",
    ];
      /// A kind of mini apps.
    WorkflowKindWord: |word| word.parse::<verdigraph_core::workflows::WorkflowKind>().is_ok() => [
        "easyapp", "figma", "generator",
    ];
      /// A kind of workflows that admins mark.
    MarkedKindWord: |word| word.parse::<verdigraph_core::workflows::WorkflowKind>().is_ok() => ["figma", "generator"];
      /// The format of a link preview.
    OembedFormat: |word| word == crate::routes::discovery::FORMAT => ["json"];
      /// A type of notifications.
    NotificationKind: |word| word.parse::<verdigraph_core::notifications::NotificationKind>().is_ok() => [
        "COMMENT", "LIKE", "NOTICE", "REQUESTS", "OTHERS",
    ];
      /// An event type of webhooks.
    WebhookEventWord: |word| verdigraph_core::webhooks::KINDS.iter().any(|kind| kind.name() == word) => [
        "job.created", "job.started", "job.progress", "job.done", "job.failed", "job.canceled", "batch.finished",
        "workflow_api.saved", "workflow_api.deleted",
    ];
      /// A type of notifications, or all of them.
    NotificationKindOrAll: |word| word == "ALL" || word.parse::<verdigraph_core::notifications::NotificationKind>().is_ok() => [
        "ALL", "COMMENT", "LIKE", "NOTICE", "REQUESTS", "OTHERS",
    ];
}
