-- Mail on its way out. A row is written in the transaction that has the reason for it, and sent beside requests.

CREATE TABLE mails (
    id         uuid PRIMARY KEY,
    recipient  text NOT NULL,
    language   text NOT NULL,
    -- Which letter, and what it says; never a secret: codes are made when the letter is sent.
    letter     jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    -- When it is tried (again). A try moves it on before it begins, so that a mail whose sender died comes back.
    due_at     timestamptz NOT NULL,
    attempts   integer NOT NULL DEFAULT 0,
    -- Sent, or given up; NULL while it waits.
    ended_at   timestamptz,
    is_sent    boolean NOT NULL DEFAULT false,
    -- What the last try failed with.
    failure    text
);
CREATE INDEX mails_due_idx ON mails (due_at) WHERE ended_at IS NULL;
CREATE INDEX mails_ended_idx ON mails (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX mails_recipient_idx ON mails (recipient);

-- The codes in links of letters: whoever has one has read the mail.
CREATE TABLE mail_codes (
    -- SHA-256 of the code; the code itself is only in the letter.
    code_hash  bytea PRIMARY KEY,
    -- What the code stands for, in the room that had the letter sent.
    proof      uuid NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX mail_codes_proof_idx ON mail_codes (proof);
CREATE INDEX mail_codes_created_at_idx ON mail_codes (created_at);
