import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { type Caller, systemCaller } from '../server/src/kernel/callers.ts'
import { allCapabilities } from '../server/src/kernel/capabilities.ts'
import type { EventType } from '../server/src/kernel/events.ts'
import { newId, type OrganisationId, type UserId } from '../server/src/kernel/ids.ts'
import type { Tenant } from '../server/src/kernel/tenant.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { webhookQueue } from '../server/src/modules/webhooks/background.ts'
import { type EndpointId, secretPlace, snapshotOf } from '../server/src/modules/webhooks/endpoints/endpoint.ts'
import { insertEndpoint } from '../server/src/modules/webhooks/endpoints/endpoints.store.ts'
import { newSecret } from '../server/src/modules/webhooks/endpoints/signatures.ts'
import { startWorker, type Worker } from '../server/src/platform/background/worker.ts'
import { startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { type Inside, operation } from '../server/src/platform/operations/operation.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'

const origin = { requestId: 'bench', address: '127.0.0.1', userAgent: 'bench' }
/** The payload of every event. */
export const told = {
  buyerId: 'b',
  name: 'Adebayo Trading',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: ['name'],
} as const

/** The process of `webhook-receiver.ts`. */
export interface Receiver {
  readonly url: string
  readonly process: ChildProcess
  ask<Answer>(what: string): Promise<Answer>
}

async function startReceiver(): Promise<Receiver> {
  const process = fork(join(import.meta.dirname, 'webhook-receiver.ts'))
  const [{ url }] = (await once(process, 'message')) as [{ url: string }]
  return {
    url,
    process,
    async ask<Answer>(what: string) {
      process.send(what)
      return (await once(process, 'message'))[0] as Answer
    },
  }
}
export const received = async ({ ask }: Receiver): Promise<number> => (await ask<{ count: number }>('count')).count

const emitting = operation(
  { needs: [], refuses: [] },
  async ({ emit }, { organisationId, count }: { organisationId: OrganisationId; count: number }) => {
    for (let version = 1; version <= count; version++)
      emit('buyer.updated', { organisationId, mode: 'sandbox', objectId: 'b', version }, told)
  },
)

/** Adds an endpoint that receives events of one type, as if this member had created it. */
export async function addEndpoint(
  { runtime, tx, now }: Pick<OpenRuntime, 'runtime'> & Pick<Inside<Caller>, 'tx' | 'now'>,
  tenant: Tenant,
  createdBy: UserId,
  url: string,
  type: EventType,
): Promise<void> {
  const id: EndpointId = newId()
  const capabilities = snapshotOf(new Set(allCapabilities))
  const sealedSecret = runtime.vault.seal(newSecret(), secretPlace(id))
  const rest = { description: null, patterns: [type], capabilities, plan: null, sealedSecret, createdBy }
  await insertEndpoint(tx, tenant, { id, format: 'a', url, ...rest }, now)
}

/** Creates an organisation with endpoints at these paths of the receiver. */
export async function prepare(
  { runtime, runner }: OpenRuntime,
  { url }: Receiver,
  paths: readonly string[],
): Promise<OrganisationId> {
  const make = operation({ needs: [], refuses: [] }, async (context) => {
    const id: UserId = newId()
    const email = `${id}@example.com`
    await insertPerson(
      context.tx,
      { id, email, passwordHash: '', firstName: 'A', lastName: 'B', emailVerifiedAt: context.now },
      context.now,
    )
    const organisationId = await foundOrganisation(context, { id, email }, { name: 'Bench', country: 'NG' })
    const tenant: Tenant = { organisationId, mode: 'sandbox' }
    for (const path of paths) await addEndpoint({ runtime, ...context }, tenant, id, `${url}${path}`, 'buyer.updated')
    return organisationId
  })
  return await runner.run(make, { caller: systemCaller, origin, input: undefined })
}

/** The setting in which all figures are measured. */
export interface Stage {
  readonly open: OpenRuntime
  readonly receiver: Receiver
  /** starts a worker that runs only deliveries */
  start(): Promise<Worker>
  emit(organisationId: OrganisationId, count: number): Promise<void>
  /** waits until `count` requests have arrived in total */
  until(count: number): Promise<void>
  say(text: string): void
}

export async function onStage<Result>(say: Stage['say'], measure: (stage: Stage) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const receiver = await startReceiver()
  const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' }
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), settings })
  const secrets = join(home, 'secrets.json')
  await loadKeyRing(secrets, { createIfMissing: true })
  const config = { DATA_DIR: home, ALLOW_PRIVATE_WEBHOOKS: '1', DATABASE_URL: postgres.url, SECRETS_FILE: secrets }
  const open = await openRuntime(readServiceConfig(config, []), silentLogger)
  try {
    return await measure({
      open,
      receiver,
      say,
      async start() {
        const work = { handlers: () => [], consumers: [], ownQueues: [webhookQueue] }
        const worker = startWorker(open.runtime, open.access, work)
        // A new consumer sees only events after its start, so it must be known first.
        const isKnown = () => open.runtime.db.maybe(sql`select from consumers where consumer = 'webhooks'`)
        for (let looks = 0; looks < 2_000 && !(await isKnown()); looks++) await wait(5)
        return worker
      },
      emit: (organisationId, count) =>
        open.runner.run(emitting, { caller: systemCaller, origin, input: { organisationId, count } }),
      // One question without polling, because polling would slow the measurement.
      async until(count) {
        const late = wait(120_000, undefined, { ref: false }).then(() =>
          Promise.reject(new Error('not everything has arrived')),
        )
        await Promise.race([receiver.ask(`until ${count}`), late])
      },
    })
  } finally {
    await open.close()
    await postgres.stop()
    receiver.process.kill()
    await rm(home, { recursive: true, force: true })
  }
}
