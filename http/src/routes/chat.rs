//! The support chat, where one is configured.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Serialize;
use verdigraph_core::Core;
use verdigraph_core::users::{self, ChatMember};

use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(find))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/auth/me/chat").get(find));
}

/// The chat that this installation offers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatView {
    /// What its script is started with; `null` where none is offered.
    pub member: Option<ChatMemberView>,
}

/// A person in the chat.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMemberView {
    pub plugin_key: String,
    pub script_url: String,
    pub member_id: String,
    /// HMAC-SHA256 of the id, in hexadecimal: it shows the chat that we know the person.
    pub member_hash: String,
}

impl From<ChatMember> for ChatMemberView {
    fn from(member: ChatMember) -> Self {
        let ChatMember { plugin_key, script_url, member_id, member_hash } = member;
        Self { plugin_key, script_url, member_id, member_hash }
    }
}

/// The caller in the support chat, signed
#[described::path(get, path = "/api/auth/me/chat", tag = "account", responses(
    (status = 200, body = ChatView), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody, description = "An API key")
))]
async fn find(core: Data<Core>, caller: Caller) -> Result<Json<ChatView>> {
    let member = users::chat_member(&core, &caller)?;
    Ok(Json(ChatView { member: member.map(Into::into) }))
}
