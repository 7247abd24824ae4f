/** The most that the authority takes for the number of a document. */
export const longestIrnNumber = 50

/** A document's number as the authority reads it: letters and digits alone, in capitals. */
export const irnNumberPart = (number: string): string => number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()

/** The authority's number of a document. The day is that of issue, so that the number is the same whenever it is made. */
export const irnOf = (number: string, serviceId: string, issueDate: string): string =>
  `${irnNumberPart(number)}-${serviceId}-${issueDate.replaceAll('-', '')}`
