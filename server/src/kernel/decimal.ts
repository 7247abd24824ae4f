/**
 * An exact decimal number: `units` counts steps of 10 to the power of minus `scale`. Money, quantities and rates are these,
 * and never binary floating point.
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

/** Reads a plain decimal text such as `-12.50`; nothing when it is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = plain.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = ''] = found
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

/** A JSON number by its shortest decimal form: what its sender wrote, as long as it fits. */
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

/** Without zeros at the end. */
export function trimmed({ units, scale }: Decimal): Decimal {
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n
    scale--
  }
  return { units, scale }
}

/** With so many decimals, exactly; nothing when that would lose some. */
export function atScale(decimal: Decimal, scale: number): bigint | undefined {
  const { units, scale: own } = trimmed(decimal)
  return own > scale ? undefined : units * tenTo(scale - own)
}

/** With so many decimals, half away from zero. */
export function roundedTo({ units, scale }: Decimal, wanted: number): bigint {
  if (scale <= wanted) return units * tenTo(wanted - scale)
  return divideRounded(units, tenTo(scale - wanted))
}

/** A quotient as a whole number, half away from zero. The divisor is above zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (magnitude + divisor / 2n) / divisor
  return dividend < 0n ? -rounded : rounded
}

export const times = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale })

/** `1234` at two decimals is `12.34`. */
export function spelled(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`
}
