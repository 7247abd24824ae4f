import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { businessDay } from '../../server/src/kernel/days.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { install } from '../harness/invoice-installation.ts'
import { type ServerNode, startNode, until } from '../harness/processes.ts'

const path = '/n/v1/test-clock'
const weekMs = 7 * 86_400_000
/** The clocks of the nodes of one machine agree. */
const sameMs = 5

test('a move survives the death of its workers, and no node shows a time before that of an earlier reply', async () => {
  const { db, env, owners } = await install({ organisations: 1 })
  const [own] = owners
  if (!own) throw new Error('there is one organisation')
  const { token, buyerId } = own
  let nodes: ServerNode[] = await Promise.all([startNode({ env }), startNode({ env })])
  const line = {
    description: 'Rent',
    hsnCode: '2523.29',
    unitCode: 'XBG',
    quantity: 1,
    unitPrice: 5,
    taxCategory: 'exempt',
  }
  const startsOn = businessDay(new Date(Date.now() + weekMs), 'Africa/Lagos')
  const schedule = {
    name: 'Rent',
    unit: 'week',
    startsOn,
    policy: 'finalise',
    invoice: { buyerId, currency: 'NGN', lineItems: [line] },
  }
  expect((await nodes[0]?.a.post('/i/v1/recurring-invoices', { token, body: schedule }))?.status).toBe(201)

  const headers = { 'idempotency-key': randomUUID() }
  const ask = (node: ServerNode | undefined) =>
    node?.a.post(`${path}/moves`, { token, headers, body: { by: { weeks: 40 } } })
  const begun = await ask(nodes[0])
  expect(begun?.status, begun?.text).toBe(202)
  const id: string = begun?.data.id

  let latest = 0
  const look = async (node: ServerNode) => {
    const { data } = await node.a.get(path, { token })
    const at = Date.parse(data.now)
    expect(at).toBeGreaterThanOrEqual(latest - sameMs)
    latest = Math.max(latest, at)
    return data.move as { id: string; status: string; steps: number; reachedAt: string; toAt: string }
  }
  for (const steps of [10, 25]) {
    await until(async () => (await look(nodes[0] as ServerNode)).steps >= steps, `${steps} steps`)
    await Promise.all(nodes.map((node) => node.kill()))
    // The leases of the killed workers end now instead of 40 seconds later.
    await db.run(sql`update jobs set due_at = now() where taken_by is not null`)
    nodes = await Promise.all([startNode({ env }), startNode({ env })])
  }
  await until(async () => {
    for (const node of nodes) await look(node)
    return (await look(nodes[1] as ServerNode)).status === 'ready'
  }, 'the end of the move')
  const move = await look(nodes[0] as ServerNode)
  expect(move).toMatchObject({ id, reachedAt: move.toAt, steps: 40 })
  // A repeated request begins no second move.
  expect((await ask(nodes[1]))?.data.id).toBe(id)

  const made = await db.rows<{ day: string; createdAt: Date }>(sql`
    select issue_date::text as day, created_at from invoices order by id`)
  expect(made).toHaveLength(40)
  for (const [nth, { day, createdAt }] of made.entries()) {
    expect(day).toBe(businessDay(new Date(Date.parse(startsOn) + nth * weekMs), 'UTC'))
    expect(businessDay(createdAt, 'Africa/Lagos')).toBe(day)
  }
  expect(await findInvoiceFaults(db)).toEqual([])
  for (const node of nodes) expect((await node.stop()).code).toBe(0)
}, 3_600_000)
