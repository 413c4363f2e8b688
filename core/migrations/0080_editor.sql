-- What each user's node editor keeps at the server. The editor's own words name the settings; files have the paths that
-- ComfyUI's server gives them: workflows/A.json.

CREATE TABLE editor_settings (
    user_id uuid NOT NULL REFERENCES users (id),
    id      text NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 200),
    value   json NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE editor_files (
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    user_id    uuid        NOT NULL REFERENCES users (id),
    -- Without a leading slash; its segments are neither empty nor dots.
    path       text        COLLATE "C" NOT NULL CHECK (octet_length(path) BETWEEN 1 AND 1000),
    content    bytea       NOT NULL,
    PRIMARY KEY (user_id, path)
);
