/** The pages' names of code lists. */
const lists: Readonly<Record<string, string>> = {
  'product-codes': 'an HS code',
  'service-codes': 'a service code',
  'tax-categories': 'a tax',
  units: 'a unit',
  currencies: 'a currency',
  countries: 'a country',
  states: 'a state',
  banks: 'a bank',
}

const fill = 'Fill this in.'
const fromList = 'Choose one from the list.'
const illegible = 'This contains characters that cannot be printed. Type it again.'

/** The words of the pages for faults whose message speaks to programs. The first match applies. */
const sentencesByMessage: readonly (readonly [RegExp, string | ((...found: readonly string[]) => string)])[] = [
  [/^must be in E\.164 form, such as (\+\d+).*$/, 'Write the number with the code of its country, such as $1.'],
  [/^must be minor units as text.*$/, 'Write a price, such as 1950.50.'],
  [/^must be an amount in major units, such as (.+)$/, 'Write an amount, such as $1.'],
  [/^must be an exact decimal number.*$/, 'Write a number, such as 12.50.'],
  [/^is not on the list of ([\w-]+).*$/, (_, list = '') => `Choose ${lists[list] ?? 'one'} from the list.`],
  [/^must be on the list of ([\w-]+).*$/, (_, list = '') => `Choose ${lists[list] ?? 'one'} from the list.`],
  [/^must have six digits with a dot after four, such as (.+)$/, 'Choose a code with six digits, such as $1.'],
  [/^should be [A-Z_]+: on (\S+) this code is (\S+) as (.+)$/, 'This should be $2: on $1, the code is $2 as $3.'],
  [/^must be the code of a bank.*$/, 'Choose a bank from the list.'],
  [/^must be an ISO 3166.*$/, 'Choose a country from the list.'],
  [/^must be one of taxpayer\.taxIds$/, 'Choose one of your tax numbers.'],
  [/^must be one of .*$/, fromList],
  [/^must be a permission.*$/, fromList],
  [/^must be an event type.*$/, 'Choose events from the list.'],
  [/^must be a date and time.*$/, 'Write a date and a time.'],
  [/^must be a (?:date such as|day of the calendar, such as) 2026-01-31$/, 'Choose a date.'],
  [/^must be a URL$/, 'Write a web address, such as https://example.com.'],
  [/^must be a UUID$/, 'This is not complete. Check it for missing characters.'],
  [/^must be (?:a string|an object|an array|a boolean)\b.*$/, fill],
  [/^must be a single line without .*$/, 'Write it on one line, without special characters.'],
  [/^must not contain (?:bidirectional|the NUL).*$/, illegible],
  [/^is required\b(?! on an invoice|: the price).*$/, fill],
  [/^must be left out\b.*$/, 'Leave this empty.'],
  [/^(?:needs|you lack)\b.*$/, 'You cannot give a permission that you do not have.'],
  [/^must have either invoiceId or buyerId, not both$/, 'Choose an invoice or a buyer.'],
  [/^must be the nextCursor.*$/, 'This list has changed. Go back to its first page.'],
  [/^must say which column fills \S+ \((.+)\)$/, 'Choose the column for “$1”.'],
  [/^must not be before \w+, (\d{4}-\d{2}-\d{2})$/, 'Choose $1 or a later day.'],
  [/^must not be after to$/, 'The first day must not be after the last day.'],
  [/^must be at most (\d+) days before to$/, 'Choose at most $1 days.'],
  [/^has a header and no rows below it$/, 'This file has only the names of its columns, and no rows below.'],
  [/^must be the bytes of the workbook.*$/, 'Risiti cannot read this file. Choose the file again.'],
  [/^must be the ETag.*$/, 'This page is out of date. Reload the page.'],
  [/^cannot be OWNER.*$/, 'An owner can only be made by handing over the organisation.'],
  [/^must (?:be a JWE|be encrypted|have a readable JWE).*$/, 'Risiti cannot read this file. Choose the file again.'],
]

/** The pages' labels for fields that messages name. */
const names: Readonly<Record<string, string>> = {
  hsnCode: 'code',
  isicCode: 'code',
  unitCode: 'unit',
  unitPrice: 'price',
  taxCategory: 'tax',
  invoiceDate: 'date',
  dueDate: 'due date',
  lineItems: 'lines',
}

/** Codes of the API that have a name on the pages. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/ as isicCode/g, ''],
  [/\(tin or rn\)/g, '(a tax number or a company number)'],
  [/: (add|correct) it (?:to|on) the seller$/, ': $1 it in your details'],
  [/: (add|correct) it in the address of the seller$/, ': $1 it in your details'],
]

/** A message about one field as a sentence in the words of the pages. */
export function fieldSentence(message: string): string {
  const plainMessage = message.replace(/; see (?:GET )?\S+$/, '')
  const found = sentencesByMessage.find(([pattern]) => pattern.test(plainMessage))
  if (found) return plainMessage.replace(found[0], found[1] as string)
  const plain = codes
    .reduce((text, [code, words]) => text.replaceAll(new RegExp(code, 'g'), words), plainMessage)
    .replaceAll(/\b[a-z]{2,}[A-Z]\w*/g, (name) => names[name] ?? 'value')
  const begun = plain.charAt(0).toUpperCase() + plain.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
