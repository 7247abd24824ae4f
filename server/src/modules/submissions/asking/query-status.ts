import type { LookupAnswer } from '../../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { getOwnInvoice, type Invoice, type InvoiceId } from '../../invoices/index.ts'
import { type ReportStatus, readReport } from '../state/read-status.ts'
import { applyAnswers } from '../state/record-answers.ts'
import type { SubmissionId } from '../state/submission.ts'
import type { AuthorityAnswer } from '../state/submission-state.ts'
import { findLastSubmission, findPayload } from '../state/submissions.store.ts'
import { type AuthorityReply, askAuthority } from './ask-authority.ts'
import { authorityOf } from './authority-access.ts'

/** Whether the answer says something definite: registered, absent, or another document under our number. */
const isAnswer = ({ kind }: AuthorityAnswer): boolean =>
  kind === 'registered' || kind === 'absent' || kind === 'other_document'

interface Intent extends Tenant {
  readonly invoiceId: InvoiceId
  readonly submissionId: SubmissionId
  readonly country: string
  readonly reference: string
  readonly askedBy: object
}

export interface QueriedStatus {
  readonly invoice: Invoice
  readonly report: ReportStatus
  /** the authority's current record; `undefined` if the authority does not have the document */
  readonly found: Extract<LookupAnswer, { kind: 'found' }> | undefined
}

async function lookUp(
  context: Outside<Caller> & { readonly signal: AbortSignal },
  intent: Intent,
): Promise<AuthorityReply> {
  const { country, reference, submissionId } = intent
  const { authority, rules } = await authorityOf(context, intent, country)
  const payload = await findPayload(context.db, intent, submissionId)
  return await askAuthority(authority, rules, { step: 'lookup', reference, payload }, context.signal)
}

/**
 * Looks a document up at the authority and records the answer. A document that the authority has becomes accepted.
 */
export const queryStatus = exchange(
  {
    needs: ['invoice.query_status'],
    refuses: ['resource.not_found', 'invoice.query.not_submitted', 'authority.no_access', 'authority.no_answer'],
  },
  {
    name: 'query-status',
    deadlineMs: 20_000,
    intend: async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Intent | Refusal> => {
      const { tx, caller, ports, vault } = context
      const { tenant } = caller
      await getOwnInvoice(tx, tenant, id)
      const submission = await findLastSubmission(tx, tenant, id)
      if (!submission) throw refuse('invoice.query.not_submitted')
      const { country, reference } = submission
      // Refuse before the request if there is no access.
      await authorityOf({ db: tx, ports, vault }, tenant, country)
      return {
        ...tenant,
        invoiceId: id,
        submissionId: submission.id,
        country,
        reference,
        askedBy: actorOf(caller),
      }
    },
    call: lookUp,
    // A lookup changes nothing at the authority, so it may be repeated.
    inquire: lookUp,
    settle: async (context: Inside<Caller>, intent: Intent, outcome): Promise<QueriedStatus | Refusal> => {
      if (outcome.kind === 'unknown') return refuse('authority.no_answer')
      const { organisationId, mode, submissionId: id, invoiceId, askedBy } = intent
      const { answer, noted, found } = outcome.answer as AuthorityReply
      const tenant = { organisationId, mode }
      await applyAnswers(context, tenant, [{ id, step: 'lookup', answer, noted, fence: undefined, askedBy }])
      if (!isAnswer(answer)) return refuse('authority.no_answer')
      context.wake('authority')
      const invoice = await getOwnInvoice(context.tx, tenant, invoiceId)
      return { invoice, report: await readReport(context.tx, context.ports, tenant, invoice), found }
    },
  },
)
