import { expect, test } from 'vitest'
import { startTestApp } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { issuer } from '../harness/invoices.ts'
import { rowsLeft } from './rows-left.ts'
import { ok } from './telling.ts'

const path = '/i/v1/quotes'
const oil = {
  description: 'Palm oil, 5 l',
  hsnCode: '1511.10',
  unitCode: 'LTR',
  unitPrice: '1950.50',
  taxCategory: 'standard',
}
const bread = { ...oil, description: 'Bread', hsnCode: '1905.90', unitPrice: '333.33', taxCategory: 'exempt' }

/**
 * A shop offers oil and bread to a hotel. The hotel bargains, and accepts the second version on the public page. The shop
 * asks for a third in advance, delivers, and invoices the rest.
 */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  try {
    const { token, buyerId } = await issuer(app)
    const client = app.client(form)
    const act = async (id: string, action: string, body: object = {}) =>
      (await ok(client.post(`${path}/${id}/${action}`, { token, body }))).data
    const content = (quantity: string) => ({
      buyerId,
      currency: 'NGN',
      validUntil: '2026-11-30',
      lineItems: [
        { ...oil, quantity },
        { ...bread, quantity: '7' },
      ],
    })
    const { id } = (await ok(client.post(path, { token, body: content('20') }))).data
    await act(id, 'send')
    await ok(client.put(`${path}/${id}`, { token, body: content('18') }))
    await act(id, 'send')
    const { url } = (await ok(client.post(`${path}/${id}/share`, { token }))).data
    const at = `${app.url}${new URL(url).pathname}`
    const page = await (await fetch(at)).text()
    const shown = (name: string) => new RegExp(`name="${name}" value="(\\d+)"`).exec(page)?.[1] ?? ''
    const answer = {
      version: shown('version'),
      total: shown('total'),
      decision: 'accepted',
      name: 'Ada Obi',
      remark: '',
    }
    const answered = await fetch(at, { method: 'POST', redirect: 'manual', body: new URLSearchParams(answer) })
    expect(answered.status).toBe(303)
    app.clock.advance({ minutes: 5 })
    await act(id, 'convert', { deposit: { percent: '33.3333' }, finalise: true })
    const done = await act(id, 'final-invoice', { dueDate: '2026-12-15', finalise: true })
    await eventually(async () => expect(await app.mailTo('accounts@chidi.test', 2)).toHaveLength(2))
    await app.quiet()
    const tables = [
      ['quotes', 'created_at'],
      ['quote_versions', 'version_number'],
      ['quote_results', 'kind'],
      ['invoices', 'created_at'],
      ['invoice_numbers', 'reading'],
      ['number_series', 'series'],
      ['buyer_account_moves', 'moved_at'],
      ['credit_moves', 'created_at'],
    ] as const
    return { rows: await rowsLeft(app.runtime.db, tables, []), done }
  } finally {
    await app.close()
  }
}

test('a company makes an offer, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  expect(throughB.rows).toEqual(throughA.rows)
  const { done } = throughA
  const [deposit, final] = done.results as { result: string; payableMinor: number }[]
  expect([deposit?.result, final?.result]).toEqual(['deposit', 'final'])
  expect((deposit?.payableMinor ?? 0) + (final?.payableMinor ?? 0)).toBe(done.payableMinor)
  expect(done).toMatchObject({ status: 'converted', versionNumber: 2, restMinor: null, decision: { name: 'Ada Obi' } })
  expect(throughA.rows.invoice_numbers).toMatchObject([{ reading: 'INV000001' }, { reading: 'PP000001' }])
})
