-- Videos about the product that admins have picked at YouTube. What is shown is kept here: nobody's browser asks YouTube
-- before somebody presses play.

CREATE TABLE community_videos (
    id                 uuid        NOT NULL,
    -- YouTube's own id: all that a frame is made from.
    youtube_id         text        NOT NULL,
    name               text        NOT NULL,
    author_name        text        NOT NULL,
    -- The channel, where its address is one of YouTube's.
    author_url         text,
    -- A copy of the preview picture.
    poster_asset_id    uuid,
    -- When it came out. YouTube's oEmbed does not tell; whoever adds the video does.
    youtube_created_at timestamptz NOT NULL,
    -- Since when YouTube gives it to nobody any more; the last good copy stays.
    gone_at            timestamptz,
    -- When YouTube was asked last.
    checked_at         timestamptz NOT NULL,
    created_at         timestamptz NOT NULL,
    CONSTRAINT community_videos_pkey PRIMARY KEY (id),
    CONSTRAINT community_videos_youtube_key UNIQUE (youtube_id),
    CONSTRAINT community_videos_youtube_id CHECK (youtube_id ~ '^[A-Za-z0-9_-]{11}$'),
    CONSTRAINT community_videos_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT community_videos_author_length CHECK (char_length(author_name) BETWEEN 1 AND 200)
);
CREATE INDEX community_videos_by_date ON community_videos (youtube_created_at DESC, id DESC);
