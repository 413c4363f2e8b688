-- Comments on workflows and pictures, and answers to them.

-- A comment, or an answer to one. The row of a deleted one stays, without author and content: answers stand below it.
CREATE TABLE comments (
    id              uuid        PRIMARY KEY,
    -- Who wrote it; NULL once it is deleted. No foreign key: people's rows stay for good.
    user_id         uuid,
    -- The post: one of the two. An answer has that of its comment. No foreign keys: workflows' rows stay for good, and
    -- a picture's goes before what was said about it.
    workflow_id     uuid,
    output_asset_id uuid,
    -- The comment that this answers; NULL for a comment.
    parent_id       uuid        REFERENCES comments,
    -- Its place, from 1, among the comments of the post or the answers of the comment. Pages are cut by places, so
    -- that a page costs the same however deep it is; whatever is gone leaves its place empty.
    place           bigint      NOT NULL CHECK (place > 0),
    -- Sanitised HTML; empty once it is deleted.
    content         text        NOT NULL,
    -- Answers that are not deleted.
    reply_count     bigint      NOT NULL DEFAULT 0 CHECK (reply_count >= 0),
    like_count      bigint      NOT NULL DEFAULT 0 CHECK (like_count >= 0),
    dislike_count   bigint      NOT NULL DEFAULT 0 CHECK (dislike_count >= 0),
    created_at      timestamptz NOT NULL,
    edited_at       timestamptz,
    -- Since when a placeholder stands in its place.
    hidden_at       timestamptz,
    deleted_at      timestamptz,
    CONSTRAINT comments_have_one_post_check CHECK (num_nonnulls(workflow_id, output_asset_id) = 1)
);
-- The places below a post, and below a comment.
CREATE UNIQUE INDEX comments_of_workflow_key ON comments (workflow_id, place)
    WHERE parent_id IS NULL AND workflow_id IS NOT NULL;
CREATE UNIQUE INDEX comments_of_picture_key ON comments (output_asset_id, place)
    WHERE parent_id IS NULL AND output_asset_id IS NOT NULL;
CREATE UNIQUE INDEX comments_of_comment_key ON comments (parent_id, place) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_of_user_idx ON comments (user_id, id DESC) WHERE user_id IS NOT NULL;

-- The last place that was given below a post or a comment, and how many comments there are not deleted.
CREATE TABLE comment_places (
    -- A workflow, a picture or a comment. No foreign key: it is in one of three tables.
    target_id uuid   PRIMARY KEY,
    last      bigint NOT NULL CHECK (last >= 0),
    living    bigint NOT NULL CHECK (living >= 0)
);

-- What somebody thinks of a comment.
CREATE TABLE comment_likes (
    comment_id uuid        NOT NULL REFERENCES comments ON DELETE CASCADE,
    -- No foreign key: people's rows stay for good.
    user_id    uuid        NOT NULL,
    -- false for a dislike
    is_like    boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (comment_id, user_id)
);
