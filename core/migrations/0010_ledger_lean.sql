-- Nobody asks for the open holds of an account, and the index kept settlements from being heap-only updates.
DROP INDEX credit_holds_open;
