#!/bin/sh
# Runs once when PostgreSQL starts with an empty folder: creates a role that owns its database only.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$OWNER_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE verdigraph LOGIN PASSWORD :'password';
ALTER ROLE verdigraph SET statement_timeout = '30s';
CREATE DATABASE verdigraph OWNER verdigraph;
SQL
