import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'

const currencies = new Intl.DisplayNames('en', { type: 'currency' })

export function currencyName(code: string): string {
  const name = /^[A-Z]{3}$/.test(code) ? currencies.of(code) : undefined
  return name && name !== code ? `${code} (${name})` : code
}

/** The watermark of drafts and sandbox documents. */
export function watermarkOf({ isDraft, mode }: InvoiceDocument): string | undefined {
  const words = [...(isDraft ? ['DRAFT'] : []), ...(mode === 'sandbox' ? ['SANDBOX'] : [])]
  return words.length > 0 ? words.join(' · ') : undefined
}
