-- Mini apps (workflow APIs): a workflow whose chosen inputs are a form and whose chosen outputs are results.

-- A mini app as people know it, whatever its version. The row of a deleted one stays, for the jobs that ran it.
CREATE TABLE workflow_apis (
    id                 uuid        PRIMARY KEY,
    -- No foreign keys: the rows of workflows and people stay for good, and versions of a deleted app go while its row
    -- stays.
    workflow_id        uuid        NOT NULL,
    user_id            uuid        NOT NULL,
    current_version_id uuid        NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    deleted_at         timestamptz
);
-- A workflow has one mini app at most.
CREATE UNIQUE INDEX workflow_apis_workflow_key ON workflow_apis (workflow_id) WHERE deleted_at IS NULL;

-- A version of a mini app, never changed: a job names the version it ran, and can be rendered again. All `json`, so
-- that orders are kept.
CREATE TABLE workflow_api_versions (
    id              uuid        PRIMARY KEY,
    workflow_api_id uuid        NOT NULL REFERENCES workflow_apis ON DELETE CASCADE,
    -- The prompt and the places in it that a form fills.
    template        json        NOT NULL,
    -- As the creator configured them.
    inputs          json        NOT NULL,
    outputs         json        NOT NULL,
    -- The form's fields with their rules, derived when it was saved.
    fields          json        NOT NULL,
    created_at      timestamptz NOT NULL
);
CREATE INDEX workflow_api_versions_of_app_idx ON workflow_api_versions (workflow_api_id, id DESC);
