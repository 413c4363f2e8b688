-- Users' requests for node classes and model files that no worker of their pools has.

CREATE TABLE requirement_requests (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind IN ('NodeClass', 'Model')),
    -- The folder of a model; empty where it is unknown, and for node classes.
    folder     text        COLLATE "C" NOT NULL CHECK (char_length(folder) <= 60),
    name       text        COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 300),
    created_at timestamptz NOT NULL,
    CONSTRAINT requirement_requests_key UNIQUE (user_id, kind, folder, name)
);
-- All requests for one class or model.
CREATE INDEX requirement_requests_name_idx ON requirement_requests (kind, folder, name);
