import { hash } from 'node:crypto'
import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { getOwnInvoice, type InvoiceId } from '../../invoices/index.ts'
import { findLastSubmission, findPayload } from '../state/submissions.store.ts'
import { authorityOf } from './authority-access.ts'

const deadlineMs = 15_000

export interface CopyOfAuthority {
  readonly reference: string
  /** the authority's document, decrypted */
  readonly document: Readonly<Record<string, unknown>>
  readonly sha256: string
  /** whether the document equals the bytes that we sent */
  readonly isWhatWasSent: boolean
}

/** Downloads the document from the authority. */
export const readAuthorityCopy = reading(
  {
    needs: ['invoice.download_authority_copy'],
    refuses: ['resource.not_found', 'invoice.copy.not_signed', 'authority.no_access', 'authority.no_answer'],
  },
  async (context: Outside<TokenCaller>, { id }: { id: InvoiceId }): Promise<CopyOfAuthority> => {
    const { db, caller } = context
    const { tenant } = caller
    const { authorityReference } = await getOwnInvoice(db, tenant, id)
    const submission = await findLastSubmission(db, tenant, id)
    if (authorityReference === null || !submission) throw refuse('invoice.copy.not_signed')
    const { authority, rules } = await authorityOf(context, tenant, submission.country)
    const answer = await authority.download(submission.reference, AbortSignal.timeout(deadlineMs))
    if (answer.kind !== 'downloaded') throw refuse('authority.no_answer')
    const sent = await findPayload(db, tenant, submission.id)
    return {
      reference: authorityReference,
      document: JSON.parse(answer.bytes.toString()) as Record<string, unknown>,
      sha256: hash('sha256', answer.bytes),
      isWhatWasSent: sent !== undefined && rules.isSameDocument(sent, answer.bytes),
    }
  },
)
