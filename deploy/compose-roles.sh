#!/bin/sh
# Runs once, when the database is made: the role of the nodes, which owns nothing.
set -eu
psql -X -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/app-password)" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role risiti_app login password :'password';
revoke all on database risiti from public;
grant connect on database risiti to risiti_app;
SQL
