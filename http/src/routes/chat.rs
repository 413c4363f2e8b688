//! The support chat, if configured.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Serialize;
use verdigraph_core::Core;
use verdigraph_core::users::{self, ChatMember};

use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi, ToSchema};

#[derive(OpenApi)]
#[openapi(paths(find))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/auth/me/chat").get(find));
}

/// The installation's chat.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatView {
    /// The parameters of its script; `null` without a chat.
    pub member: Option<ChatMemberView>,
}

/// A user in the chat.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMemberView {
    pub plugin_key: String,
    pub script_url: String,
    pub member_id: String,
    /// HMAC-SHA256 of the id in hexadecimal, which proves the user's identity to the chat.
    pub member_hash: String,
}

impl From<ChatMember> for ChatMemberView {
    fn from(member: ChatMember) -> Self {
        let ChatMember { plugin_key, script_url, member_id, member_hash } = member;
        Self { plugin_key, script_url, member_id, member_hash }
    }
}

/// The caller's signed identity for the support chat
#[openapi::path(get, path = "/api/auth/me/chat", tag = "account", responses((status = 200, body = ChatView),
    (status = 403, description = "SESSION_REQUIRED: an API key cannot do this")))]
async fn find(core: Data<Core>, caller: Caller) -> Result<Json<ChatView>> {
    let member = users::chat_member(&core, &caller)?;
    Ok(Json(ChatView { member: member.map(Into::into) }))
}
