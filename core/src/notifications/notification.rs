use chrono::{DateTime, Utc};

use crate::ids::{CommentId, NotificationId, OutputAssetId, UserId, WorkflowId};
use crate::language::Language;
use crate::word_list::word_list;

/// Maximum length of a comment's quote.
pub(super) const CONTENT_CHARS: usize = 200;

word_list! {
    #[derive(PartialOrd, Ord)]
    #[repr(i16)]
    pub enum NotificationKind for "type" {
        Comment = 1 => "COMMENT",
        Like = 2 => "LIKE",
        Notice = 3 => "NOTICE",
        Requests = 4 => "REQUESTS",
        Others = 5 => "OTHERS",
    } else Others
}

word_list! {
    /// What a milestone counts.
    #[repr(i16)]
    pub enum MilestoneMetric for "othersType" {
        View = 1 => "VIEW",
        Like = 2 => "LIKE",
        Launch = 3 => "LAUNCH",
    }
}

impl MilestoneMetric {
    pub(super) fn from_number(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|others| *others as i16 == number)
    }

    /// The highest milestone between two counts: 10, 100, 1,000 and so on.
    #[must_use]
    pub fn milestone(before: i64, after: i64) -> Option<i64> {
        let mut milestones = std::iter::successors(Some(10_i64), |milestone| milestone.checked_mul(10));
        let passed = milestones.by_ref().take_while(|milestone| *milestone <= after).last()?;
        (before < passed).then_some(passed)
    }
}

/// The post that a notification is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationSubject {
    /// With its current name.
    Workflow(WorkflowId, String),
    OutputAsset(OutputAssetId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationText {
    pub title: String,
    pub content: String,
}

/// A text in both languages; a box shows the one of its owner's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BilingualText {
    pub en: NotificationText,
    pub ko: NotificationText,
}

impl BilingualText {
    /// Builds the text from the title and content that `words` returns for each language.
    pub fn new(words: impl Fn(Language) -> (String, String)) -> Self {
        let said = |language| {
            let (title, content) = words(language);
            NotificationText { title, content }
        };
        Self { en: said(Language::En), ko: said(Language::Ko) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewNotification {
    /// A comment on a post, or an answer to a comment.
    Comment { about: NotificationSubject, comment: CommentId, text: String, is_answer: bool },
    /// A like of a post. Repeated likes by the same user are not repeated here.
    Like { about: NotificationSubject },
    /// A post has reached a count for the first time.
    Milestone { about: NotificationSubject, what: MilestoneMetric, count: i64 },
    /// A notice of the platform to one user. The content is HTML; a `dedup_key` is used once.
    Notice { text: BilingualText, count: i64, dedup_key: String },
    /// A notice about which the user also gets a mail of its own. The content is HTML.
    MailedNotice { text: BilingualText, dedup_key: String },
    /// A notice of the operators to one user. The content is text.
    OperatorNotice { text: BilingualText, about: Option<NotificationSubject> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    pub id: NotificationId,
    pub kind: NotificationKind,
    /// The user who caused it.
    pub actor: Option<UserId>,
    pub workflow: Option<WorkflowId>,
    pub output_asset: Option<OutputAssetId>,
    pub comment: Option<CommentId>,
    /// The workflow's name at the time, or a notice's title.
    pub title: Option<String>,
    pub count: Option<i64>,
    pub is_answer: bool,
    /// Text; sanitised HTML for a notice.
    pub content: Option<String>,
    pub others: Option<MilestoneMetric>,
    pub created_at: DateTime<Utc>,
    pub checked_at: Option<DateTime<Utc>>,
}

impl Notification {
    /// The actor to show: notices come from the platform, so their author is hidden.
    #[must_use]
    pub fn named_actor(&self) -> Option<UserId> {
        self.actor.filter(|_| self.kind != NotificationKind::Notice)
    }
}
