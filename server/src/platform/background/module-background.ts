import type { AbandonedExchange } from '../operations/operation.ts'
import type { Runner, Runtime } from '../operations/runner.ts'
import type { SealedColumn } from '../secrets/secret-keys.store.ts'
import type { Consumer } from './consumer.ts'
import type { DueWork, InProgress } from './due-work.ts'
import type { JobHandler } from './handlers.ts'
import type { Purge } from './purge-expired.ts'
import type { OwnQueue } from './worker.ts'

/** The background work of one module. A module exports it as `background`, and `jobs/index.ts` lists all modules that have some. */
export interface ModuleBackground {
  readonly jobs?: (runtime: Runtime, runner: Runner) => readonly JobHandler[]
  readonly consumers?: readonly Consumer[]
  /** what waits for business time, for the test clock */
  readonly dueWork?: readonly DueWork[]
  readonly inProgress?: InProgress
  /** exchanges that a dead process may have left open */
  readonly exchanges?: readonly AbandonedExchange[]
  /** queues with tables of their own */
  readonly queues?: readonly OwnQueue[]
  readonly purges?: readonly Purge[]
  readonly metrics?: (runtime: Runtime) => Promise<string>
  readonly sealedColumns?: readonly SealedColumn[]
}
