//! Error codes: one closed list, used by the API description and by clients.

use crate::word_list::word_list;

word_list! {
    /// The code of a refused request. A code is never renamed and has one meaning everywhere.
    pub enum Code for "code" {
        // Any request.
        BadRequest => "BAD_REQUEST",
        ValidationFailed => "VALIDATION_FAILED",
        Forbidden => "FORBIDDEN",
        NotFound => "NOT_FOUND",
        RateLimited => "RATE_LIMITED",
        Unavailable => "UNAVAILABLE",
        Internal => "INTERNAL",

        // The HTTP layer, before a handler runs.
        MethodNotAllowed => "METHOD_NOT_ALLOWED",
        NotAcceptable => "NOT_ACCEPTABLE",
        RequestTimeout => "REQUEST_TIMEOUT",
        BodyTooLarge => "BODY_TOO_LARGE",
        UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
        RangeNotSatisfiable => "RANGE_NOT_SATISFIABLE",
        XsrfMismatch => "XSRF_MISMATCH",

        // Authentication.
        AuthLoginRequired => "AUTH_LOGIN_REQUIRED",
        AuthWrongCredentials => "AUTH_WRONG_CREDENTIALS",
        AuthAlreadyEmail => "AUTH_ALREADY_EMAIL",
        AuthLinkedGoogle => "AUTH_LINKED_GOOGLE",
        AuthLinkedDiscord => "AUTH_LINKED_DISCORD",
        AuthTermsRequired => "AUTH_TERMS_REQUIRED",
        AuthDisabled => "AUTH_DISABLED",
        AuthEmailUnverified => "AUTH_EMAIL_UNVERIFIED",
        AuthLinkInvalid => "AUTH_LINK_INVALID",
        AuthCodeWrong => "AUTH_CODE_WRONG",
        AuthCodeExpired => "AUTH_CODE_EXPIRED",
        AuthSocialExpired => "AUTH_SOCIAL_EXPIRED",
        AuthSocialRefused => "AUTH_SOCIAL_REFUSED",
        AuthSocialEmail => "AUTH_SOCIAL_EMAIL",
        AuthIdentityExists => "AUTH_IDENTITY_EXISTS",
        AuthIdentityTaken => "AUTH_IDENTITY_TAKEN",
        AuthLastWay => "AUTH_LAST_WAY",
        SessionRequired => "SESSION_REQUIRED",
        ApiKeyInvalid => "API_KEY_INVALID",
        ApiKeyLimit => "API_KEY_LIMIT",
        AccountBanned => "ACCOUNT_BANNED",
        StealthModeRequired => "STEALTH_MODE_REQUIRED",
        TooManyBlocks => "TOO_MANY_BLOCKS",
        UnsubscribeLinkInvalid => "UNSUBSCRIBE_LINK_INVALID",

        // Credits and space.
        OutOfCredits => "OUT_OF_CREDITS",
        CreditLimit => "CREDIT_LIMIT",
        CreditCeiling => "CREDIT_CEILING",
        HoldEnded => "HOLD_ENDED",
        CreditsUsed => "CREDITS_USED",
        StorageFull => "STORAGE_FULL",

        // Coupons.
        CouponUnknown => "COUPON_UNKNOWN",
        CouponNotStarted => "COUPON_NOT_STARTED",
        CouponEnded => "COUPON_ENDED",
        CouponUsed => "COUPON_USED",
        CouponUsedUp => "COUPON_USED_UP",
        CouponPlanNotNow => "COUPON_PLAN_NOT_NOW",
        CouponCodeTaken => "COUPON_CODE_TAKEN",
        CouponForPurchases => "COUPON_FOR_PURCHASES",
        CouponNotForPurchases => "COUPON_NOT_FOR_PURCHASES",

        // The shop.
        TermsNotAgreed => "TERMS_NOT_AGREED",
        BuyingNotSetUp => "BUYING_NOT_SET_UP",
        OrderNotCancelable => "ORDER_NOT_CANCELABLE",
        OrderNotRefundable => "ORDER_NOT_REFUNDABLE",
        PlanIsOffered => "PLAN_IS_OFFERED",
        NoPaymentMethod => "NO_PAYMENT_METHOD",
        SubscriptionExists => "SUBSCRIPTION_EXISTS",
        SubscriptionNotChangeable => "SUBSCRIPTION_NOT_CHANGEABLE",
        PlanNotBetter => "PLAN_NOT_BETTER",
        PriceChanged => "PRICE_CHANGED",
        PaymentMethodNotReady => "PAYMENT_METHOD_NOT_READY",
        DefaultPaymentMethod => "DEFAULT_PAYMENT_METHOD",
        CardRefused => "CARD_REFUSED",
        TestPaymentAnswered => "TEST_PAYMENT_ANSWERED",

        // Files.
        FileEmpty => "FILE_EMPTY",
        FileTruncated => "FILE_TRUNCATED",
        FileTooLarge => "FILE_TOO_LARGE",
        FileTooLong => "FILE_TOO_LONG",
        FileFormatUnsupported => "FILE_FORMAT_UNSUPPORTED",
        FileSidesUnsupported => "FILE_SIDES_UNSUPPORTED",
        FileNotAnImage => "FILE_NOT_AN_IMAGE",
        FileNotMedia => "FILE_NOT_MEDIA",
        FileNotText => "FILE_NOT_TEXT",
        FileMediaUnavailable => "FILE_MEDIA_UNAVAILABLE",
        AssetInUse => "ASSET_IN_USE",

        // Jobs and the graphs of mini apps.
        InvalidPrompt => "INVALID_PROMPT",
        IdempotencyMismatch => "IDEMPOTENCY_MISMATCH",
        IdempotencyInFlight => "IDEMPOTENCY_IN_FLIGHT",
        WebhookLimit => "WEBHOOK_LIMIT",
        WebhookUrlRefused => "WEBHOOK_URL_REFUSED",
        WebhookDisabled => "WEBHOOK_DISABLED",
        WebhookAttempts => "WEBHOOK_ATTEMPTS",
        EventsForgotten => "EVENTS_FORGOTTEN",
        EventsCursorAhead => "EVENTS_CURSOR_AHEAD",
        BatchCanceled => "BATCH_CANCELED",
        GrantReasonUsed => "GRANT_REASON_USED",
        AgentTokenInvalid => "AGENT_TOKEN_INVALID",
        UpgradeRequired => "UPGRADE_REQUIRED",
        WorkerAddressCredentials => "WORKER_ADDRESS_CREDENTIALS",
        WorkerAddressTaken => "WORKER_ADDRESS_TAKEN",
        WorkflowApiNoPrompt => "WORKFLOW_API_NO_PROMPT",
        WorkflowApiNoInput => "WORKFLOW_API_NO_INPUT",
        WorkflowApiNoOutput => "WORKFLOW_API_NO_OUTPUT",
        WorkflowApiUnhealthy => "WORKFLOW_API_UNHEALTHY",
        ShareUserUnknown => "SHARE_USER_UNKNOWN",
        ShareWithYourself => "SHARE_WITH_YOURSELF",
        SharedAlready => "SHARED_ALREADY",
        ShareLimit => "SHARE_LIMIT",

        // The editor.
        DraftChanged => "DRAFT_CHANGED",
        WorkflowChanged => "WORKFLOW_CHANGED",

        // The community.
        GalleryPaused => "GALLERY_PAUSED",
        NotPublishable => "NOT_PUBLISHABLE",
        LikeOwn => "LIKE_OWN",
        LikePrivate => "LIKE_PRIVATE",
        VideoExists => "VIDEO_EXISTS",
        VideoUnavailable => "VIDEO_UNAVAILABLE",
        TagNameTaken => "TAG_NAME_TAKEN",
        TagTooMany => "TAG_TOO_MANY",
        TagInUse => "TAG_IN_USE",
        TagHasChildren => "TAG_HAS_CHILDREN",

        // Moderation.
        ReportOwn => "REPORT_OWN",
        PostLocked => "POST_LOCKED",
        ModerationLocked => "MODERATION_LOCKED",
        CommentHidden => "COMMENT_HIDDEN",
        CaseChanged => "CASE_CHANGED",
        CaseState => "CASE_STATE",
        CaseThingGone => "CASE_THING_GONE",
        NotBanned => "NOT_BANNED",
        BanAdmin => "BAN_ADMIN",
        RoleOwn => "ROLE_OWN",
        LastAdmin => "LAST_ADMIN",
    }
}
