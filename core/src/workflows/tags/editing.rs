//! Changes of the tree of tags by admins.
//!
//! The tree has two levels: a tag with a parent has no children. Workflows lose no tag: a used tag is merged into
//! another one and not deleted. Links to parents change at once; search words are rewritten by the task that indexes
//! workflows without words.

use std::collections::HashMap;

use serde_json::json;
use sqlx::PgConnection;

use super::store;
use super::tag::{NewTag, Tag, TagChanges, TagUse};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::WorkflowTagId;
use crate::{Caller, Code, Core, Error, Result, names};

/// Characters of a tag's name in either language.
pub const MAX_TAG_CHARS: usize = 50;
/// Tags that can exist: more than users could choose from.
pub const MAX_TAG_COUNT: usize = 500;

/// How much each tag is used, without unused tags.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin.
pub async fn tag_uses(core: &Core, caller: &Caller) -> Result<HashMap<WorkflowTagId, TagUse>> {
    caller.must_be_admin()?.read_only();
    Ok(store::editing::uses(&core.db).await?)
}

/// Adds a tag as the last child of its parent.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for a name beyond
/// the limits, or a parent that is missing or no root; `TAG_NAME_TAKEN`; `TAG_TOO_MANY`.
pub async fn create_tag(core: &Core, caller: &Caller, new: NewTag) -> Result<Tag> {
    let by = caller.must_be_admin()?;
    let (name, name_ko) = (checked("name", &new.name)?, checked("nameKo", &new.name_ko)?);
    let mut tx = database::begin(&core.db).await?;
    let tree = Tree::locked(&mut tx).await?;
    if tree.0.len() >= MAX_TAG_COUNT {
        return Err(Error::refused(Code::TagTooMany, format!("there can be {MAX_TAG_COUNT} tags at most")));
    }
    if let Some(parent) = new.parent {
        tree.must_be_root(parent)?;
    }
    tree.must_be_usable(None, new.parent, &name)?;
    let tag = Tag {
        id: WorkflowTagId::new(),
        name,
        name_ko,
        depth: i16::from(new.parent.is_some()),
        parent: new.parent,
        created_at: core.clock.now(),
    };
    store::editing::insert(&mut tx, &tag).await?;
    let act = Act::new(Action::TagCreate, tag.id).after(audit_fields(&tag));
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(tag)
}

/// Renames a tag or moves it to another parent, as the last child.
///
/// # Errors
/// As [`update_tags`].
pub async fn update_tag(core: &Core, caller: &Caller, id: WorkflowTagId, changes: TagChanges) -> Result<Tag> {
    update_tags(core, caller, &[id], changes).await?.pop().ok_or(Error::NotFound { what: "workflow tag" })
}

/// Renames tags or moves them to another parent, as the last children; all of them or none.
///
/// # Errors
/// As [`create_tag`]; [`Error::NotFound`]; `TAG_HAS_CHILDREN` where a root with children would get a parent.
pub async fn update_tags(core: &Core, caller: &Caller, ids: &[WorkflowTagId], changes: TagChanges) -> Result<Vec<Tag>> {
    caller.must_be_admin()?.read_only();
    must_be_few(ids)?;
    let changes = TagChanges {
        name: changes.name.as_deref().map(|name| checked("name", name)).transpose()?,
        name_ko: changes.name_ko.as_deref().map(|name| checked("nameKo", name)).transpose()?,
        parent: changes.parent,
    };
    let mut tx = database::begin(&core.db).await?;
    let mut changed = Vec::with_capacity(ids.len());
    for id in ids {
        let (before, tag) = update_tx(&mut tx, *id, &changes).await?;
        let [was, is] = audit::changed(audit_fields(&before), audit_fields(&tag));
        let act = Act::new(Action::TagUpdate, *id).before(was).after(is);
        audit::record(&mut tx, caller.must_be_admin()?, act, core.clock.now()).await?;
        changed.push(tag);
    }
    tx.commit().await?;
    Ok(changed)
}

