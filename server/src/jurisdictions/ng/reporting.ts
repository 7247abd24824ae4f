import type { ReportingRules } from '../port.ts'
import { isSameDocument, readCopy } from './authority-copy.ts'
import { documentFor } from './authority-document.ts'
import { faultsOfCopy } from './copy-faults.ts'
import { inputTaxClaim } from './input-tax.ts'
import { irnOf, isIrn, isServiceId, serviceIdIn } from './irn.ts'
import { explain } from './refusals.ts'

/** Invoices to consumers are reported within a day; all others before the buyer gets them. */
const consumerHours = 24

/** How documents are reported in Nigeria. */
export const reporting: ReportingRules = {
  isServiceId,
  serviceIdIn,
  referenceOf: ({ number, issueDate }, { serviceId }) => irnOf(number, serviceId, issueDate),
  documentFor,
  readCopy,
  isSameDocument,
  goesToBuyer: ({ kind }) => kind !== 'B2C',
  reportBy: ({ kind }, issuedAt) =>
    kind === 'B2C' ? new Date(issuedAt.getTime() + consumerHours * 3_600_000) : undefined,
  canCancel: true,
  isReference: isIrn,
  explain,
  readNotification,
  faultsOfCopy,
  inputTaxClaim,
}

const longestNotification = 16_384

/** The format is not public, so only the reference of the document is read. */
function readNotification(body: Buffer): { readonly reference: string } | undefined {
  if (body.length > longestNotification) return undefined
  try {
    const { irn } = JSON.parse(body.toString()) as { irn?: unknown }
    return typeof irn === 'string' && isIrn(irn) ? { reference: irn.toUpperCase() } : undefined
  } catch {
    return undefined
  }
}
