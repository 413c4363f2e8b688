-- The mini apps that admins bind to the addresses of simple apps, such as /easy-app/face-swap. Without a row the
-- configuration decides, and without its word the generators do.
CREATE TABLE simple_app_bindings (
    id              uuid        PRIMARY KEY,
    address         text        NOT NULL UNIQUE,
    workflow_api_id uuid        NOT NULL,
    set_at          timestamptz NOT NULL
);
