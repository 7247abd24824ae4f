import type { InvoiceSummary } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

/** What a status means, to somebody who does not know the names of the API. */
export const statusWords: Readonly<Record<InvoiceSummary['status'], { readonly words: string; readonly tone: Tone }>> =
  {
    draft: { words: 'Draft', tone: 'neutral' },
    finalised: { words: 'Ready to submit', tone: 'info' },
    queued: { words: 'Being submitted', tone: 'info' },
    signed: { words: 'Being submitted', tone: 'info' },
    transmitted: { words: 'Being submitted', tone: 'info' },
    accepted: { words: 'Accepted', tone: 'good' },
    rejected: { words: 'Rejected', tone: 'bad' },
    failed: { words: 'Not submitted', tone: 'bad' },
    cancellation_pending: { words: 'Being cancelled', tone: 'warn' },
    cancelled: { words: 'Cancelled', tone: 'neutral' },
  }
