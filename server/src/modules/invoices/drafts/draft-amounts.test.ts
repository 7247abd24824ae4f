import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { type Decimal, parseDecimal, spelled } from '../../../kernel/decimal.ts'
import { faultsOf, type LineAmounts, lineTotals, totalsOf } from '../amounts/totals.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const rates = { STANDARD_VAT: '7.5', ZERO_VAT: '0', EXEMPTED: '0' } as const
const decimal = (text: string) => parseDecimal(text) as Decimal

const anyLine = fc.record({
  quantity: fc.record({ units: fc.bigInt(1n, 10n ** 5n), scale: fc.integer({ min: 0, max: 6 }) }),
  unitPrice: fc.record({ units: fc.bigInt(0n, 10n ** 6n), scale: fc.integer({ min: 0, max: 4 }) }),
  /** in thousandths of the line */
  discount: fc.bigInt(0n, 1000n),
  feeMinor: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 6n)),
  taxCategory: fc.constantFrom('STANDARD_VAT', 'ZERO_VAT', 'EXEMPTED'),
})

const anyDraft = fc
  .record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    allowance: fc.bigInt(0n, 1000n),
    chargeMinor: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 9n)),
    asNumbers: fc.boolean(),
  })
  .map(({ lines, allowance, ...rest }) => {
    const amounts = lines.map(({ discount, taxCategory, ...line }): LineAmounts => {
      const bare = { ...line, discountMinor: 0n, taxCategory, taxRate: decimal(rates[taxCategory]) }
      return { ...bare, discountMinor: (lineTotals(bare).grossMinor * discount) / 1000n }
    })
    const net = amounts.reduce((sum, line) => sum + lineTotals(line).netMinor, 0n)
    return { ...rest, lines: amounts, allowanceMinor: (net * allowance) / 1000n }
  })

test('any valid draft comes back with the amounts of its lines, to the kobo', async () => {
  await fc.assert(
    fc.asyncProperty(anyDraft, async ({ lines, allowanceMinor, chargeMinor, asNumbers }) => {
      expect(faultsOf({ lines, allowanceMinor, chargeMinor })).toEqual([])
      // A JSON number is exact up to fifteen digits, which suffices here.
      const said = (units: bigint, scale = 2) => (asNumbers ? Number(spelled(units, scale)) : spelled(units, scale))
      const lineItems = lines.map(({ quantity, unitPrice, discountMinor, feeMinor, taxCategory }) => ({
        description: 'Any',
        unitCode: 'EA',
        quantity: said(quantity.units, quantity.scale),
        unitPrice: said(unitPrice.units, unitPrice.scale),
        discountAmount: said(discountMinor),
        feeAmount: said(feeMinor),
        taxCategory,
      }))
      const amounts = { allowanceAmount: said(allowanceMinor), chargeAmount: said(chargeMinor) }
      const body = invoiceBody.A(own, { lineItems, ...amounts })
      const made = await app.a.post(path, { token: own.token, body })
      expect(made.status, made.text).toBe(201)
      const { data } = await app.a.get(`${path}/${made.data.id}`, { token: own.token })
      const totals = totalsOf({ lines, allowanceMinor, chargeMinor })
      expect(data).toMatchObject({
        netMinor: Number(totals.netMinor),
        allowanceMinor: Number(allowanceMinor),
        chargeMinor: Number(chargeMinor),
        taxMinor: Number(totals.taxMinor),
        payableMinor: Number(totals.payableMinor),
        dueMinor: Number(totals.payableMinor),
        lineItems: totals.lines.map(({ netMinor }) => ({ netMinor: Number(netMinor) })),
        taxes: totals.groups.map(({ category, taxableMinor, taxMinor }) => ({
          taxCategory: category,
          taxableMinor: Number(taxableMinor),
          taxMinor: Number(taxMinor),
        })),
      })
      // A reply can be sent as a request, with the same result.
      const again = await app.a.patch(`${path}/${data.id}`, {
        token: own.token,
        body: {
          allowanceAmount: data.allowanceAmount,
          chargeAmount: data.chargeAmount,
          lineItems: data.lineItems.map(
            ({ netMinor: _, taxPercent: __, itemId: ___, ...line }: object & Record<string, unknown>) => line,
          ),
        },
      })
      expect([again.status, again.headers.get('etag')], again.text).toEqual([200, '"1"'])
    }),
    { numRuns: casesToTry(20, 60), seed: 20261115, endOnFailure: true },
  )
})
