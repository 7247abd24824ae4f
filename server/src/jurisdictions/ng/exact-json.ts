import { type Decimal, spelled, trimmed } from '../../kernel/decimal.ts'

/** A number with exactly these digits. A binary number would lose some of them. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The shortest notation. */
export function exact(decimal: Decimal): ExactNumber {
  const { units, scale } = trimmed(decimal)
  return new ExactNumber(spelled(units, scale))
}

/** Always two decimals. */
export const money = (minor: bigint): ExactNumber => new ExactNumber(spelled(minor, 2))

export type ExactValue = string | boolean | ExactNumber | readonly ExactValue[] | ExactObject
/** Undefined fields are left out. */
export type ExactObject = { readonly [field: string]: ExactValue | undefined }

/** JSON with the fields in their given order. */
export function exactJson(value: ExactValue): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  const fields = Object.entries(value as ExactObject).flatMap(([name, field]) =>
    field === undefined ? [] : [`${JSON.stringify(name)}:${exactJson(field)}`],
  )
  return `{${fields.join(',')}}`
}
