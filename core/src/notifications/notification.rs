//! A notification, and what it is told of.

use chrono::{DateTime, Utc};

use crate::ids::{CommentId, NotificationId, OutputAssetId, UserId, WorkflowId};
use crate::language::Language;
use crate::word_list::word_list;

/// Characters of what somebody wrote that a notification repeats.
pub(super) const CONTENT_CHARS: usize = 200;

word_list! {
    /// What a notification is about.
    #[derive(PartialOrd, Ord)]
    #[repr(i16)]
    pub enum Kind for "type" {
        Comment = 1 => "COMMENT",
        Like = 2 => "LIKE",
        Notice = 3 => "NOTICE",
        Requests = 4 => "REQUESTS",
        Others = 5 => "OTHERS",
    } else Others
}

word_list! {
    /// What a count was reached of.
    #[repr(i16)]
    pub enum Others for "othersType" {
        View = 1 => "VIEW",
        Like = 2 => "LIKE",
        Launch = 3 => "LAUNCH",
    }
}

impl Others {
    pub(super) fn from_number(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|others| *others as i16 == number)
    }

    /// The milestone that lies between two counts, the highest one: 10, 100, 1,000 and so on.
    #[must_use]
    pub fn milestone(before: i64, after: i64) -> Option<i64> {
        let mut milestones = std::iter::successors(Some(10_i64), |milestone| milestone.checked_mul(10));
        let passed = milestones.by_ref().take_while(|milestone| *milestone <= after).last()?;
        (before < passed).then_some(passed)
    }
}

/// The post that a notification is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// With its name as it is now.
    Workflow(WorkflowId, String),
    OutputAsset(OutputAssetId),
}

/// A title and a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub title: String,
    pub content: String,
}

/// What the platform tells one person, in both languages: a box shows the one that its reader has when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub en: Words,
    pub ko: Words,
}

impl Said {
    /// The title and the content that `words` gives in each language.
    pub fn new(words: impl Fn(Language) -> (String, String)) -> Self {
        let said = |language| {
            let (title, content) = words(language);
            Words { title, content }
        };
        Self { en: said(Language::En), ko: said(Language::Ko) }
    }
}

/// Something to tell somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// Somebody commented on a post, or answered a comment.
    Commented { about: About, comment: CommentId, text: String, is_answer: bool },
    /// Somebody likes a post. Told once for each person and post, however often they change their mind.
    Liked { about: About },
    /// A post has reached a count; told once.
    Reached { about: About, what: Others, count: i64 },
    /// The platform tells this one person something. The content is HTML; `once` keeps it from being told twice.
    Noticed { said: Said, count: i64, once: String },
    /// Something of which this person has a letter of its own too. The content is HTML.
    Mailed { said: Said, once: String },
    /// The operators tell one person something; a notice of their own. The content is text.
    Told { said: Said, about: Option<About> },
}

/// A notification in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    pub id: NotificationId,
    pub kind: Kind,
    /// Who did it.
    pub actor: Option<UserId>,
    pub workflow: Option<WorkflowId>,
    pub output_asset: Option<OutputAssetId>,
    pub comment: Option<CommentId>,
    /// The workflow's name as it was then, or a notice's title.
    pub title: Option<String>,
    pub count: Option<i64>,
    pub is_answer: bool,
    /// Text; sanitised HTML for a notice.
    pub content: Option<String>,
    pub others: Option<Others>,
    pub created_at: DateTime<Utc>,
    pub checked_at: Option<DateTime<Utc>>,
}

impl Notification {
    /// Who is named as having done it: notices are the platform's word, whoever wrote them down.
    #[must_use]
    pub fn named_actor(&self) -> Option<UserId> {
        self.actor.filter(|_| self.kind != Kind::Notice)
    }
}
