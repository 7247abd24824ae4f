import { DemoInTheWay } from '../demo/remove-demo.ts'
import { ImportFault } from '../modules/reference/index.ts'
import { ConfigProblems } from '../platform/config.ts'
import { MigrationsPending } from '../platform/database/bring-up-to-date.ts'
import { isConnectionFailure, lacksRight } from '../platform/database/database.ts'
import { NoEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { UnsupportedDatabase } from '../platform/database/migrations.store.ts'
import { ExtraCaProblem } from '../platform/outbound/extra-ca.ts'
import { KeyFileProblem } from '../platform/secrets/key-file.ts'
import { DistributionPending, NotDistributable } from '../platform/sharding/distribution.store.ts'

/** A command was called with wrong arguments; the message says how to call it. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault'
}

const explained = [
  ConfigProblems,
  KeyFileProblem,
  ExtraCaProblem,
  ImportFault,
  DemoInTheWay,
  CommandFault,
  MigrationsPending,
  UnsupportedDatabase,
  DistributionPending,
  NotDistributable,
  NoEmbeddedPostgres,
]

/** Problems that the operator can solve are printed as a message; only our own errors have a stack. */
export function explain(error: unknown): string {
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'The port is in use: stop the other program, or set PORT to a free one.'
  if (isConnectionFailure(error))
    return `The database cannot be reached (${(error as Error).message}); check DATABASE_URL and that it runs.`
  if (lacksRight(error))
    return `The role of DATABASE_URL lacks a right (${(error as Error).message}). Set MIGRATION_DATABASE_URL to the connection of the tables' owner and run: npm run migrate`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Runs a command to its end, or says why it could not: after these words, or through this function. */
export async function orExplain(failed: string | ((why: string) => void), command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const why = explain(error)
    if (typeof failed === 'string') process.stderr.write(`\n${failed}\n${why}\n`)
    else failed(why)
    process.exit(1)
  }
}
