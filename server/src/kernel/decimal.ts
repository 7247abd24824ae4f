/**
 * An exact decimal number: `units` times 10 to the power of minus `scale`. Money, quantities and rates never use binary
 * floating point.
 */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const powers: bigint[] = [1n]
export function tenTo(exponent: number): bigint {
  for (let known = powers.length; known <= exponent; known++) powers.push((powers[known - 1] as bigint) * 10n)
  return powers[exponent] as bigint
}

const plain = /^(-?)(\d+)(?:\.(\d+))?$/
const scientific = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** Parses a plain decimal such as `-12.50`. `undefined` if the text is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = plain.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = ''] = found
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

/** A JSON number in its shortest decimal form, which is what the sender wrote if the number fits a double. */
export function decimalOfNumber(value: number): Decimal | undefined {
  const text = String(value)
  const found = scientific.exec(text)
  if (!found) return parseDecimal(text)
  const [, sign, first = '', fraction = '', exponent = '0'] = found
  const digits = BigInt(first + fraction)
  const scale = fraction.length - Number(exponent)
  const units = scale < 0 ? digits * tenTo(-scale) : digits
  return { units: sign === '-' ? -units : units, scale: Math.max(scale, 0) }
}

/** The same number without trailing zeros. */
export function trimmed({ units, scale }: Decimal): Decimal {
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n
    scale--
  }
  return { units, scale }
}

/** Units at the given scale. `undefined` if digits would be lost. */
export function atScale(decimal: Decimal, scale: number): bigint | undefined {
  const { units, scale: own } = trimmed(decimal)
  return own > scale ? undefined : units * tenTo(scale - own)
}

/** Units at the given scale, rounded half away from zero. */
export function roundedTo({ units, scale }: Decimal, wanted: number): bigint {
  if (scale <= wanted) return units * tenTo(wanted - scale)
  return divideRounded(units, tenTo(scale - wanted))
}

/** Quotient rounded half away from zero. The divisor must be positive. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (magnitude + divisor / 2n) / divisor
  return dividend < 0n ? -rounded : rounded
}

export const times = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale })

/** Text of a number: 1234 units at scale 2 are `12.34`. */
export function spelled(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`
}

/** A decimal for people, with at least this many decimals. */
export function decimalText(decimal: Decimal, atLeast = 0): string {
  const { units, scale } = trimmed(decimal)
  return scale >= atLeast ? spelled(units, scale) : spelled(units * 10n ** BigInt(atLeast - scale), atLeast)
}
