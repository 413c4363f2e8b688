//! What admins do, by name.

use crate::word_list::word_list;

word_list! {
    /// Something that an admin does. Its name is `noun.verb`; the noun says what the target is.
    pub enum Action for "action" {
        /// A workflow was edited, published, hidden, marked or put among the basic ones.
        WorkflowUpdate => "workflow.update",
        WorkflowDelete => "workflow.delete",
        MiniAppSave => "mini-app.save",
        MiniAppDelete => "mini-app.delete",
        /// A mini app was shared with somebody.
        MiniAppShare => "mini-app.share",
        MiniAppUnshare => "mini-app.unshare",
        /// An output was published, hidden or marked.
        OutputAssetUpdate => "picture.update",
        OutputAssetDelete => "picture.delete",
        /// An upload was made private or public.
        UploadUpdate => "upload.update",
        CommentDelete => "comment.delete",
        /// Reports of a thing were looked at, and it stays.
        CaseKeep => "case.keep",
        /// What was reported is hidden, and stays so.
        CaseHide => "case.hide",
        CaseDelete => "case.delete",
        /// What was hidden is no longer held back.
        CaseRestore => "case.restore",
        UserWarn => "user.warn",
        UserBan => "user.ban",
        UserUnban => "user.unban",
        /// Somebody became an admin, or is none any more.
        UserRole => "user.role",
        /// An operator's word that an address is its owner's.
        UserConfirm => "user.confirm",
        CreditGrant => "credit.grant",
        NoticePublish => "notice.publish",
        NoticeDelete => "notice.delete",
        JobCancel => "job.cancel",
        BatchCancel => "batch.cancel",
        VideoAdd => "video.add",
        VideoUpdate => "video.update",
        /// YouTube was asked again.
        VideoRefresh => "video.refresh",
        VideoRemove => "video.remove",
        TagCreate => "tag.create",
        TagUpdate => "tag.update",
        /// The tags of one parent were put in order; the target is that parent, or nil for the roots.
        TagOrder => "tag.order",
        /// Whoever had it has another one since.
        TagMerge => "tag.merge",
        TagDelete => "tag.delete",
        /// The basic workflows were put in order; the target is the first of them.
        BasicsOrder => "basics.order",
        WorkerAdd => "worker.add",
        /// A worker was drained, paused, resumed or removed.
        WorkerChange => "worker.change",
        AgentTokenCreate => "agent-token.create",
        AgentTokenRevoke => "agent-token.revoke",
        /// Agents whose workers were removed are let in again.
        AgentTokenAllow => "agent-token.allow",
        /// A task of the upkeep was begun out of turn; the target is nil.
        UpkeepRun => "upkeep.run",
    }
}
