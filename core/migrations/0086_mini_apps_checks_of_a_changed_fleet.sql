-- The classes and models of the workers when apps were last checked. A change makes all apps due.
CREATE TABLE workflow_api_fleet (
    -- There is one row.
    id         boolean     PRIMARY KEY DEFAULT true CHECK (id),
    digest     text        NOT NULL,
    -- Incremented with each change.
    number     bigint      NOT NULL,
    changed_at timestamptz NOT NULL
);

-- The number of the fleet against which an app was checked.
ALTER TABLE workflow_apis ADD COLUMN works_fleet bigint NOT NULL DEFAULT 0;
CREATE INDEX workflow_apis_works_fleet_idx ON workflow_apis (works_fleet) WHERE deleted_at IS NULL;
