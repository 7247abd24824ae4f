import { isDay } from '../../kernel/days.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { ListsInForce } from '../port.ts'
import { irnNumberPart, longestIrnNumber } from './irn.ts'
import { faultsOfAmounts } from './readiness-amounts.ts'
import { faultsOfLines } from './readiness-lines.ts'
import { faultsOfParties } from './readiness-parties.ts'

export interface ReadinessFacts {
  /** the current business day, as `2026-01-31` */
  readonly today: string
  /** result of the verification of the buyer's number, if known */
  readonly buyerTaxIdStatus?: string
}

/** Everything that the authority would refuse in a document, with its place and what to do. */
export const readinessOf = (
  document: InvoiceDocument,
  lists: ListsInForce,
  { today, buyerTaxIdStatus }: ReadinessFacts,
): Fault[] => [
  ...faultsOfHead(document, lists),
  ...faultsOfDates(document, today),
  ...faultsOfParties(document, lists, buyerTaxIdStatus),
  ...faultsOfLines(document, lists),
  ...faultsOfOriginal(document),
  ...faultsOfAmounts(document),
]

const kinds = ['B2B', 'B2C', 'B2G', 'G2B']

function faultsOfHead({ kind, number, currency }: InvoiceDocument, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  if (!kinds.includes(kind))
    faults.push({ path: 'invoiceKind', rule: 'kind', message: `must be one of ${kinds.join(', ')}` })
  faults.push(...faultsOfNumber(number))
  if (!lists.has('currencies', currency))
    faults.push({
      path: 'currency',
      rule: 'currency',
      message: 'must be on the list of currencies: choose one from it',
    })
  return faults
}

/**
 * The authority reads letters A–Z and digits only. Other alphabets would vanish, and two numbers would become one.
 */
function faultsOfNumber(number: string): Fault[] {
  const fault = (rule: string, message: string): Fault[] => [{ path: 'invoiceNumber', rule, message }]
  if (/[\p{L}\p{N}]/u.test(number.replace(/[A-Za-z0-9]/g, '')))
    return fault('number.letters', 'must have no letters but A to Z and no digits but 0 to 9: give it another number')
  const { length } = irnNumberPart(number)
  if (length === 0) return fault('number', 'must have a letter or a digit: give it another number')
  if (length > longestIrnNumber)
    return fault('number.length', `must have at most ${longestIrnNumber} letters and digits: give it a shorter number`)
  return []
}

function faultsOfDates({ issueDate, issueTime, dueDate, supplyDate }: InvoiceDocument, today: string): Fault[] {
  const faults: Fault[] = []
  const fault = (path: string, rule: string, message: string) => faults.push({ path, rule, message })
  if (!isDay(issueDate)) fault('invoiceDate', 'issue_date', 'must be a day of the calendar, such as 2026-01-31')
  else if (issueDate > today)
    fault('invoiceDate', 'issue_date.future', `must not be after today, ${today}: change it, or wait for that day`)
  if (issueTime !== null && !/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(issueTime))
    fault('issueTime', 'issue_time', 'must be a time of day, such as 13:05:00')
  if (supplyDate !== null && !isDay(supplyDate))
    fault('supplyDate', 'supply_date', 'must be a day of the calendar, such as 2026-01-31')
  if (dueDate === null) return faults
  if (!isDay(dueDate)) fault('dueDate', 'due_date', 'must be a day of the calendar, such as 2026-01-31')
  else if (dueDate < issueDate)
    fault('dueDate', 'due_date.early', 'must not be before the day of issue: change one of the two')
  return faults
}

function faultsOfOriginal({ type, original }: InvoiceDocument): Fault[] {
  if (type !== 'credit_note' && type !== 'debit_note') return []
  const path = 'originalInvoiceNumber'
  if (!original) return [{ path, rule: 'original', message: 'must name the invoice that it corrects' }]
  if (original.authorityReference) return []
  const message = `must name an invoice that the authority has signed: submit ${original.number} first`
  return [{ path, rule: 'original.irn', message }]
}
