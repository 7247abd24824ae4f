import { expect, test } from 'vitest'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { expectListed, followed, install } from '../harness/invoice-installation.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import { invoiceBody } from '../harness/invoices.ts'
import { invoicesPath } from '../harness/issued.ts'
import { startNode } from '../harness/processes.ts'
import { chance } from '../harness/random-invoices.ts'
import { casesToTry } from '../harness/runs.ts'

const seed = Number(process.env.INVOICES_SEED ?? Math.floor(Math.random() * 1e9))
process.stdout.write(`INVOICES_SEED=${seed}\n`)
const next = chance(seed)
const clients = 16

test('killed servers lose no confirmed invoice, create none twice and leave no gap in the numbers', async () => {
  const { db, env, owners } = await install({ organisations: 2 })
  const load = invoiceLoad(owners, next)
  let node = await startNode({ env })
  // The series reaches these numbers while the load runs.
  for (const own of owners)
    for (const invoiceNumber of ['INV000003', 'INV000008']) {
      const body = invoiceBody.A(own, { invoiceNumber })
      expect((await node.a.post(invoicesPath, { token: own.token, body })).status).toBe(201)
    }
  for (let round = 0; round < casesToTry(1, 6); round++) {
    const unanswered = load.statuses.get(0) ?? 0
    const work = load.start(node, clients)
    await work.goesOn(50 + Math.floor(next() * 50))
    await node.kill()
    await work.callOff()
    expect(load.statuses.get(0), 'the kill came while somebody waited').toBeGreaterThan(unanswered)
    node = await startNode({ env })
  }
  await load.finish(node)
  for (const own of owners) await expectListed(db, node, own)
  expect([...load.statuses.keys()].toSorted()).toEqual([0, 201])
  await load.expectAllKept(db)
  expect(await findInvoiceFaults(db)).toEqual([])

  await followed(db)
  for (const own of owners) await expectListed(db, node, own)
  const repeated = load.asked.filter(({ isKeyed }) => isKeyed).slice(-20)
  await Promise.all(repeated.map((asked) => load.ask(asked, node)))
  await load.expectAllKept(db)
  expect(await findInvoiceFaults(db)).toEqual([])
  expect((await node.stop()).code).toBe(0)
})
