/** To which part of an invoice a path belongs, in words that begin a sentence about it. Lines are counted as people do. */
export function whereOf(path: string): string {
  const [, line] = /^lineItems[.[](\d+)/.exec(path) ?? []
  if (line !== undefined) return `Line ${Number(line) + 1}: `
  if (/^buyer/.test(path)) return 'Buyer: '
  if (/^seller/.test(path)) return 'Your details: '
  return ''
}

/** What the service says of a field, as a sentence of its own. */
export function sentence(words: string): string {
  const begun = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
