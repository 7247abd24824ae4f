import { spelled } from './decimal.ts'

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const otherDigits = new Map<string, number>(
  Object.entries({
    ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, VND: 0, VUV: 0 },
    ...{ XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
  }),
)

/** Number of decimals of the currency. */
export const currencyDigits = (currency: string): number => otherDigits.get(currency) ?? 2

/** An amount for error messages: `USD 2,096.26`. Callers send major units, so that messages use them too. */
export function moneyInWords(minor: bigint, currency: string): string {
  const [whole = '', fraction] = spelled(minor < 0n ? -minor : minor, currencyDigits(currency)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${currency} ${minor < 0n ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}
