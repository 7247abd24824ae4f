import { type Decimal, spelled, trimmed } from '../../kernel/decimal.ts'

/** A number that is written with exactly these digits. Through a binary number some of them would get lost. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** As short as it can be written. */
export function exact(decimal: Decimal): ExactNumber {
  const { units, scale } = trimmed(decimal)
  return new ExactNumber(spelled(units, scale))
}

/** With two decimals, always. */
export const money = (minor: bigint): ExactNumber => new ExactNumber(spelled(minor, 2))

export type ExactValue = string | boolean | ExactNumber | readonly ExactValue[] | ExactObject
/** What is undefined is left out. */
export type ExactObject = { readonly [field: string]: ExactValue | undefined }

/** JSON in the order in which the fields stand. */
export function exactJson(value: ExactValue): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  const fields = Object.entries(value as ExactObject).flatMap(([name, field]) =>
    field === undefined ? [] : [`${JSON.stringify(name)}:${exactJson(field)}`],
  )
  return `{${fields.join(',')}}`
}
