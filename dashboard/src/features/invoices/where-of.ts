/** To which part of an invoice a path belongs, in words that begin a sentence about it. Lines are counted as people do. */
export function whereOf(path: string): string {
  const [, line] = /^lineItems[.[](\d+)/.exec(path) ?? []
  if (line !== undefined) return `Line ${Number(line) + 1}: `
  if (/^buyer/.test(path)) return 'Buyer: '
  if (/^seller/.test(path)) return 'Your details: '
  return ''
}

/** What the fields of the API are called on the pages. */
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

/** What the service says of a field, as a sentence of its own, in the words of the pages. */
export function sentence(words: string): string {
  const plain = words.replace(' as isicCode', '').replaceAll(/\b[a-z]+[A-Z]\w*/g, (name) => names[name] ?? name)
  const begun = plain.charAt(0).toUpperCase() + plain.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