/// Returns the tag before and after its change.
async fn update_tx(tx: &mut PgConnection, id: WorkflowTagId, changes: &TagChanges) -> Result<(Tag, Tag)> {
    let tree = Tree::locked(tx).await?;
    let before = tree.find(id)?;
    let mut tag = before.clone();
    tag.name = changes.name.clone().unwrap_or(tag.name);
    tag.name_ko = changes.name_ko.clone().unwrap_or(tag.name_ko);
    tag.parent = changes.parent.unwrap_or(tag.parent);
    tag.depth = i16::from(tag.parent.is_some());
    tree.must_be_usable(Some(id), tag.parent, &tag.name)?;
    let moves = tag.parent != before.parent;
    if moves && let Some(parent) = tag.parent {
        tree.must_be_root(parent)?;
        if parent == id {
            return Err(Error::invalid("parentTag", "is the tag itself"));
        }
        tree.must_be_childless(id)?;
    }
    store::editing::update(tx, &tag, moves).await?;
    if tag != *before {
        store::editing::forget_words(tx, id).await?;
    }
    if moves {
        store::editing::imply_again(tx, id).await?;
    }
    Ok((before.clone(), tag))
}

/// No call names more tags than can exist.
fn must_be_few(ids: &[WorkflowTagId]) -> Result<()> {
    if ids.len() > MAX_TAG_COUNT {
        return Err(Error::invalid("filter._id", format!("may name {MAX_TAG_COUNT} ids at most")));
    }
    Ok(())
}

/// Sets the order of the children of one parent, or of the roots.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] where the ids are
/// not exactly these tags, once each, for example because another admin changed them.
pub async fn order_tags(
    core: &Core,
    caller: &Caller,
    parent: Option<WorkflowTagId>,
    ids: &[WorkflowTagId],
) -> Result<()> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let tree = Tree::locked(&mut tx).await?;
    let mut there: Vec<WorkflowTagId> = tree.below(parent).map(|tag| tag.id).collect();
    let mut asked = ids.to_vec();
    there.sort_unstable();
    asked.sort_unstable();
    if there != asked {
        return Err(Error::invalid("ids", "must name each tag of this parent once"));
    }
    store::editing::place(&mut tx, ids).await?;
    let target = parent.map_or(uuid::Uuid::nil(), |parent| parent.0);
    let act = Act::new(Action::TagOrder, target).after(json!({ "ids": ids }));
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Merges the tag `from` into `into`: all uses and children of `from` move to `into`, and `from` is deleted.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`];
/// [`Error::Invalid`] where both are the same, or `into` is below `from`; `TAG_HAS_CHILDREN` where `from` has children
/// and `into` is no root; `TAG_NAME_TAKEN` where both have a child of one name.
pub async fn merge_tags(core: &Core, caller: &Caller, from: WorkflowTagId, into: WorkflowTagId) -> Result<Tag> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let tree = Tree::locked(&mut tx).await?;
    let gone = tree.find(from)?;
    let target = tree.find(into).map_err(|_| Error::invalid("into", "is not there"))?.clone();
    if from == into || target.parent == Some(from) {
        return Err(Error::invalid("into", "must be another tag, and none below it"));
    }
    if target.parent.is_some() {
        tree.must_be_childless(from)?;
    }
    for child in tree.below(Some(from)) {
        tree.must_be_usable(None, Some(into), &child.name)?;
    }
    store::editing::forget_words(&mut tx, from).await?;
    store::editing::adopt(&mut tx, from, into).await?;
    store::editing::hand_over(&mut tx, from, into).await?;
    store::editing::imply_again(&mut tx, into).await?;
    store::editing::delete(&mut tx, from).await?;
    let act = Act::new(Action::TagMerge, from).before(audit_fields(gone)).after(json!({ "into": into }));
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(target)
}

/// Deletes an unused tag.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`];
/// `TAG_HAS_CHILDREN`; `TAG_IN_USE` with the number of workflows, for a tag that can only be merged.
pub async fn delete_tag(core: &Core, caller: &Caller, id: WorkflowTagId) -> Result<()> {
    match delete_tags(core, caller, &[id]).await? {
        0 => Err(Error::NotFound { what: "workflow tag" }),
        _ => Ok(()),
    }
}

