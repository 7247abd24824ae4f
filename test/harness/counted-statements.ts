import type { Queryable } from '../../server/src/platform/database/database.ts'
import type { Sql } from '../../server/src/platform/database/sql.ts'

/** Wraps a database or transaction and counts its statements. */
export function countingStatements<Through extends Queryable>(db: Through): { db: Through; sent: () => number } {
  let sent = 0
  const counted = (statement: Sql): Sql => {
    sent++
    return statement
  }
  const through: Queryable = {
    rows: (statement) => db.rows(counted(statement)),
    maybe: (statement) => db.maybe(counted(statement)),
    one: (statement) => db.one(counted(statement)),
    run: (statement) => db.run(counted(statement)),
  }
  return { db: { ...db, ...through }, sent: () => sent }
}
