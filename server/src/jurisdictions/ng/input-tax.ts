import type { AuthorityCopy, ClaimFacts, InputTaxClaim } from '../port.ts'

/** Nigeria Tax Act 2025, s. 156(5)–(6): from this day the tax on services and fixed assets can be claimed, too. */
const servicesFrom = '2026-01-01'
const yearsToClaim = 5

/** VAT at its rate. Other taxes on an invoice are nobody's input tax. */
const claimableTaxes: readonly string[] = ['STANDARD_VAT', 'REDUCED_VAT']

/** Whether the VAT on a purchase can be deducted from what one owes, by the first rule that says no. */
export function inputTaxClaim(copy: AuthorityCopy, facts: ClaimFacts): InputTaxClaim {
  const reason = whyNot(copy, facts)
  const until = reason ? null : yearsAfter(copy.issueDate, yearsToClaim)
  if (copy.type === 'credit_note')
    return {
      claimable: false,
      rule: 'credit_note',
      message: 'A credit note lowers what was claimed on the invoice that it corrects.',
      until,
    }
  if (reason) return { claimable: false, ...reason, until }
  return { claimable: true, rule: 'claimable', message: `The VAT on it can be claimed until ${until}.`, until }
}

type Reason = Pick<InputTaxClaim, 'rule' | 'message'>

function whyNot(copy: AuthorityCopy, { isReported, today, faults, ownTaxIds }: ClaimFacts): Reason | undefined {
  const { buyer, lines, taxes } = copy
  const taxMinor = taxes
    .filter(({ category }) => claimableTaxes.includes(category))
    .reduce((sum, tax) => sum + tax.taxMinor, 0n)
  if (!isReported)
    return { rule: 'not_validated', message: 'The authority does not have it: ask the supplier to report it first.' }
  if (copy.paymentStatus === 'rejected') return { rule: 'rejected', message: 'It was rejected or called back.' }
  if (taxMinor <= 0n) return { rule: 'no_tax', message: 'No VAT is charged on it.' }
  if (buyer?.taxIdNormal === null || buyer?.taxIdNormal === undefined || !ownTaxIds.includes(buyer.taxIdNormal))
    return { rule: 'other_buyer', message: 'It does not name you by your tax number: ask the supplier to correct it.' }
  if (yearsAfter(copy.issueDate, yearsToClaim) < today)
    return { rule: 'too_old', message: `More than ${yearsToClaim} years have passed since it was issued.` }
  if (copy.issueDate < servicesFrom && lines.some(({ serviceCode }) => serviceCode !== null))
    return { rule: 'services_before_2026', message: 'VAT on services of before 2026 cannot be claimed.' }
  if (faults.length > 0)
    return { rule: 'faulty', message: 'Its figures or fields are wrong: ask the supplier to correct it.' }
  return undefined
}

/** The last day of so many years; the day after 29 February where there is none is not needed: 28 will do. */
function yearsAfter(day: string, years: number): string {
  const later = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return later.endsWith('-02-29') ? later.replace(/29$/, '28') : later
}
