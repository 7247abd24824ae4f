import { systemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isPassingFailure } from '../../platform/database/database.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { type Answered, type GoingOn, type Recorded, recordAnswers } from './record-answers.ts'

/** The most answers in a batch of one tenant, and the most tenants that are written at a time. */
const largestBatch = 64
const writers = 6
/** From this many documents under way, answers wait this long for others of their tenant. */
const gathering = { fromUnderWay: 8, ms: 25 }

const origin = { requestId: 'submissions', address: '', userAgent: '' }
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/**
 * Writes answers in batches of one tenant. Answers wait a moment for others, and those that come during a write join
 * the next batch. A locked document delays only the answers of its tenant, while fewer tenants are locked than there
 * are writers.
 */
export function createRecorder(runner: Runner, underWay: () => number, written: (recorded: Recorded) => void) {
  interface Waiting {
    readonly answered: Answered
    readonly done: (next: GoingOn | undefined) => void
    readonly failed: (error: unknown) => void
  }
  interface Line {
    readonly tenant: Tenant
    readonly waiting: Waiting[]
  }
  /** tenants with answers to write or with a running batch */
  const lines = new Map<string, Line>()
  /** tenants without a running batch, longest waiting first */
  const ready: Line[] = []
  let writing = 0

  async function record(tenant: Tenant, batch: readonly Waiting[]): Promise<void> {
    const input = { tenant, answers: batch.map(({ answered }) => answered) }
    const recorded = await runner.run(recordAnswers, { caller: systemCaller, origin, input })
    written(recorded)
    const next = new Map(recorded.goingOn.map((one) => [one.id, one]))
    for (const { answered, done } of batch) {
      const goesOn = next.get(answered.id)
      // A worker that lost its lease must not continue, even if its answer was in the same batch.
      done(goesOn?.fence === (answered.fence ?? 0) + 1 ? goesOn : undefined)
    }
  }
  async function write({ tenant, waiting }: Line): Promise<void> {
    const batch = waiting.splice(0, largestBatch)
    try {
      await record(tenant, batch)
    } catch (error) {
      // An answer that cannot be written must not fail the others. After a passing failure of the database, single
      // writes would only wait again.
      if (batch.length === 1 || isPassingFailure(error)) for (const { failed } of batch) failed(error)
      else for (const one of batch) await record(tenant, [one]).catch(one.failed)
    }
  }
  function begin(): void {
    for (; writing < writers && ready.length > 0; writing++) {
      const line = ready.shift() as Line
      void write(line).finally(() => {
        writing--
        if (line.waiting.length > 0) makeReadySoon(line)
        else lines.delete(keyOf(line.tenant))
        begin()
      })
    }
  }
  /** Live answers are written before sandbox answers, however many of these wait. */
  function queueUp(line: Line): void {
    const firstOfSandbox = line.tenant.mode === 'live' ? ready.findIndex(({ tenant }) => tenant.mode !== 'live') : -1
    if (firstOfSandbox === -1) ready.push(line)
    else ready.splice(firstOfSandbox, 0, line)
  }
  function makeReadySoon(line: Line): void {
    const isBusy = underWay() >= gathering.fromUnderWay
    setTimeout(
      () => {
        queueUp(line)
        begin()
      },
      isBusy ? gathering.ms : 0,
    )
  }
  return (tenant: Tenant, answered: Answered): Promise<GoingOn | undefined> =>
    new Promise((done, failed) => {
      const line = lines.get(keyOf(tenant)) ?? { tenant, waiting: [] }
      line.waiting.push({ answered, done, failed })
      if (lines.has(keyOf(tenant))) return
      lines.set(keyOf(tenant), line)
      makeReadySoon(line)
    })
}
