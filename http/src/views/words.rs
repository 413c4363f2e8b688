//! Closed lists of words: in the description they are types, so that clients know all of them.

use serde::Serialize;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, schema::SchemaType};
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

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words = <$of>::ALL.iter().map(|one| one.name());
                ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).enum_values(Some(words)).into()
            }
        }

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
