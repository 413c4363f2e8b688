-- The shipped generators for the models of the workers, each as a published mini app.
CREATE TABLE generators (
    recipe      text        NOT NULL,
    -- The main model as the workers name it; empty for a recipe without models.
    model       text        NOT NULL,
    -- NULL until it was made. Once made it stays, also after an admin has deleted the workflow.
    workflow_id uuid,
    -- Of the recipe and its files when the workflow was made or renewed last.
    digest      text        NOT NULL,
    -- Why it could not be made or renewed last.
    failure     text,
    tried_at    timestamptz NOT NULL,
    PRIMARY KEY (recipe, model)
);

-- An admin's word about a model file: a name that it is like, or NULL for a file that no generator uses.
CREATE TABLE generator_models (
    id      uuid        PRIMARY KEY,
    folder  text        NOT NULL,
    file    text        NOT NULL,
    is_like text,
    set_at  timestamptz NOT NULL,
    UNIQUE (folder, file)
);
