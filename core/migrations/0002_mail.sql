-- Mail on its way out, and the codes in it.

-- A letter to one address. It is written in the transaction that has the reason for it, and sent beside requests.
CREATE TABLE mails (
    id         uuid        PRIMARY KEY,
    recipient  text        NOT NULL,
    language   text        NOT NULL CHECK (language IN ('en', 'ko')),
    -- Which letter, and what it says; never a secret: codes are made when the letter is sent.
    letter     jsonb       NOT NULL,
    created_at timestamptz NOT NULL,
    -- When it is tried (again). A try moves it on before it begins, so that a mail whose sender died comes back.
    due_at     timestamptz NOT NULL,
    attempts   integer     NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Sent, or given up; NULL while it waits.
    ended_at   timestamptz,
    is_sent    boolean     NOT NULL DEFAULT false,
    -- What the last try failed with.
    failure    text
);
-- What is tried next.
CREATE INDEX mails_due_idx ON mails (due_at) WHERE ended_at IS NULL;
-- What is old enough to be forgotten.
CREATE INDEX mails_ended_idx ON mails (ended_at) WHERE ended_at IS NOT NULL;
-- What is forgotten with a person who leaves.
CREATE INDEX mails_recipient_idx ON mails (recipient);

-- The code in a link of a letter: whoever has it has read the mail.
CREATE TABLE mail_codes (
    -- SHA-256 of the code; the code itself is only in the letter.
    code_hash  bytea       PRIMARY KEY,
    -- What the code stands for, in the room that had the letter sent. No foreign key: each of those rooms has a table
    -- of its own for it, and they stand above this one.
    proof      uuid        NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX mail_codes_proof_idx ON mail_codes (proof);
-- What is old enough to be forgotten.
CREATE INDEX mail_codes_created_at_idx ON mail_codes (created_at);
