/** 1250000 in NGN is ₦12,500.00; written from the digits, because floats do not hold every amount. */
export function formatMoney(amount: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = new Intl.NumberFormat('en', style)
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return format.format(`${whole}.${digits.slice(digits.length - decimals) || '0'}` as Intl.StringNumericLiteral)
}
