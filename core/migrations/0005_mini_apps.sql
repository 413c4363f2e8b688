-- Mini apps (workflow APIs). A version is never changed: a job names the version it ran, and can be rendered again.

CREATE TABLE workflow_apis (
    id                 uuid        NOT NULL,
    workflow_id        uuid        NOT NULL,
    user_id            uuid        NOT NULL,
    current_version_id uuid        NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    deleted_at         timestamptz,
    CONSTRAINT workflow_apis_pkey PRIMARY KEY (id)
);
-- A workflow has one mini app at most.
CREATE UNIQUE INDEX workflow_apis_workflow ON workflow_apis (workflow_id) WHERE deleted_at IS NULL;

CREATE TABLE workflow_api_versions (
    id               uuid        NOT NULL,
    workflow_api_id  uuid        NOT NULL REFERENCES workflow_apis ON DELETE CASCADE,
    -- The prompt and the places in it that a form fills. All `json`, so that orders are kept.
    template         json        NOT NULL,
    -- As the creator configured them.
    inputs           json        NOT NULL,
    outputs          json        NOT NULL,
    -- The form's fields with their rules, derived when it was saved.
    fields           json        NOT NULL,
    created_at       timestamptz NOT NULL,
    CONSTRAINT workflow_api_versions_pkey PRIMARY KEY (id)
);
CREATE INDEX workflow_api_versions_of ON workflow_api_versions (workflow_api_id, id DESC);
