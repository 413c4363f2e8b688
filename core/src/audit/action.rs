use crate::word_list::word_list;

word_list! {
    /// An action of an admin. Its name is `noun.verb`; the noun tells the type of the target.
    pub enum Action for "action" {
        /// A workflow was edited, published, hidden, marked or made a basic one.
        WorkflowUpdate => "workflow.update",
        WorkflowDelete => "workflow.delete",
        MiniAppSave => "mini-app.save",
        MiniAppDelete => "mini-app.delete",
        /// An admin said what model a file is.
        GeneratorModel => "generator.model",
        /// An admin bound a mini app to the address of a simple app, or took it away.
        SimpleAppBind => "simple-app.bind",
        MiniAppShare => "mini-app.share",
        MiniAppUnshare => "mini-app.unshare",
        /// An output was published, hidden or marked.
        OutputAssetUpdate => "picture.update",
        OutputAssetDelete => "picture.delete",
        /// An upload was made private or public.
        UploadUpdate => "upload.update",
        CommentDelete => "comment.delete",
        /// The reported target stays.
        CaseKeep => "case.keep",
        /// The reported target was hidden.
        CaseHide => "case.hide",
        CaseDelete => "case.delete",
        /// The target is no longer hidden.
        CaseRestore => "case.restore",
        UserWarn => "user.warn",
        UserBan => "user.ban",
        UserUnban => "user.unban",
        /// A user got or lost the admin role.
        UserRole => "user.role",
        /// A user was given a plan, for a time or without an end.
        UserPlan => "user.plan",
        /// An operator confirmed a user's address.
        UserConfirm => "user.confirm",
        CreditGrant => "credit.grant",
        /// Credits of a grant were taken back.
        CreditDebit => "credit.debit",
        CouponCreate => "coupon.create",
        /// A coupon was renamed, switched on or off, or got other limits.
        CouponChange => "coupon.change",
        PromotionCreate => "promotion.create",
        /// A promotion was switched on or off, or got another name, other dates or another content.
        PromotionChange => "promotion.change",
        ShopItemCreate => "item.create",
        /// An item of the shop was renamed, switched on or off, or got other credits or prices.
        ShopItemChange => "item.change",
        /// Money of an order was given back, and credits were taken back.
        OrderRefund => "order.refund",
        /// A subscription was ended at once.
        SubscriptionEnd => "subscription.end",
        NoticePublish => "notice.publish",
        NoticeDelete => "notice.delete",
        JobCancel => "job.cancel",
        BatchCancel => "batch.cancel",
        VideoAdd => "video.add",
        VideoUpdate => "video.update",
        /// YouTube's data was reloaded.
        VideoRefresh => "video.refresh",
        VideoRemove => "video.remove",
        TagCreate => "tag.create",
        TagUpdate => "tag.update",
        /// The tags of one parent were reordered; the target is that parent, or nil for the roots.
        TagOrder => "tag.order",
        /// Workflows of this tag got another one.
        TagMerge => "tag.merge",
        TagDelete => "tag.delete",
        /// The basic workflows were reordered; the target is the first one.
        BasicsOrder => "basics.order",
        WorkerAdd => "worker.add",
        /// A worker was drained, paused, resumed or removed.
        WorkerChange => "worker.change",
        AgentTokenCreate => "agent-token.create",
        AgentTokenRevoke => "agent-token.revoke",
        /// Agents of removed workers may connect again.
        AgentTokenAllow => "agent-token.allow",
        /// The requests of users for a node class or a model were deleted; the target is the first one.
        RequirementRequestClose => "requirement-request.close",
        /// An upkeep task was started manually; the target is nil.
        UpkeepRun => "upkeep.run",
    }
}
