import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atScale, type Decimal, parseDecimal, spelled, trimmed } from '../../../kernel/decimal.ts'
import { type DocumentAmounts, faultsOf, type Totals, totalsOf } from './totals.ts'

/**
 * Each file of the folder is a document in plain decimals with its amounts in minor units, or with its refusal. The
 * amounts were calculated independently of this code, with fractions. They change only when the rules change.
 */
interface Golden {
  readonly about: string
  readonly currency: string
  readonly lines: readonly {
    readonly quantity: string
    readonly unitPrice: string
    readonly discount: string
    readonly fee: string
    readonly taxCategory: string
    readonly taxRate: string
  }[]
  readonly allowance: string
  readonly charge: string
  readonly totals?: Readonly<Record<string, unknown>>
  readonly faults?: readonly { readonly path: string; readonly message: string }[]
}

const folder = join(import.meta.dirname, 'golden')
const files = readdirSync(folder).toSorted()
const read = (file: string): Golden => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden

const decimal = (text: string): Decimal => {
  const found = parseDecimal(text)
  if (!found) throw new Error(`${text} is no decimal`)
  return found
}
const minor = (text: string): bigint => {
  const found = atScale(decimal(text), 2)
  if (found === undefined) throw new Error(`${text} is no amount of money`)
  return found
}

const amountsOf = ({ lines, allowance, charge }: Golden): DocumentAmounts => ({
  lines: lines.map(({ quantity, unitPrice, discount, fee, taxCategory, taxRate }) => ({
    quantity: decimal(quantity),
    unitPrice: decimal(unitPrice),
    discountMinor: minor(discount),
    feeMinor: minor(fee),
    taxCategory,
    taxRate: decimal(taxRate),
  })),
  allowanceMinor: minor(allowance),
  chargeMinor: minor(charge),
})

/** The notation of the files: amounts as text, rates without trailing zeros. */
function written({ groups, ...totals }: Totals): Record<string, unknown> {
  const rated = groups.map(({ rate, ...group }) => {
    const { units, scale } = trimmed(rate)
    return { ...group, rate: spelled(units, scale) }
  })
  const text = JSON.stringify({ ...totals, groups: rated }, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return JSON.parse(text)
}

/** These documents have no rounding, so the files leave the field out. */
const unsaid = { roundingMinor: '0' }

describe.each(files)('%s', (file) => {
  const golden = read(file)

  test(golden.about, () => {
    const amounts = amountsOf(golden)
    const faults = faultsOf(amounts).map(({ path, message }) => ({ path, message }))
    expect(faults).toEqual(golden.faults ?? [])
    if (golden.faults) return
    expect({ ...unsaid, ...written(totalsOf(amounts)) }).toEqual({ ...unsaid, ...golden.totals })
  })
})

test('the folder holds every kind of document', () => {
  const all = files.map(read)
  expect(new Set(all.map(({ currency }) => currency))).toEqual(new Set(['NGN', 'USD', 'EUR', 'GBP']))
  expect(Math.max(...all.map(({ lines }) => lines.length))).toBe(500)
  expect(all.filter(({ faults, totals }) => (faults === undefined) === (totals === undefined))).toEqual([])
  expect(all.filter(({ faults }) => faults !== undefined).length).toBeGreaterThanOrEqual(3)
  expect(files.length).toBeGreaterThanOrEqual(26)
})
