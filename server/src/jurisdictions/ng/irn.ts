/** The longest document number that the authority accepts. */
export const longestIrnNumber = 50

/** A document's number as the authority reads it: letters and digits in capitals. */
export const irnNumberPart = (number: string): string => number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/** The authority reference of a document. It contains the day of issue, so it is always the same. */
export const irnOf = (number: string, serviceId: string, issueDate: string): string =>
  `${irnNumberPart(number)}-${serviceId}-${issueDate.replaceAll('-', '')}`

const irn = /^[A-Z0-9]{1,50}-[A-Z0-9]{8}-\d{8}$/i
export const isIrn = (text: string): boolean => irn.test(text)
export const serviceIdOfIrn = (text: string): string | undefined => (isIrn(text) ? text.split('-')[1] : undefined)

/** The day in a reference, as `2026-01-31`. */
export const issueDateIn = (reference: string): string =>
  reference.slice(-8).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

export const isServiceId = (text: string): boolean => /^[A-Z0-9]{8}$/.test(text)

/**
 * A template is `{{invoice_id(e.g:INV00XXX)}}-59854B81-{{YYYYMMDD(e.g:20250629)}}`, with or without the examples.
 */
const template = /^\s*\{\{[^{}]*\}\}-([A-Z0-9]{8})-\{\{[^{}]*\}\}\s*$/
export const serviceIdIn = (numberTemplate: string): string | undefined => template.exec(numberTemplate)?.[1]
