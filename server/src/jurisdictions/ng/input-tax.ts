import type { AuthorityCopy, ClaimFacts, InputTaxClaim } from '../port.ts'

/** Nigeria Tax Act 2025, s. 156(5)–(6): from this day, tax on services and fixed assets can be claimed too. */
const servicesFrom = '2026-01-01'
const yearsToClaim = 5

/** VAT at a rate. Other taxes on an invoice are not input tax. */
const claimableTaxes: readonly string[] = ['STANDARD_VAT', 'REDUCED_VAT']

/** Whether the VAT on a purchase can be deducted, by the first rule that says no. */
export function inputTaxClaim(copy: AuthorityCopy, facts: ClaimFacts): InputTaxClaim {
  if (copy.type === 'credit_note') return creditNote(copy, facts)
  const reason = whyNot(copy, facts)
  if (reason) return { claimable: false, ...reason, until: null, taxMinor: 0n }
  const until = yearsAfter(copy.issueDate, yearsToClaim)
  const message = `The VAT on it can be claimed until ${until}.`
  return { claimable: true, rule: 'claimable', message, until, taxMinor: vatOn(copy) }
}

/**
 * A credit note is never claimed. Its VAT is taken back on the document that it corrects, even if the note is faulty,
 * because the supplier owes less.
 */
function creditNote(copy: AuthorityCopy, facts: ClaimFacts): InputTaxClaim {
  const reason = whyNothingIsOwed(copy, facts)
  if (reason) return { claimable: false, ...reason, until: null, taxMinor: 0n }
  return {
    claimable: false,
    rule: 'credit_note',
    message:
      'A credit note lowers what can be claimed on the document that it corrects, if the VAT on that one can be.',
    until: null,
    taxMinor: vatOn(copy),
  }
}

type Reason = Pick<InputTaxClaim, 'rule' | 'message'>

const vatOn = ({ taxes }: AuthorityCopy): bigint =>
  taxes.filter(({ category }) => claimableTaxes.includes(category)).reduce((sum, { taxMinor }) => sum + taxMinor, 0n)

/** Why a document has no VAT that counts. */
function whyNothingIsOwed(copy: AuthorityCopy, { isReported }: ClaimFacts): Reason | undefined {
  if (!isReported)
    return { rule: 'not_validated', message: 'The authority does not have it: ask the supplier to report it first.' }
  if (copy.paymentStatus === 'rejected') return { rule: 'rejected', message: 'It was rejected or called back.' }
  if (vatOn(copy) <= 0n) return { rule: 'no_tax', message: 'No VAT is charged on it.' }
  return undefined
}

function whyNot(copy: AuthorityCopy, facts: ClaimFacts): Reason | undefined {
  const { buyer, lines } = copy
  const { today, faults, ownTaxIds } = facts
  const nothingOwed = whyNothingIsOwed(copy, facts)
  if (nothingOwed) return nothingOwed
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

/** The same day some years later; 28 February for 29 February. */
function yearsAfter(day: string, years: number): string {
  const later = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return later.endsWith('-02-29') ? later.replace(/29$/, '28') : later
}
