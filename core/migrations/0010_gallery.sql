-- Pictures, videos and sounds that jobs made, and inputs that people keep for the next run.

-- An output of a job. Private ones end; a published one stays for as long as it is public.
CREATE TABLE output_assets (
    id           uuid        PRIMARY KEY,
    -- No foreign keys: rows are inserted in the transaction that settles a job, on the hot path.
    user_id      uuid        NOT NULL,
    job_id       uuid        NOT NULL,
    node_id      text        NOT NULL,
    -- Place among the job's outputs, from 0.
    position     integer     NOT NULL CHECK (position >= 0),
    -- The name of the file in storage. A file of outputs alone has no row in files.
    content      text        NOT NULL,
    media        text        NOT NULL CHECK (media IN (
        'Png', 'Jpeg', 'Webp', 'Gif', 'Bmp', 'Mp4', 'Webm', 'Flac', 'Mp3', 'Ogg', 'Wav', 'Latent', 'Safetensors', 'M4a',
        'Other'
    )),
    kind         text        NOT NULL CHECK (kind IN ('Image', 'Video', 'Audio', 'File')),
    size_bytes   bigint      NOT NULL CHECK (size_bytes >= 0),
    -- Of a video NULL until somebody has looked at it.
    width        integer,
    height       integer,
    duration_ms  bigint      CHECK (duration_ms >= 0),
    -- A few bytes, in Base64, that draw a blurred picture before the picture has arrived. NULL for what is no picture.
    blur_hash    text,
    -- How often a node tried to read a video that it could not read when it was stored.
    video_tries  smallint    NOT NULL DEFAULT 0 CHECK (video_tries >= 0),
    -- Nothing is in it but what it shows or plays: prompts and graphs that workers write into files are taken out.
    is_clean     boolean     NOT NULL DEFAULT false,
    -- As in files.
    clean_tries  smallint    NOT NULL DEFAULT 0 CHECK (clean_tries >= 0),
    -- The name of the file with what was taken out of it, where anything was.
    embedded     text,
    is_private   boolean     NOT NULL DEFAULT true,
    is_nsfw      boolean     NOT NULL DEFAULT false,
    -- Whether others are told what a published output was made with. Whoever publishes it decides it, and may change it
    -- at any time.
    shows_origin boolean     NOT NULL DEFAULT true,
    -- What a published output is found by: the name of the app that made it and the texts that went in, where its owner
    -- lets others be told. NULL until it was found; empty where nothing may be told.
    label        text,
    like_count   bigint      NOT NULL DEFAULT 0 CHECK (like_count >= 0),
    view_count   bigint      NOT NULL DEFAULT 0 CHECK (view_count >= 0),
    -- How long the job ran, as it was charged.
    ran_ms       bigint      NOT NULL CHECK (ran_ms >= 0),
    created_at   timestamptz NOT NULL,
    -- When it ends, if it is private then.
    expires_at   timestamptz NOT NULL,
    -- Since when only admins may publish it.
    locked_at    timestamptz,
    deleted_at   timestamptz,
    UNIQUE (job_id, position)
);
CREATE INDEX output_assets_mine_idx ON output_assets (user_id, id DESC) WHERE deleted_at IS NULL;
-- One index for each order of the public lists. Outputs are private when they are made, so none of these costs anything
-- on the way of a job.
CREATE INDEX output_assets_public_idx ON output_assets (id DESC) WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_likes_idx ON output_assets (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_views_idx ON output_assets (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_published_idx ON output_assets (id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw;
-- What is not safe for work alone is asked for by lists too. It is rare, so that the indexes of all public pictures
-- would be read to their ends for a page of it.
CREATE INDEX output_assets_sensitive_idx ON output_assets (id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
CREATE INDEX output_assets_sensitive_likes_idx ON output_assets (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
CREATE INDEX output_assets_sensitive_views_idx ON output_assets (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
-- The lists of what one person shows.
CREATE INDEX output_assets_public_of_idx ON output_assets (user_id, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_likes_of_idx ON output_assets (user_id, like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
CREATE INDEX output_assets_public_views_of_idx ON output_assets (user_id, view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private;
-- A search by labels, compared letter by letter as names of workflows are.
CREATE INDEX output_assets_label_trigrams_idx ON output_assets USING gin (normalize(label, NFD) gin_trgm_ops)
    WHERE deleted_at IS NULL AND NOT is_private AND label <> '';
-- Whether anybody still names a file.
CREATE INDEX output_assets_content_idx ON output_assets (content);
-- What the sweep has to do.
CREATE INDEX output_assets_expires_at_idx ON output_assets (expires_at) WHERE deleted_at IS NULL AND is_private;
CREATE INDEX output_assets_unlabelled_idx ON output_assets (id)
    WHERE deleted_at IS NULL AND NOT is_private AND label IS NULL;
CREATE INDEX output_assets_unread_videos_idx ON output_assets (id DESC)
    WHERE kind = 'Video' AND width IS NULL AND deleted_at IS NULL AND video_tries < 3;
CREATE INDEX output_assets_unclean_idx ON output_assets (id DESC)
    WHERE NOT is_clean AND deleted_at IS NULL AND kind <> 'File' AND clean_tries < 6;

-- Somebody's like.
CREATE TABLE output_asset_likes (
    user_id         uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    output_asset_id uuid        NOT NULL REFERENCES output_assets ON DELETE CASCADE,
    -- Sorts by the time of the like.
    id              uuid        NOT NULL,
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (user_id, output_asset_id)
);
-- Somebody's favourites, the latest like first.
CREATE UNIQUE INDEX output_asset_likes_of_user_key ON output_asset_likes (user_id, id DESC);
CREATE INDEX output_asset_likes_asset_idx ON output_asset_likes (output_asset_id);

-- An upload that somebody keeps at hand for the next run. It is theirs alone, until something that they publish uses
-- it.
CREATE TABLE input_assets (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    asset_id   uuid        NOT NULL REFERENCES assets ON DELETE CASCADE,
    is_private boolean     NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    UNIQUE (user_id, asset_id)
);

-- How far people have been warned before outputs expire. One row for the installation. Everything that expires before
-- `told_until` has been told; a round up to `round_until` is under way where `after_user` is set, in the order of
-- people's ids. No foreign key: that is a place in the order, and no person.
CREATE TABLE expiry_warnings (
    one         boolean     PRIMARY KEY DEFAULT true CHECK (one),
    told_until  timestamptz NOT NULL,
    round_until timestamptz,
    after_user  uuid
);
INSERT INTO expiry_warnings (told_until) VALUES ('1970-01-01T00:00:00Z');
