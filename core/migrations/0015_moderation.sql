-- Reports, the cases that they are gathered in, and what moderators decided. People have no foreign keys here: their
-- rows stay for good.

-- All reports of one thing, and what became of them.
CREATE TABLE moderation_cases (
    id           uuid        PRIMARY KEY,
    -- 1 workflow, 2 output, 3 comment, 4 upload
    kind         smallint    NOT NULL CHECK (kind BETWEEN 1 AND 4),
    -- No foreign key: it is in the table of its kind, and its row may be gone.
    target_id    uuid        NOT NULL,
    author_id    uuid        NOT NULL,
    -- 1 open, 2 kept, 3 hidden, 4 deleted
    state        smallint    NOT NULL CHECK (state BETWEEN 1 AND 4),
    -- Counts every change of the case: whoever decides says which one they looked at.
    revision     integer     NOT NULL CHECK (revision >= 0),
    -- Reports that were not answered yet, and all there ever were.
    open_reports bigint      NOT NULL CHECK (open_reports >= 0),
    all_reports  bigint      NOT NULL,
    -- What the last report was about, as it was then.
    title        text        NOT NULL,
    content      text        NOT NULL,
    -- A workflow's cover, the upload, or the output. No foreign key: it is in one of two tables, and may be gone.
    picture_id   uuid,
    created_at   timestamptz NOT NULL,
    reported_at  timestamptz NOT NULL,
    decided_at   timestamptz,
    decided_by   uuid,
    UNIQUE (kind, target_id),
    CONSTRAINT moderation_cases_open_are_among_all_check CHECK (all_reports >= open_reports)
);
-- One for each order of the list, of one state and of all.
CREATE INDEX moderation_cases_by_date_idx ON moderation_cases (state, reported_at DESC, id DESC);
CREATE INDEX moderation_cases_by_reports_idx ON moderation_cases (state, all_reports DESC, id DESC);
CREATE INDEX moderation_cases_all_by_date_idx ON moderation_cases (reported_at DESC, id DESC);
CREATE INDEX moderation_cases_all_by_reports_idx ON moderation_cases (all_reports DESC, id DESC);
CREATE INDEX moderation_cases_of_author_idx ON moderation_cases (author_id, id DESC);

-- One person's report.
CREATE TABLE moderation_reports (
    id              uuid        PRIMARY KEY,
    case_id         uuid        NOT NULL REFERENCES moderation_cases,
    reporter_id     uuid        NOT NULL,
    -- 1 spam, 2 sexual, 3 violence, 4 hate, 5 copyright, 6 personal, 7 other
    reason          smallint    NOT NULL CHECK (reason BETWEEN 1 AND 7),
    text            text        NOT NULL,
    -- What it was about, as it was then: an edit later hides nothing. The picture is as in moderation_cases.
    seen_title      text        NOT NULL,
    seen_content    text        NOT NULL,
    seen_picture_id uuid,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    -- When it was answered.
    closed_at       timestamptz
);
-- One open report for each person and thing.
CREATE UNIQUE INDEX moderation_reports_open_key ON moderation_reports (case_id, reporter_id) WHERE closed_at IS NULL;
CREATE INDEX moderation_reports_of_case_idx ON moderation_reports (case_id, id DESC);

-- What was decided about a thing or a person: a line of the person's history.
CREATE TABLE moderation_decisions (
    id         uuid        PRIMARY KEY,
    -- NULL for what was decided about the person alone.
    case_id    uuid        REFERENCES moderation_cases,
    user_id    uuid        NOT NULL,
    admin_id   uuid        NOT NULL,
    -- 1 keep, 2 hide, 3 delete, 4 restore, 5 warn, 6 ban, 7 unban
    kind       smallint    NOT NULL CHECK (kind BETWEEN 1 AND 7),
    -- What the person was told.
    text       text        NOT NULL,
    -- The end of a ban; NULL there is for good.
    until      timestamptz,
    created_at timestamptz NOT NULL
);
CREATE INDEX moderation_decisions_of_user_idx ON moderation_decisions (user_id, id DESC);
CREATE INDEX moderation_decisions_of_case_idx ON moderation_decisions (case_id, id DESC) WHERE case_id IS NOT NULL;
