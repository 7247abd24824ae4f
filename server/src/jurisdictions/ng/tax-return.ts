import type { TaxReturnRules } from '../port.ts'

const dueDay = '21'

/** The return of a month is due on the 21st of the next month. */
export const taxReturn: TaxReturnRules = {
  categories: ['STANDARD_VAT', 'REDUCED_VAT', 'ZERO_VAT', 'EXEMPTED'],
  dueOn: (lastDay) => {
    const [year, month] = lastDay.split('-').map(Number) as [number, number]
    const next = month === 12 ? [year + 1, 1] : [year, month + 1]
    return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-${dueDay}`
  },
}
