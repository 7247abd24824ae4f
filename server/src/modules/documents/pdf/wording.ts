import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'
import type { Wording } from '../../../kernel/languages/wording.ts'

/** The watermark of drafts and sandbox documents. */
export function watermarkOf({ isDraft, mode }: InvoiceDocument, wording: Wording): string | undefined {
  const words = [
    ...(isDraft ? [wording.say('document.draft_mark')] : []),
    ...(mode === 'sandbox' ? [wording.say('document.sandbox_mark')] : []),
  ]
  return words.length > 0 ? words.join(' · ') : undefined
}
