import { afterAll, beforeAll } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { ok } from '../../../test/harness/issued.ts'
import { badItems, type Due, type Row, testRows } from '../../../test/harness/one-bad-item.ts'
import type { StubServer } from '../../../test/harness/stub-server.ts'
import { startReceiver } from '../../../test/harness/webhook-receiver.ts'
import { systemCaller } from '../kernel/callers.ts'
import { newId, type OrganisationId } from '../kernel/ids.ts'
import { sql } from '../platform/database/sql.ts'
import { operation } from '../platform/operations/operation.ts'

let app: TestApp
let receiver: StubServer
beforeAll(async () => {
  app = await startTestApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.close()
  await receiver[Symbol.asyncDispose]()
})

const { exists, refusing } = badItems(() => app)

/** An organisation with an endpoint. */
async function listener(): Promise<Person> {
  const person = await app.person()
  const body = { url: `${receiver.url}/${person.organisationId}`, events: ['buyer.updated'] }
  ok(await app.a.post('/n/v1/webhook-endpoints', { token: person.token, body }), 201)
  return person
}
const told = {
  buyerId: 'b',
  name: 'B',
  taxId: null,
  taxIdType: 'national',
  taxIdStatus: 'unverified',
  changed: [],
} as const
/** All in one transaction, so that they are read together. */
const happens = (organisationIds: readonly string[]) =>
  app.runner.run(
    operation({ needs: [], refuses: [] }, async ({ emit }) => {
      for (const organisationId of organisationIds as OrganisationId[])
        emit('buyer.updated', { organisationId, mode: 'sandbox', objectId: newId(), version: 1 }, told)
    }),
    { caller: systemCaller, origin, input: undefined },
  )
const toAll = (due: readonly Due[]) => happens(due.map(({ organisationId }) => organisationId))
const whose = ({ organisationId }: Person): Due => ({ organisationId, item: organisationId })
const isDelivered = (organisationId: string, attempts: number) =>
  exists(sql`
    select from webhook_deliveries where organisation_id = ${organisationId} and status = 'delivered' and attempts >= ${attempts}`)
const isFailingOf = (problem: string) => (due: Due) =>
  exists(sql`select from failing_items where problem = ${problem} and organisation_id = ${due.organisationId}`)

const rows: Readonly<Record<string, Row>> = {
  'webhooks fan-out': {
    make: async () => whose(await listener()),
    spoil: refusing('webhook_deliveries', 'insert'),
    run: toAll,
    isDone: ({ organisationId }) => isDelivered(organisationId, 1),
    isReported: ({ organisationId }) =>
      exists(sql`select from set_aside_events where consumer = 'webhooks' and organisation_id = ${organisationId}`),
  },
  'webhooks queue': {
    make: async () => {
      const person = await listener()
      await happens([person.organisationId])
      await eventually(async () => {
        if (!(await isDelivered(person.organisationId, 1))) throw new Error('it is not delivered yet')
      })
      return whose(person)
    },
    spoil: refusing('webhook_deliveries', 'update', `and new.status = 'delivering'`),
    run: async (due) => {
      const ids = due.map(({ organisationId }) => organisationId)
      await app.owner.transaction(async (tx) => {
        await tx.run(sql`
          update webhook_deliveries set status = 'retrying', closed_at = null where organisation_id = any (${ids}::uuid[])`)
        await tx.run(sql`
          insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
          select id, organisation_id, mode, endpoint_id, now() from webhook_deliveries where organisation_id = any (${ids}::uuid[])`)
      })
    },
    isDone: ({ organisationId }) => isDelivered(organisationId, 2),
    isReported: isFailingOf('webhooks.cannot_be_claimed'),
  },
  'webhooks queue: how an attempt ended': {
    make: async () => whose(await listener()),
    spoil: refusing('webhook_deliveries', 'update', `and new.status = 'delivered'`),
    run: toAll,
    isDone: ({ organisationId }) => isDelivered(organisationId, 1),
    isReported: isFailingOf('webhooks.result_save_failed'),
  },
}

testRows(rows)
