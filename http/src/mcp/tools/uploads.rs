//! Files for runs.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;
use verdigraph_core::assets::{self, Asset, Blake3Hash, Spool};
use verdigraph_core::{Error, users};

use crate::editor::files;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult};
use crate::mcp::schema::MAX_UPLOAD_BYTES;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadArguments {
    data: Option<String>,
    hash: Option<String>,
    output_id: Option<Uuid>,
    name: Option<String>,
}

pub async fn upload(context: &Context, arguments: UploadArguments) -> Result<ToolResult, Failure> {
    let UploadArguments { data, hash, output_id, name } = arguments;
    let Context { core, caller, .. } = context;
    let asset = match (data, hash, output_id) {
        (Some(data), None, None) => {
            let _permit = users::may_take_part(core, caller).await?;
            let file = bytes(&data)?;
            files::store(core, caller, &name.unwrap_or_default(), Spool::from(file)).await?
        }
        (None, Some(hash), None) => known(context, &hash).await?,
        (None, None, Some(output)) => made(context, output).await?,
        (None, None, None) => return Err(Failure::field("data", "or hash or output_id is required")),
        _ => return Err(Failure::field("data", "only one of data, hash and output_id can be given")),
    };
    Ok(ToolResult::of(json!({
        "asset_id": asset.id,
        "workflow_value": format!("{}.{}", asset.id, asset.stored.media.extension()),
        "name": asset.name,
        "kind": asset.kind.as_str(),
        "content_type": asset.stored.media.content_type(),
        "size_bytes": asset.stored.size_bytes,
        "width": asset.stored.width,
        "height": asset.stored.height,
    })))
}

/// The bytes of a text in Base64, which may have the beginning of a `data:` address.
fn bytes(data: &str) -> Result<Vec<u8>, Failure> {
    let encoded = match data.strip_prefix("data:") {
        Some(rest) => rest.split_once(";base64,").map_or(rest, |(_, encoded)| encoded),
        None => data,
    };
    let bytes = BASE64_STANDARD.decode(encoded.trim());
    let bytes = bytes.map_err(|error| Failure::field("data", format!("is not Base64: {error}")))?;
    if bytes.len() > MAX_UPLOAD_BYTES {
        let message = format!("has more than {MAX_UPLOAD_BYTES} bytes; POST /api/v2/assets takes larger files");
        return Err(Failure::field("data", message));
    }
    Ok(bytes)
}

/// The caller's upload with this hash.
async fn known(context: &Context, hash: &str) -> Result<Asset, Failure> {
    let hash: Blake3Hash = hash.parse()?;
    match assets::own_by_blake3(&context.core, &context.caller, &hash).await {
        Ok(asset) => Ok(asset),
        Err(error @ Error::NotFound { .. }) => Err(Failure::missing("hash", error)),
        Err(error) => Err(error.into()),
    }
}

/// An output of the caller, as an upload.
async fn made(context: &Context, output: Uuid) -> Result<Asset, Failure> {
    let Context { core, caller, .. } = context;
    let missing = || Failure::missing("output_id", Error::NotFound { what: "output" });
    let upload = files::find_upload_by_id(core, caller, output).await?.ok_or_else(missing)?;
    Ok(assets::find(core, caller, upload).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_from_both_spellings_up_to_the_limit() {
        for text in ["aGk=", " aGk=\n", "data:text/plain;base64,aGk="] {
            assert_eq!(bytes(text).expect("bytes"), b"hi", "{text}");
        }
        for wrong in ["aGk", "*", "data:text/plain,hi"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        let most = BASE64_STANDARD.encode(vec![0; MAX_UPLOAD_BYTES]);
        assert_eq!(bytes(&most).expect("bytes").len(), MAX_UPLOAD_BYTES);
        assert!(bytes(&BASE64_STANDARD.encode(vec![0; MAX_UPLOAD_BYTES + 1])).is_err());
    }
}
