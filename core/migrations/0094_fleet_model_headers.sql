-- What the headers of the workers' model files say about their architecture, by folder and file.
CREATE TABLE model_headers (
    folder       text        NOT NULL,
    file         text        NOT NULL,
    architecture text        NOT NULL,
    seen_at      timestamptz NOT NULL,
    PRIMARY KEY (folder, file)
);
