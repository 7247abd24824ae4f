/** The page's labels of the parts of a party. */
const parts: Readonly<Record<string, string>> = {
  registrationNumber: 'VAT registration number',
  taxId: 'tax number',
  taxIdType: 'tax number',
  email: 'email',
  phone: 'phone',
  address: 'address',
  name: 'name',
}

const ofParty = (whose: string, path: string): string => {
  const part = parts[/^\w+\.(\w+)/.exec(path)?.[1] ?? '']
  return part === undefined ? `${whose}: ` : `${whose}, ${part}: `
}

/** The part of an invoice that a path names, as the start of a sentence. Lines count from 1. */
export function whereOf(path: string): string {
  const [, line] = /^lineItems[.[](\d+)/.exec(path) ?? []
  if (line !== undefined) return `Line ${Number(line) + 1}: `
  if (/^buyer/.test(path)) return ofParty('Buyer', path)
  if (path === 'exchangeRate') return 'Exchange rate: '
  if (/^seller/.test(path)) return ofParty('Your details', path)
  return ''
}
