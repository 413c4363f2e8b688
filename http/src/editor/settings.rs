//! The settings of the editor, per user. Some have fixed values, which keep the start-up predictable and the front end
//! within this site; writes to these are ignored.

use std::sync::LazyLock;

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};
use verdigraph_core::editor::{self, MAX_SETTINGS_BYTES};
use verdigraph_core::{Core, users};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{self, JsonLimit, RawBody};
use crate::site;

/// The version of the front end package that is served.
pub const FRONT_END: &str = "1.55.18";

const LOCALE: &str = "Comfy.Locale";
/// A body may have some escapes and spaces more than the stored values.
const BODY_BYTES: usize = 2 * MAX_SETTINGS_BYTES;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/settings").app_data(JsonLimit(BODY_BYTES)).get(all).post(change))
        .service(web::resource("/settings/{id}").app_data(JsonLimit(BODY_BYTES)).get(one).post(change_one));
}

/// Never 401 and never empty: the front end reloads itself on a 401, and shows its introduction without settings.
async fn all(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<Json<Map<String, Value>>> {
    Ok(Json(effective(&core, &caller, &request).await?))
}

/// `null` for an unknown setting.
async fn one(core: Data<Core>, caller: Caller, id: Path<String>, request: HttpRequest) -> Result<Json<Value>> {
    Ok(Json(effective(&core, &caller, &request).await?.remove(id.as_str()).unwrap_or_default()))
}

async fn change(core: Data<Core>, caller: Caller, RawBody(body): RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    store(&core, &caller, extract::parse(&body)?).await
}

async fn change_one(
    core: Data<Core>,
    caller: Caller,
    id: Path<String>,
    RawBody(body): RawBody,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let value: Value = extract::parse(&body)?;
    store(&core, &caller, Map::from_iter([(id.into_inner(), value)])).await
}

async fn store(core: &Core, caller: &Caller, mut changes: Map<String, Value>) -> Result<HttpResponse> {
    changes.retain(|id, _| !is_fixed(id));
    editor::set_settings(core, caller, &changes).await?;
    Ok(HttpResponse::Ok().finish())
}

/// The stored settings of the caller, completed and with the fixed values.
async fn effective(core: &Core, caller: &Caller, request: &HttpRequest) -> Result<Map<String, Value>> {
    let (stored, language) = match caller.user {
        Some(user) => (editor::settings(core, caller).await?, users::find(core, user).await?.language),
        None => (Map::new(), site::head::language(request.query_string(), request.headers())),
    };
    let mut settings = INITIAL.clone();
    settings.extend(stored);
    settings.extend(FIXED.clone());
    settings.insert(LOCALE.to_owned(), language.tag().into());
    Ok(settings)
}

fn is_fixed(id: &str) -> bool {
    id == LOCALE || FIXED.contains_key(id)
}

/// Values until the user changes them.
static INITIAL: LazyLock<Map<String, Value>> = LazyLock::new(|| object(json!({ "Comfy.VueNodes.Enabled": false })));

/// With the first two the front end starts with one graph, which our extension chooses, and keeps no drafts in the
/// browser, whose storage all accounts share. Drafts are kept by this server.
static FIXED: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    object(json!({
        "Comfy.TutorialCompleted": true,
        "Comfy.Workflow.Persist": false,
        "Comfy.InstalledVersion": FRONT_END,
        "Comfy.Window.UnloadConfirmation": false,
        "Comfy.Notification.ShowVersionUpdates": false,
        "Comfy.VersionCompatibility.DisableWarnings": true,
        "Comfy.AppBuilder.VueNodeSwitchDismissed": true,
        "Comfy.PartnerNodesEducation.Dismissed": true,
        "Comfy.Desktop.CloudNotificationShown": true,
        "Comfy.NodeBadge.ShowApiPricing": false,
        "Comfy.Graph.CanvasInfo": false,
        "Comfy.ColorPalette": "platform",
        "Comfy.CustomColorPalettes": { "platform": palette() },
    }))
});

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The colors of the platform. The front end completes it with its dark palette.
fn palette() -> Value {
    const GREEN: &str = "#5DFFB1";
    json!({
        "id": "platform",
        "name": "Verdigraph",
        "colors": {
            "node_slot": {},
            "litegraph_base": {
                "BACKGROUND_IMAGE": "",
                "CLEAR_BACKGROUND_COLOR": "#0B0E0D",
                "NODE_DEFAULT_BOXCOLOR": GREEN,
                "NODE_BOX_OUTLINE_COLOR": GREEN,
                "NODE_TEXT_HIGHLIGHT_COLOR": GREEN,
                "CONNECTING_LINK_COLOR": GREEN,
                "NODE_TITLE_COLOR": "#B9C4BF",
                "NODE_SELECTED_TITLE_COLOR": "#FFFFFF",
                "NODE_TEXT_SIZE": 14,
                "NODE_TEXT_COLOR": "#B9C4BF",
                "NODE_SUBTEXT_SIZE": 12,
                "NODE_DEFAULT_COLOR": "#1C2421",
                "NODE_DEFAULT_BGCOLOR": "#222B28",
                "NODE_DEFAULT_SHAPE": 2,
                "DEFAULT_GROUP_FONT": 24,
                "WIDGET_BGCOLOR": "#141A18",
                "WIDGET_OUTLINE_COLOR": "#3A4742",
                "WIDGET_TEXT_COLOR": "#E6EDEA",
                "WIDGET_SECONDARY_TEXT_COLOR": "#94A29C",
                "LINK_COLOR": "#8FA39A",
            },
            "comfy_base": {
                "fg-color": "#FFFFFF",
                "bg-color": "#0B0E0D",
                "comfy-menu-bg": "#121715",
                "comfy-menu-secondary-bg": "#171D1B",
                "comfy-input-bg": "#1C2421",
                "input-text": "#E6EDEA",
                "descrip-text": "#94A29C",
                "drag-text": "#CCD6D1",
                "error-text": "#FF6B6B",
                "border-color": "#2C3733",
                "tr-even-bg-color": "#121715",
                "tr-odd-bg-color": "#171D1B",
                "content-bg": "#222B28",
                "content-fg": "#FFFFFF",
                "content-hover-bg": "#2C3733",
                "content-hover-fg": "#FFFFFF",
            },
        },
    })
}
