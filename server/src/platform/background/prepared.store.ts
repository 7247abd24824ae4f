import type { OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import { onOneShard, sql } from '../database/sql.ts'

const inThisDatabase = sql`select gid from pg_prepared_xacts where database = current_database()`

/** Transactions that the server of an organisation has prepared and not ended. Only outside of a transaction. */
export const listPrepared = (db: Queryable, organisationId: OrganisationId): Promise<{ readonly gid: string }[]> =>
  db.rows(onOneShard([organisationId], inThisDatabase, 'gid text'))
