-- What people are told: a box for each person. A box is written with what it tells of, and has no foreign keys: people,
-- notices and comments never lose their rows, pictures may, and the things that are told of are of rooms above.

-- Something that somebody is told.
CREATE TABLE notifications (
    id              uuid        PRIMARY KEY,
    -- Whose box it is in.
    user_id         uuid        NOT NULL,
    -- 1 comment, 2 like, 3 notice, 4 requests, 5 others
    kind            smallint    NOT NULL CHECK (kind BETWEEN 1 AND 5),
    -- Its place in the box, from 1: among all, and among those of its kind. Pages are cut by places, so that a page
    -- costs the same however deep it is.
    place           bigint      NOT NULL CHECK (place > 0),
    kind_place      bigint      NOT NULL CHECK (kind_place > 0),
    -- Who did it; NULL for what happened by itself.
    actor_id        uuid,
    workflow_id     uuid,
    output_asset_id uuid,
    comment_id      uuid,
    -- The notice of the operators that it is; its words are there.
    notice_id       uuid,
    -- The name of the workflow as it was then, or the title of what the platform tells this one person.
    title           text,
    -- What was written: text, or sanitised HTML of what the platform tells.
    content         text,
    -- An answer to somebody's own comment.
    recomment       boolean     NOT NULL DEFAULT false,
    -- What was reached: 1 views, 2 likes, 3 launches; and how many.
    others          smallint    CHECK (others BETWEEN 1 AND 3),
    count           bigint      CHECK (count >= 0),
    -- What is told once only.
    once            text,
    created_at      timestamptz NOT NULL,
    checked_at      timestamptz,
    -- When a letter was made of it, or when it was passed over because nobody had asked for it by then.
    mailed_at       timestamptz,
    UNIQUE (user_id, once),
    UNIQUE (user_id, place),
    UNIQUE (user_id, kind, kind_place)
);
CREATE INDEX notifications_unread_idx ON notifications (user_id, kind) WHERE checked_at IS NULL;
CREATE INDEX notifications_unmailed_idx ON notifications (user_id, kind) WHERE checked_at IS NULL AND mailed_at IS NULL;

-- How many there are in a box: of all kinds (kind 0), or of one.
CREATE TABLE notification_boxes (
    user_id uuid     NOT NULL,
    kind    smallint NOT NULL CHECK (kind BETWEEN 0 AND 5),
    -- The places that were given.
    total   bigint   NOT NULL CHECK (total >= 0),
    -- How many of them are empty because their owner deleted what stood there.
    deleted bigint   NOT NULL DEFAULT 0 CHECK (deleted >= 0),
    PRIMARY KEY (user_id, kind)
);

-- What was told once and is deleted since, and must not come again: `once` of the row that is gone.
CREATE TABLE notifications_told (
    user_id uuid NOT NULL,
    once    text NOT NULL,
    PRIMARY KEY (user_id, once)
);

-- A notice of the operators to everybody. It is put into a box when its owner next looks.
CREATE TABLE notices (
    id         uuid        PRIMARY KEY,
    title_en   text        NOT NULL,
    title_ko   text        NOT NULL,
    -- Sanitised HTML.
    content_en text        NOT NULL,
    content_ko text        NOT NULL,
    created_by uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz
);

-- What somebody wants to be mailed about, and up to which notice their box has them. Letters are at most one an hour to
-- each person, about each notification once.
CREATE TABLE notification_settings (
    user_id           uuid        PRIMARY KEY,
    -- Kinds, as in notifications.
    mailed_kinds      smallint[]  NOT NULL DEFAULT '{}' CHECK (mailed_kinds <@ '{1, 2, 3, 4, 5}'),
    notices_until     uuid,
    -- When the last letter was made, or it was seen that none can be.
    digested_at       timestamptz,
    -- What the code of a letter's "unsubscribe" link stands for.
    unsubscribe_proof uuid        UNIQUE
);
-- Who waits longest for a letter.
CREATE INDEX notification_settings_mailed_idx ON notification_settings (digested_at) WHERE mailed_kinds <> '{}';
