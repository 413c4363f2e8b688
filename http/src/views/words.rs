//! Closed lists of words: in the description they are types, so that clients know all of them.

use serde::Serialize;
#[cfg(feature = "describe")]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(feature = "describe")]
use utoipa::openapi::{RefOr, schema::SchemaType};
#[cfg(feature = "describe")]
use utoipa::{PartialSchema, ToSchema};
use verdigraph_core::{audit, moderation};

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
    /// What can be reported.
    ReportKind of moderation::Kind,
    /// Why something is reported.
    ReportReason of moderation::Reason,
    /// How a case stands.
    CaseState of moderation::State,
    /// What a moderator makes of a case.
    CaseVerdict of moderation::Verdict,
    /// What was decided, of a thing or of a person.
    DecisionWord of moderation::DecisionKind,
    /// What an admin did; the part before the dot says what the target is.
    AuditAction of audit::Action,
}

/// Words that rooms read and do not list. They are types of the description alone; a test reads each of them.
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
        fn every_word_of_the_description_is_read() {
            $(
                let is_read: fn(&str) -> bool = $is_read;
                for word in [$($word),+] {
                    assert!(is_read(word), "{} is described with {word}", stringify!($name));
                }
            )+
        }
    };
}

spelled! {
    /// A language of the pages.
    LanguageTag: |word| verdigraph_core::users::Language::from_tag(word).tag() == word => ["en", "ko"];
    /// What is done with what is not safe for work.
    NsfwWord: |word| word.parse::<verdigraph_core::filter::Nsfw>().is_ok() => ["View", "Hide", "Only"];
    /// How days are put together.
    PeriodWord: |word| word.parse::<verdigraph_core::periods::Grouping>().is_ok() => ["day", "week", "month"];
    /// The order of workflows.
    WorkflowSort: |word| word.parse::<verdigraph_core::workflows::Sort>().is_ok() => [
        "newest", "oldest", "like", "view", "publishedAt", "-_id", "_id", "-createdAt", "createdAt", "-likeCount",
        "-viewCount", "-publishedAt",
    ];
    /// The order of pictures.
    OutputAssetSort: |word| word.parse::<verdigraph_core::gallery::Order>().is_ok() => [
        "newest", "oldest", "like", "view", "-_id", "_id", "-createdAt", "createdAt", "-likeCount", "-viewCount",
    ];
    /// The order of videos.
    VideoSort: |word| word.parse::<verdigraph_core::videos::Order>().is_ok() => [
        "newest", "oldest", "-youtubeCreatedAt", "youtubeCreatedAt",
    ];
    /// The order of cases.
    CaseSort: |word| word.parse::<moderation::Order>().is_ok() => ["newest", "mostReported"];
    /// Why credits are given.
    GrantWord: |word| crate::routes::credits::kind_of(word).is_some() => ["Operator", "Coupon", "Plan", "Purchase"];
    /// Whose account somebody signs in with.
    ProviderWord: |word| crate::routes::social::named(word).is_ok() => ["google", "discord"];
    /// A kind of uploaded files.
    InputKindWord: |word| verdigraph_core::assets::AssetKind::from_word(word).as_str() == word => [
        "Image", "Video", "Audio",
    ];
    /// What a mini app is given.
    TakesWord: |word| word.parse::<verdigraph_core::workflows::Takes>().is_ok() => ["image", "video", "audio", "text"];
    /// What a mini app makes.
    MakesWord: |word| word.parse::<verdigraph_core::workflows::Makes>().is_ok() => [
        "image", "video", "audio", "text", "file",
    ];
    /// The form of a link preview.
    OembedFormat: |word| word == crate::routes::discovery::FORMAT => ["json"];
    /// What a notification is about.
    NotificationKind: |word| word.parse::<verdigraph_core::notifications::Kind>().is_ok() => [
        "COMMENT", "LIKE", "NOTICE", "REQUESTS", "OTHERS",
    ];
    /// An event that a webhook can be called for.
    WebhookEventWord: |word| verdigraph_core::webhooks::KINDS.iter().any(|kind| kind.name() == word) => [
        "job.created", "job.started", "job.progress", "job.done", "job.failed", "job.canceled", "batch.finished",
        "workflow_api.saved", "workflow_api.deleted",
    ];
    /// What a notification is about, or whatever it is.
    NotificationKindOrAll: |word| word == "ALL" || word.parse::<verdigraph_core::notifications::Kind>().is_ok() => [
        "ALL", "COMMENT", "LIKE", "NOTICE", "REQUESTS", "OTHERS",
    ];
}
