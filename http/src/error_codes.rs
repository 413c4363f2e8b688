//! What each error code means for a client: its statuses, where the cause is, whether the same call may succeed later,
//! what `details` has, and what to do next. `docs/errors.md` is drawn from this table.

use verdigraph_core::{Code, Fault};

/// The facts of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeFacts {
    pub statuses: &'static [u16],
    pub fault: Fault,
    /// Whether the same call may succeed later without a change.
    pub may_retry: bool,
    /// What `details` has; empty for nothing.
    pub details: &'static str,
    pub next: &'static str,
}

/// One row for each code; a missing one does not compile. `later` marks codes whose call may be repeated unchanged.
macro_rules! table {
    ($($code:ident [$($status:literal),+] $fault:ident $again:ident $details:literal $next:literal)+) => {
        /// The facts of a code.
        #[must_use]
        pub fn facts(code: Code) -> CodeFacts {
            match code {
                $(Code::$code => CodeFacts {
                    statuses: &[$($status),+],
                    fault: Fault::$fault,
                    may_retry: table!(@ $again),
                    details: $details,
                    next: $next,
                },)+
            }
        }
    };
    (@ later) => { true };
    (@ never) => { false };
}

table! {
    // Any request.
    BadRequest [400, 409] Request never "" "Correct the request; the message says what is wrong."
    ValidationFailed [400] Request never "`[{field, message}]`" "Correct each named field: the message states its rule."
    Forbidden [403] Account never "" "Use an account that may do this, usually the owner's."
    NotFound [404] Request never "" "Check the id. What you may not see is not found either."
    RateLimited [429] Account later "`retryAfterSeconds`" "Wait for `Retry-After`, then send the same request."
    Unavailable [503] Server later "`retryAfterSeconds`" "Wait for `Retry-After`, then send the same request. Nothing was accepted."
    Internal [500] Server later "" "Send the same request with its `Idempotency-Key`; tell the operators the `requestId` if it fails again."

    // The HTTP layer, before a handler runs.
    MethodNotAllowed [405] Request never "" "Use a method that the API description lists for this address."
    NotAcceptable [406] Request never "" "Accept `identity` or `gzip` as encoding."
    RequestTimeout [408] Request later "" "Send the body faster, or in smaller parts."
    BodyTooLarge [413] Request never "" "Send a smaller body; upload files instead of embedding them."
    UnsupportedMediaType [415] Request never "" "Send the content type that the API description names."
    RangeNotSatisfiable [416] Request never "" "Ask for a range inside the file."
    XsrfMismatch [403] Request never "" "Repeat the cookie XSRF-TOKEN in the header X-XSRF-TOKEN, or use an API key."

    // Authentication.
    AuthLoginRequired [401] Account never "" "Send an API key or sign in."
    AuthWrongCredentials [401] Account never "" "Check address and password."
    AuthAlreadyEmail [409] Account never "" "Sign in, or reset the password."
    AuthLinkedGoogle [409] Account never "" "Sign in with Google."
    AuthLinkedDiscord [409] Account never "" "Sign in with Discord."
    AuthTermsRequired [400] Request never "" "Accept the terms and the privacy policy."
    AuthDisabled [403] Account never "" "Ask the operators; the account is disabled."
    AuthEmailUnverified [422] Account never "" "Confirm the e-mail address first."
    AuthLinkInvalid [422] Request never "" "Ask for a new link."
    AuthCodeWrong [422] Request never "" "Enter the code of the latest mail."
    AuthCodeExpired [422] Request never "" "Ask for a new code."
    AuthSocialExpired [422] Request never "" "Start the sign-in again."
    AuthSocialRefused [422] Account never "" "Start the sign-in again and allow access."
    AuthSocialEmail [422] Account never "" "Use an account with a confirmed e-mail address."
    AuthIdentityExists [409] Account never "" "Disconnect the connected account of this kind first."
    AuthIdentityTaken [409] Account never "" "Disconnect it from the other user first."
    AuthLastWay [422] Account never "" "Set a password first."
    SessionRequired [403] Account never "" "Do this in the browser; an API key may not."
    ApiKeyInvalid [401] Account never "" "Create a new API key; this one is wrong or revoked."
    ApiKeyLimit [409] Account never "" "Revoke an API key first."
    AccountBanned [403] Account never "`until`, `reason`" "Wait for the end of the ban, or ask the operators."
    StealthModeRequired [403] Account never "" "Change to a plan with Stealth Mode."
    TooManyBlocks [409] Account never "" "Unblock a user first."
    UnsubscribeLinkInvalid [422] Request never "" "Change the mail settings in the account."

    // Credits and space.
    OutOfCredits [402] Account never "`needed`, `available`" "Buy credits, wait for running jobs to end, or lower `maxCredits`."
    CreditLimit [422] Account never "`limit`" "Give fewer credits."
    CreditCeiling [422] Account never "`needed`, `maxCredits`; or `dayCeiling`, `spent`, `held`" "Raise `maxCredits` or the account's ceilings, or wait for the next day."
    HoldEnded [409] Request never "" "Read the job: its credits are settled."
    CreditsUsed [422] Account never "`available`" "Take back no more than what is left."
    StorageFull [413, 422] Account never "`usedBytes`, `limitBytes` for uploads" "Delete files, or change to a plan with more space."

    // Coupons.
    CouponUnknown [404] Request never "" "Compare the code with the text that you received."
    CouponNotStarted [409] Request later "`startsAt`" "Redeem the coupon from its start."
    CouponEnded [409] Request never "" "Ask for a new coupon."
    CouponUsed [409] Account never "" "Nothing: you have what it gives."
    CouponUsedUp [409] Request never "" "Ask for a new coupon: all uses of this one are taken."
    CouponPlanNotNow [409] Account later "`plan`, `until`" "Redeem the coupon after the current plan."
    CouponCodeTaken [409] Request never "" "Choose another code."
    CouponForPurchases [409] Request never "" "Send the code with an order."
    CouponNotForPurchases [409] Request never "" "Redeem the code in the account."

    // The shop.
    TermsNotAgreed [422] Request never "" "Agree to the terms with `isAgreed`."
    BuyingNotSetUp [409] Server never "" "Choose another country, or ask the operators."
    OrderNotCancelable [409] Request never "" "Read the order: it has ended, or its payment is under way."
    OrderNotRefundable [409] Request never "`why`" "Read the reason in `why`."
    PlanIsOffered [409] Request never "" "Deactivate the other item with this plan first."
    NoPaymentMethod [409] Account never "" "Save a card first."
    SubscriptionExists [409] Account never "" "Change the plan of the subscription."
    SubscriptionNotChangeable [409] Account never "" "Read the subscription: a payment is under way or failed, or it was canceled."
    SubscriptionAtPayPal [409] Account never "" "Cancel the subscription, and subscribe again when its period ends."
    PlanNotBetter [409] Account never "" "Choose a higher plan."
    PriceChanged [409] Request never "`amount`, `currency`" "Confirm the new `amount`."
    PaymentMethodNotReady [409] Request later "" "Finish the provider's window, then complete it again."
    DefaultPaymentMethod [409] Account never "" "Make another card the default first."
    CardRefused [409] Account never "`reason`" "Check the card, or use another one."
    TestPaymentAnswered [409] Request never "" "Start a new test payment."

    // Files.
    FileEmpty [415] Request never "" "Send a file with content."
    FileTruncated [415] Request never "" "Send the whole file."
    FileTooLarge [413] Request never "`limitBytes`" "Send a smaller file."
    FileTooLong [413] Request never "`limitSeconds`" "Send a shorter film or sound."
    FileFormatUnsupported [415] Request never "`format`, `taken`" "Convert the file to a format of `taken`."
    FileSidesUnsupported [415] Request never "`reason`" "Scale the picture."
    FileNotAnImage [415] Request never "" "Send a picture that opens elsewhere."
    FileNotMedia [415] Request never "" "Send a film or a sound that plays elsewhere."
    FileNotText [415] Request never "" "Save the text as UTF-8."
    FileMediaUnavailable [415] Server never "" "Send pictures and texts only, or ask the operators to install ffmpeg."
    AssetInUse [409] Request never "" "Remove the file from the named place first."
    BlobNotFound [404] Request never "" "Send the bytes; none of your files has this hash."
    UrlImportNotSupported [422] Request never "" "Send the bytes instead of an address."

    // Jobs and the graphs of mini apps.
    InvalidPrompt [422] Graph never "ComfyUI's `error` and `node_errors`" "Correct the named nodes and inputs, or request the missing node or model."
    DeadlineNotPossible [422] Request never "`deadline`, `earliest`" "Choose a deadline that is not before `earliest`, or none."
    IdempotencyMismatch [422] Request never "" "Use a new `Idempotency-Key` for another request."
    IdempotencyInFlight [409] Request later "" "Send the same request again in a moment."
    WebhookLimit [422] Account never "" "Delete a webhook first."
    WebhookUrlRefused [422] Request never "" "Use a public address that the message describes."
    WebhookDisabled [422] Request never "" "Enable the webhook first."
    WebhookAttempts [422] Request never "" "Read the event from the event feed: its attempts are used up."
    EventsForgotten [422] Request never "" "Start again with `after=oldest`."
    EventsCursorAhead [422] Server never "" "Start again with `after=oldest`."
    BatchCanceled [409] Request never "" "Send the items as a new batch."
    GrantReasonUsed [409] Request never "" "Choose another reason."
    AgentTokenInvalid [401] Account never "" "Create a new agent token."
    UpgradeRequired [426] Request never "" "Open a WebSocket at this address."
    WorkerAddressCredentials [422] Request never "" "Remove user name and password from the address."
    WorkerAddressTaken [422] Request never "" "Use another address, or remove the other worker."
    WorkflowApiNoPrompt [422] Graph never "" "Save the workflow with its prompt, from the editor."
    WorkflowApiNoInput [422] Request never "" "Choose at least one input."
    WorkflowApiNoOutput [422] Request never "" "Choose at least one output."
    WorkflowApiUnhealthy [422] Graph never "the problems" "Choose inputs and outputs that the current graph has."
    ShareUserUnknown [404] Request never "" "Use the e-mail address of an account."
    ShareWithYourself [409] Request never "" "Share with another account."
    SharedAlready [409] Request never "" "Nothing: the app is shared with this account."
    ShareLimit [422] Account never "" "Revoke a share first."

    // The editor.
    DraftChanged [409] Request never "" "Read the draft, then write with its `revision`."
    WorkflowChanged [409] Request never "" "Read the workflow, then change its latest version."

    // The community.
    GalleryPaused [422] Server later "the reason as `en` and `ko`" "Publish when the operators have ended the pause."
    NotPublishable [422] Request never "`ids`" "Leave out the named outputs."
    LikeOwn [422] Request never "" "Like what others made."
    LikePrivate [422] Request never "" "Like published content only."
    VideoExists [409] Request never "" "Change the video that is listed."
    VideoUnavailable [422] Request never "" "Use a video that is public at its provider."
    TagNameTaken [409] Request never "" "Choose another name."
    TagTooMany [422] Request never "" "Delete a tag first."
    TagInUse [422] Request never "" "Remove the tag from all workflows first."
    TagHasChildren [422] Request never "" "Delete the tags below it first."

    // Moderation.
    ReportOwn [422] Request never "" "Delete or change your own post instead."
    PostLocked [409] Account never "" "Wait for the moderators' decision."
    ModerationLocked [409] Account never "" "Use another file or workflow; moderators have hidden this one."
    CommentHidden [409] Account never "" "Leave the comment; a moderator has hidden it."
    CaseChanged [409] Request never "" "Read the case, then decide again."
    CaseState [409] Request never "" "Choose a verdict that the state of the case allows."
    CaseThingGone [409] Request never "" "Nothing: the author has deleted the post."
    NotBanned [409] Request never "" "Nothing: the user is not banned."
    BanAdmin [409] Request never "" "Take the role from the admin first."
    RoleOwn [409] Request never "" "Let another admin change your role."
    LastAdmin [409] Request never "" "Make another user an admin first."
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::{Path, PathBuf};

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn drawing() -> String {
        let mut rows =
            String::from("\n| Code | Status | Fault | Again | Details | Next |\n|---|---|---|---|---|---|\n");
        for code in Code::ALL {
            let CodeFacts { statuses, fault, may_retry, details, next } = facts(code);
            let statuses = statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
            let again = if may_retry { "later" } else { "" };
            let (code, fault) = (code.name(), fault.name());
            writeln!(rows, "| `{code}` | {statuses} | {fault} | {again} | {details} | {next} |").expect("a string");
        }
        rows.push('\n');
        rows
    }

    #[test]
    fn documented_table_of_codes_is_current() {
        const MARKS: [&str; 2] = ["<!-- codes -->\n", "<!-- /codes -->"];
        let path = root().join("docs/errors.md");
        let text = std::fs::read_to_string(&path).expect("a page about errors");
        let (before, rest) = text.split_once(MARKS[0]).expect("the beginning of the table");
        let (drawn, after) = rest.split_once(MARKS[1]).expect("the end of the table");
        let drawing = drawing();
        if std::env::var_os("VERDIGRAPH_DRAW").is_some() {
            std::fs::write(&path, [before, MARKS[0], &drawing, MARKS[1], after].concat()).expect("a page");
            return;
        }
        assert!(drawn == drawing, "the codes have changed: draw them again as docs/errors.md says\n{drawing}");
    }

    #[test]
    fn repeatable_code_is_no_fault_of_the_graph() {
        for code in Code::ALL {
            let CodeFacts { statuses, fault, may_retry, next, .. } = facts(code);
            assert!(!(may_retry && fault == Fault::Graph), "{code:?}");
            assert!(next.ends_with('.') && !next.contains('|'), "{code:?}: {next}");
            for status in statuses.iter().copied() {
                assert!((400..600).contains(&status), "{code:?}: {status}");
                // Clients repeat these by themselves.
                assert!(!matches!(status, 429 | 503) || may_retry, "{code:?}: {status}");
                assert!(status < 500 || fault == Fault::Server, "{code:?}: {status}");
            }
        }
    }

    /// The sources below a folder, without tests.
    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }

    #[test]
    fn code_of_a_constructor_has_its_status() {
        let mut found = Vec::new();
        sources(&root().join("core/src"), &mut found);
        let mut seen = 0;
        for text in &found {
            for (call, status) in [("Error::conflict(", 409), ("Error::refused(", 422)] {
                for (at, _) in text.match_indices(call) {
                    let rest = text[at + call.len()..].trim_start();
                    let Some(rest) = rest.strip_prefix("Code::") else { continue };
                    let name = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
                    let code = Code::ALL.into_iter().find(|code| format!("{code:?}") == name).expect("a code");
                    assert!(facts(code).statuses.contains(&status), "{name} is also answered with {status}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 40, "only {seen} constructors were found");
    }
}