/// Deletes unused tags, all of them or none, and returns their number. Missing ones are skipped.
///
/// # Errors
/// As [`delete_tag`].
pub async fn delete_tags(core: &Core, caller: &Caller, ids: &[WorkflowTagId]) -> Result<u64> {
    caller.must_be_admin()?.read_only();
    must_be_few(ids)?;
    let mut tx = database::begin(&core.db).await?;
    let mut deleted = 0;
    for id in ids {
        let tree = Tree::locked(&mut tx).await?;
        let Ok(gone) = tree.find(*id) else { continue };
        tree.must_be_childless(*id)?;
        let workflows = store::editing::users_of(&mut tx, *id).await?;
        if workflows > 0 {
            let message = format!("{workflows} workflows have this tag; merge it into another one");
            return Err(Error::Refused { code: Code::TagInUse, message, details: json!({ "workflows": workflows }) });
        }
        store::editing::forget_deleted(&mut tx, *id).await?;
        store::editing::delete(&mut tx, *id).await?;
        let act = Act::new(Action::TagDelete, *id).before(audit_fields(gone));
        audit::record(&mut tx, caller.must_be_admin()?, act, core.clock.now()).await?;
        deleted += 1;
    }
    tx.commit().await?;
    Ok(deleted)
}

/// All tags, locked against other changes until the transaction ends.
struct Tree(Vec<Tag>);

impl Tree {
    async fn locked(tx: &mut PgConnection) -> Result<Self> {
        Ok(Self(store::editing::lock(tx).await?))
    }

    fn find(&self, id: WorkflowTagId) -> Result<&Tag> {
        self.0.iter().find(|tag| tag.id == id).ok_or(Error::NotFound { what: "tag" })
    }

    fn below(&self, parent: Option<WorkflowTagId>) -> impl Iterator<Item = &Tag> {
        self.0.iter().filter(move |tag| tag.parent == parent)
    }

    fn must_be_root(&self, id: WorkflowTagId) -> Result<()> {
        match self.find(id) {
            Ok(tag) if tag.parent.is_none() => Ok(()),
            _ => Err(Error::invalid("parentTag", "must be a tag without a parent")),
        }
    }

    fn must_be_childless(&self, id: WorkflowTagId) -> Result<()> {
        let children = self.below(Some(id)).count();
        if children == 0 {
            return Ok(());
        }
        let message = format!("{children} tags stand below this one");
        Err(Error::Refused { code: Code::TagHasChildren, message, details: json!({ "children": children }) })
    }

    /// Checks that no other tag of this parent has the name, ignoring case.
    fn must_be_usable(&self, own: Option<WorkflowTagId>, parent: Option<WorkflowTagId>, name: &str) -> Result<()> {
        let taken = self.below(parent).any(|tag| Some(tag.id) != own && tag.name.to_lowercase() == name.to_lowercase());
        match taken {
            true => {
                let message = format!("there is a tag called {name} at this place already");
                Err(Error::conflict(Code::TagNameTaken, message))
            }
            false => Ok(()),
        }
    }
}

/// The fields of a tag that the audit log keeps.
fn audit_fields(tag: &Tag) -> serde_json::Value {
    json!({ "name": tag.name, "nameKo": tag.name_ko, "parentTag": tag.parent })
}

fn checked(field: &str, name: &str) -> Result<String> {
    let name = names::trimmed(name, 1..=MAX_TAG_CHARS).filter(|name| !name.chars().any(names::is_hidden));
    name.ok_or_else(|| Error::invalid(field, format!("must have 1 to {MAX_TAG_CHARS} characters")))
}
