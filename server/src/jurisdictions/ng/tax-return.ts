import type { TaxReturnRules } from '../port.ts'

const dueDay = '21'

/** The return of a month is due on the 21st of the next month. */
export const taxReturn: TaxReturnRules = {
  categories: ['STANDARD_VAT', 'REDUCED_VAT', 'ZERO_VAT', 'EXEMPTED'],
  claimLabels: {
    claimable: 'VAT that can be claimed',
    credit_note: 'Credit notes of suppliers',
    not_validated: 'Not known to the tax authority',
    rejected: 'Rejected or called back',
    no_tax: 'Without VAT',
    other_buyer: 'Without your tax number',
    too_old: 'Too old to be claimed',
    services_before_2026: 'Services of before 2026',
    faulty: 'With errors',
  },
  dueOn: (lastDay) => {
    const [year, month] = lastDay.split('-').map(Number) as [number, number]
    const next = month === 12 ? [year + 1, 1] : [year, month + 1]
    return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-${dueDay}`
  },
}
