import Type from 'typebox'
import { atScale, type Decimal, decimalOfNumber, parseDecimal, tenTo, trimmed } from '../../kernel/decimal.ts'
import { currencyDigits, minorOf } from '../../kernel/money-words.ts'
import { type Fault, mostFaults } from '../../kernel/refusals.ts'
import { Text } from '../definitions/fields.ts'

/** Longer than any allowed amount. To parse a text of a million digits would take minutes. */
const longestAmount = 40

/** An exact decimal, as text or as a JSON number. A JSON number stands for its shortest decimal form. */
export const Amount = Type.Union([Text(0, longestAmount), Type.Number()], {
  explanation: 'must be an exact decimal number, as text or as a JSON number',
})
export type Amount = string | number

export interface AmountRule {
  /** `currency`: as many as the currency has */
  readonly decimals: number | 'currency'
  /** in units of the last decimal */
  readonly atLeast: bigint
  /** in whole units */
  readonly atMost: bigint
}

const millionMillions = tenTo(12)
export const money: AmountRule = { decimals: 'currency', atLeast: 0n, atMost: millionMillions }
export const paidMoney: AmountRule = { ...money, atLeast: 1n }
export const unitPrice: AmountRule = { decimals: 4, atLeast: 0n, atMost: millionMillions }
export const quantity: AmountRule = { decimals: 6, atLeast: 1n, atMost: tenTo(9) }

/** Those of most currencies, if the request does not name its currency. The operation then checks the real ones. */
const usualDecimals = 2
const decimalsOf = ({ decimals }: AmountRule, currency: unknown): number => {
  if (decimals !== 'currency') return decimals
  return typeof currency === 'string' ? currencyDigits(currency) : usualDecimals
}

/** `undefined` if the amount is no decimal number, such as a number that is too large for JSON. */
export const decimalFrom = (amount: Amount): Decimal | undefined =>
  typeof amount === 'number' ? decimalOfNumber(amount) : parseDecimal(amount)

/** `currency`: that of the amount, if the request names one */
export function faultOfAmount(path: string, value: unknown, rule: AmountRule, currency?: unknown): Fault[] {
  const { atLeast, atMost } = rule
  const decimals = decimalsOf(rule, currency)
  // The schema reports a wrong type or an excessive length.
  if (typeof value !== 'number' && !(typeof value === 'string' && value.length <= longestAmount)) return []
  const decimal = decimalFrom(value)
  const fault = (rule: string, message: string): Fault[] => [{ path, rule, message }]
  if (!decimal) return fault('decimal', 'must be a plain decimal number such as 12.50')
  const units = atScale(decimal, decimals)
  if (units === undefined) return fault('decimals', `must have at most ${decimals} decimals`)
  if (units < atLeast) {
    const least = trimmed({ units: atLeast, scale: decimals })
    return fault(
      'minimum',
      atLeast === 0n
        ? 'must not be negative'
        : atLeast === 1n
          ? 'must be above 0'
          : `must be at least ${Number(least.units) / 10 ** least.scale}`,
    )
  }
  if (units > atMost * tenTo(decimals)) return fault('maximum', `must be at most ${atMost}`)
  return []
}

/** A checked amount, in minor units of its currency. */
export const minorFrom = (amount: Amount, currency: string): bigint =>
  minorOf(decimalFrom(amount) as Decimal, currency) as bigint

export const decimalOrUndefined = (amount: Amount | undefined): Decimal | undefined =>
  amount === undefined ? undefined : decimalFrom(amount)

/** `null` stays `null`: it clears the field. */
export const decimalOrNull = (amount: Amount | null | undefined): Decimal | null | undefined =>
  amount == null ? amount : decimalFrom(amount)

/** Finds the faults of a body that a schema cannot express, whatever else is wrong with the body. */
export type BodyCheck = (body: unknown) => Fault[]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const exchangeRate: AmountRule = { decimals: 10, atLeast: 1n, atMost: tenTo(9) - 1n }
const percent: AmountRule = { decimals: 4, atLeast: 1n, atMost: 100n }

function faultsOfInstalmentAmounts({ instalments, currency }: Record<string, unknown>): Fault[] {
  if (!Array.isArray(instalments)) return []
  return instalments
    .slice(0, mostFaults)
    .flatMap((one: unknown, at) =>
      isObject(one)
        ? [
            ...faultOfAmount(`instalments[${at}].amount`, one.amount, paidMoney, currency),
            ...faultOfAmount(`instalments[${at}].percent`, one.percent, percent),
          ]
        : [],
    )
}

/** Checks the amounts of a document and of its lines, each by its own rule. Stops at `mostFaults`. */
export function amountsCheck(
  ofDocument: Readonly<Record<string, AmountRule>>,
  ofLine: Readonly<Record<string, AmountRule>>,
  alsoOfLine: (line: Record<string, unknown>, path: string) => Fault[] = () => [],
): BodyCheck {
  const documentRules = Object.entries(ofDocument)
  const lineRules = Object.entries(ofLine)
  return (body) => {
    if (!isObject(body)) return []
    const faults = documentRules.flatMap(([name, rule]) => faultOfAmount(name, body[name], rule, body.currency))
    faults.push(...faultsOfInstalmentAmounts(body), ...faultOfAmount('exchangeRate', body.exchangeRate, exchangeRate))
    const lines: unknown[] = Array.isArray(body.lineItems) ? body.lineItems : []
    for (const [at, line] of lines.entries()) {
      if (faults.length >= mostFaults) break
      if (!isObject(line)) continue
      const path = `lineItems[${at}]`
      for (const [name, rule] of lineRules)
        if (line[name] !== undefined) faults.push(...faultOfAmount(`${path}.${name}`, line[name], rule, body.currency))
      faults.push(...alsoOfLine(line, path))
    }
    return faults
  }
}
