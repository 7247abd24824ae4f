/** The part of an invoice that a path names, as the start of a sentence. Lines count from 1. */
export function whereOf(path: string): string {
  const [, line] = /^lineItems[.[](\d+)/.exec(path) ?? []
  if (line !== undefined) return `Line ${Number(line) + 1}: `
  if (/^buyer/.test(path)) return 'Buyer: '
  if (/^seller/.test(path)) return 'Your details: '
  return ''
}

/** The page's labels for API fields. */
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

/** A message of the service as a sentence, with the page's labels. */
export function sentence(words: string): string {
  const plain = words.replace(' as isicCode', '').replaceAll(/\b[a-z]+[A-Z]\w*/g, (name) => names[name] ?? name)
  const begun = plain.charAt(0).toUpperCase() + plain.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
