-- Workflows. Lists read `workflows`; the graphs, which are wide, stand apart and are never changed.

CREATE TABLE workflows (
    id              uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    name            text        NOT NULL,
    -- Sanitised HTML.
    description     text        NOT NULL DEFAULT '',
    is_private      boolean     NOT NULL DEFAULT true,
    is_nsfw         boolean     NOT NULL DEFAULT false,
    cover_asset_id  uuid,
    -- The mini app made from it, while there is one.
    workflow_api_id uuid,
    -- The graph that counts: the newest row of workflow_versions.
    version         integer     NOT NULL,
    like_count      bigint      NOT NULL DEFAULT 0,
    view_count      bigint      NOT NULL DEFAULT 0,
    launch_count    bigint      NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL,
    edited_at       timestamptz NOT NULL,
    -- When it was made public, first or again; NULL while it never was.
    published_at    timestamptz,
    deleted_at      timestamptz,
    CONSTRAINT workflows_pkey PRIMARY KEY (id),
    CONSTRAINT workflows_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT workflows_counts CHECK (like_count >= 0 AND view_count >= 0 AND launch_count >= 0)
);
CREATE INDEX workflows_mine ON workflows (user_id, id DESC) WHERE deleted_at IS NULL;
-- One for each order of the list of published mini apps.
CREATE INDEX workflows_apps_by_date ON workflows (published_at DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;
CREATE INDEX workflows_apps_by_likes ON workflows (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;
CREATE INDEX workflows_apps_by_views ON workflows (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL;

-- `json` and not `jsonb`: graphs come back with nodes and inputs in the order in which they were sent, and nothing
-- ever searches inside them.
CREATE TABLE workflow_versions (
    workflow_id  uuid        NOT NULL REFERENCES workflows ON DELETE CASCADE,
    version      integer     NOT NULL,
    -- What the editor draws.
    ui_graph     json,
    -- What a worker runs.
    api_prompt   json,
    -- SHA-256 over the canonical JSON of both.
    content_hash text        NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT workflow_versions_pkey PRIMARY KEY (workflow_id, version)
);
