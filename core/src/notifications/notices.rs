//! Verbs on notices, in both languages.

use super::live::announce;
use super::notice::{NewNotice, Notice};
use super::store;
use crate::assets::{self, Exposure, RichText};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::html::{clean, is_blank};
use crate::ids::{NoticeId, UserId};
use crate::{Caller, Core, Error, Result, names, users};

pub const MAX_TITLE_CHARS: usize = 100;
/// Maximum size of a notice's HTML, in bytes.
pub const MAX_CONTENT_BYTES: usize = 64 * 1024;

/// Publishes a notice to all users.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::Invalid`] for an empty or too long title
/// or content; as [`assets::must_not_be_locked`].
pub async fn publish_notice(core: &Core, caller: &Caller, new: NewNotice) -> Result<Notice> {
    let by = caller.must_be_admin()?;
    let created_by = caller.signed_in()?;
    let permit = users::may_publish(core, caller).await?;
    let notice = Notice {
        id: NoticeId::new(),
        title_en: title("titleEn", &new.title_en)?,
        title_ko: title("titleKo", &new.title_ko)?,
        content_en: content("contentEn", &new.content_en)?,
        content_ko: content("contentKo", &new.content_ko)?,
        created_by,
        created_at: core.clock.now(),
    };
    let mut tx = database::begin(&core.db).await?;
    store::insert_notice(&mut tx, &notice).await?;
    let html = [notice.content_en.as_str(), &notice.content_ko];
    let text = RichText { id: notice.id.0, authors: &[created_by], html: &html };
    // A new text shows no files yet.
    assets::write_text_tx(&mut tx, text, Exposure::Everybody(&permit)).await?;
    let after = serde_json::json!({ "titleEn": notice.title_en, "titleKo": notice.title_ko });
    audit::record(&mut tx, by, Act::new(Action::NoticePublish, notice.id).after(after), notice.created_at).await?;
    tx.commit().await?;
    announce(core, created_by).await;
    Ok(notice)
}

/// All notices, newest first: at most `limit` older than `before`. For admins.
pub async fn notices(core: &Core, caller: &Caller, before: Option<NoticeId>, limit: i64) -> Result<Vec<Notice>> {
    caller.must_be_admin()?.read_only();
    Ok(store::notices(&core.db, before, limit).await?)
}

/// Deletes a notice from all boxes. Its pictures stay public, because everyone has seen them; an admin can hide the
/// upload.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::NotFound`].
pub async fn delete_notice(core: &Core, caller: &Caller, id: NoticeId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let title = store::delete_notice(&mut tx, id, now).await?.ok_or(Error::NotFound { what: "notice" })?;
    assets::delete_text_tx(&mut tx, id.0).await?;
    let act = Act::new(Action::NoticeDelete, id).before(serde_json::json!({ "titleEn": title }));
    audit::record(&mut tx, by, act, now).await?;
    Ok(tx.commit().await?)
}

/// Copies notices into the box that it does not have yet. New users do not get notices from before they signed up.
pub(super) async fn copy_notices(core: &Core, user: UserId) -> Result<()> {
    if !store::new_notices(&core.db, user).await?.is_empty() {
        store::copy_notices(&core.db, user).await?;
    }
    Ok(())
}

fn title(field: &str, text: &str) -> Result<String> {
    let text = names::trimmed(text, 1..=MAX_TITLE_CHARS).filter(|text| !text.chars().any(names::is_hidden));
    text.ok_or_else(|| Error::invalid(field, format!("must have 1 to {MAX_TITLE_CHARS} characters on one line")))
}

fn content(field: &str, html: &str) -> Result<String> {
    if html.len() > MAX_CONTENT_BYTES {
        return Err(Error::invalid(field, format!("must not be larger than {MAX_CONTENT_BYTES} bytes")));
    }
    let html = clean(&html.replace('\0', ""));
    if is_blank(&html) { Err(Error::invalid(field, "must not be empty")) } else { Ok(html) }
}
