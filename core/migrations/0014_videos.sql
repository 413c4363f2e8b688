-- Videos about the product. What is shown is kept here: nobody's browser asks YouTube before somebody presses play.

-- A video that an admin has picked at YouTube.
CREATE TABLE community_videos (
    id                 uuid        PRIMARY KEY,
    -- YouTube's own id: all that a frame is made from.
    youtube_id         text        NOT NULL UNIQUE CHECK (youtube_id ~ '^[A-Za-z0-9_-]{11}$'),
    name               text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    author_name        text        NOT NULL CHECK (char_length(author_name) BETWEEN 1 AND 200),
    -- The channel, where its address is one of YouTube's.
    author_url         text,
    -- A copy of the preview picture. No foreign key: moderators may delete an upload that is a preview.
    poster_asset_id    uuid,
    -- When it came out. YouTube's oEmbed does not tell; whoever adds the video does.
    youtube_created_at timestamptz NOT NULL,
    -- Since when YouTube gives it to nobody any more; the last good copy stays.
    gone_at            timestamptz,
    -- When YouTube was asked last.
    checked_at         timestamptz NOT NULL,
    created_at         timestamptz NOT NULL
);
CREATE INDEX community_videos_by_date_idx ON community_videos (youtube_created_at DESC, id DESC);
