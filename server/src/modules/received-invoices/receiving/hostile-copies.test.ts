import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { seeded } from '../../../../../test/harness/chance.ts'
import { documentTo } from '../../../../../test/harness/receivers.ts'
import { readCopy } from '../../../jurisdictions/ng/authority-copy.ts'
import { inputTaxClaim } from '../../../jurisdictions/ng/input-tax.ts'
import { newId } from '../../../kernel/ids.ts'
import { receivedFrom } from '../received-invoice.ts'
import { insertReceived, markPossibleDuplicates } from '../received-invoices.store.ts'
import { isAddressed } from './keep-document.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const hostile: readonly unknown[] = [
  null,
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202e\u200b',
  "'; drop table received_invoices; --",
  '{"a":',
  'x'.repeat(9_000),
  'é'.repeat(99),
  '😀'.repeat(49),
  '2026-02-31',
  '0000-01-01',
  '9999-12-31',
  '2026-13-01',
  '-0',
  '999999999999999999',
  '-999999999999999.99',
  '0.000001',
  1e17,
  -1e15,
  1e-7,
  Number.MAX_SAFE_INTEGER,
  0,
  true,
  [],
  {},
  [{ irn: 'X\u0000-59854B81-20261110' }, { irn: '\ud800' }, { irn: '' }],
  Array.from({ length: 100 }, () => ({ tax_amount: '999999999999999' })),
  [
    {
      tax_amount: 1,
      tax_subtotal: [{ taxable_amount: 1, tax_amount: '900000000000000', tax_category: { id: '\u0000' } }],
    },
  ],
]

/** Replaces a part of a document, at any depth, with hostile content. */
function poisoned(value: unknown, chance: () => number): unknown {
  const among = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)] as Item
  if (typeof value !== 'object' || value === null || chance() < 0.03) return among(hostile)
  const fields = Object.entries(value)
  if (fields.length === 0) return among(hostile)
  const [name, part] = among(fields)
  if (Array.isArray(value)) return value.with(Number(name), poisoned(part, chance))
  return { ...value, [name]: poisoned(part, chance) }
}

test('the database accepts everything that is read from a hostile copy', async () => {
  const { organisationId } = await app.person()
  const tenant = { organisationId, mode: 'sandbox' as const }
  const chance = seeded(7)
  const now = new Date('2026-11-15T09:00:00Z')
  let read = 0
  for (let run = 0; run < 3_000; run++) {
    let document: unknown = documentTo('12345678-0001', {
      irn: `H${run}-59854B81-20261110`,
      due_date: '2026-12-10',
      note: 'Thank you',
      billing_reference: [{ irn: 'H1-59854B81-20261110', issue_date: '2026-11-10' }],
      allowance_charge: [{ charge_indicator: false, amount: 0 }],
    })
    for (let changes = 0; changes < 1 + chance(); changes++) document = poisoned(document, chance)
    const bytes = Buffer.from(JSON.stringify(document))
    const copy = readCopy(bytes)
    if (!copy || !isAddressed(copy)) continue
    read++
    const claim = inputTaxClaim(copy, {
      isReported: true,
      today: '2026-11-15',
      faults: [],
      ownTaxIds: [copy.buyer.taxIdNormal],
    })
    const kept = receivedFrom(copy, {
      id: newId(),
      document: bytes.toString(),
      reportedStatus: null,
      accessPoint: null,
      judged: { faults: [{ path: '', rule: 'copy.type', message: copy.taxes[0]?.category ?? '' }], claim },
      now,
    })
    await app.runtime.db
      .transaction(async (tx) => {
        await insertReceived(tx, tenant, kept, now)
        await markPossibleDuplicates(tx, tenant, kept)
      })
      .catch((error: unknown) => {
        throw new Error(`run ${run}: ${JSON.stringify(document).slice(0, 2_000)}`, { cause: error })
      })
  }
  expect(read).toBeGreaterThan(300)
})
