import { setTimeout as wait } from 'node:timers/promises'
import { openRuntime } from '../../server/src/bin/runtime.ts'
import { readServiceConfig } from '../../server/src/bin/service-config.ts'
import { systemCaller } from '../../server/src/kernel/callers.ts'
import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import type { Consumer } from '../../server/src/platform/background/consumer.ts'
import { eventCounts } from '../../server/src/platform/background/count-events.ts'
import { startWorker } from '../../server/src/platform/background/worker.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { seeded } from './chance.ts'
import { tellingOf } from './event-emitting.ts'

/**
 * A process that emits and consumes events and may be killed at any moment. It emits until the total is reached. Each
 * consumer writes what it sees into a table without keys, so that a repeated effect shows.
 */
const { STORM_ORGANISATION, STORM_NAME, STORM_CONSUMERS, STORM_EVENTS, STORM_SEED, STORM_FALLS } = process.env
const organisationId = STORM_ORGANISATION as OrganisationId
const known = Object.entries<number>(JSON.parse(STORM_CONSUMERS as string))
const wanted = Number(STORM_EVENTS)
const chance = seeded(Number(STORM_SEED))
/** Probability that the process ends itself at the worst moment of a batch. */
const falls = Number(STORM_FALLS)
let mayFall = false
const origin = { requestId: 'storm', address: '', userAgent: '' }

const noting = (name: string, batchSize: number): Consumer => ({
  name,
  on: ['buyer.updated'],
  pool: 'work',
  startsAt: 'oldest',
  batchSize,
  restMs: 5,
  take: async ({ tx }, events) => {
    await tx.run(sql`
      insert into seen (consumer, event_id, seen_by)
      select ${name}, id, ${STORM_NAME} from unnest(${events.map(({ eventId }) => eventId)}::uuid[]) with ordinality as e (id, nth) order by nth`)
    // Between the effect and the cursor: if the two did not commit together, a death here would show it.
    await wait(chance() * 20)
    if (mayFall && chance() < falls) process.kill(process.pid, 'SIGKILL')
  },
})

const telling = tellingOf(organisationId, chance)
const { runtime, runner, access } = await openRuntime(readServiceConfig(process.env, []), silentLogger)
const consumers = [...known.map(([name, batchSize]) => noting(name, batchSize)), eventCounts]
startWorker(runtime, access, { handlers: () => [], consumers })

async function write(): Promise<void> {
  for (;;) {
    const { many } = await runtime.db.one<{ many: number }>(
      sql`select count(*)::int as many from events where organisation_id = ${organisationId} and type = 'buyer.updated'`,
    )
    if (many >= wanted) return
    await runner.run(telling, { caller: systemCaller, origin, input: 1 + Math.floor(chance() * 40) })
    await wait(chance() * 300)
  }
}
for (let writers = 0; writers < 3; writers++) void write()
process.stdout.write('tells and follows\n')
mayFall = true
