import type { LookupAnswer } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { actorOf } from '../../platform/operations/actors.ts'
import { exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import { getOwnInvoice, type Invoice, type InvoiceId } from '../invoices/index.ts'
import { credentialsOf, findConnection } from '../tax-connection/index.ts'
import { askAuthority, type Learnt } from './ask-authority.ts'
import { type ReportStatus, readReport } from './read-status.ts'
import { takeInAnswers } from './record-answers.ts'
import type { SubmissionId } from './submission.ts'
import { findLastSubmission, findPayload } from './submissions.store.ts'

/** The authority as one organisation speaks to it; refused where there is no way to it. */
export async function authorityOf(
  { db, ports, vault }: { readonly db: Queryable; readonly ports: Ports; readonly vault: Vault },
  tenant: Tenant,
  country: string,
  way: 'authority' | 'authorityForWork' = 'authority',
) {
  const connection = await findConnection(db, tenant)
  const authority = ports.jurisdictions[way](country, tenant.mode, connection && credentialsOf(vault, connection))
  const rules = ports.jurisdictions.of(country)?.reporting
  if (!authority || !rules) throw refuse('authority.no_access')
  return { authority, rules }
}

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
  /** what the authority says of it at this moment; nothing when it does not have it */
  readonly found: Extract<LookupAnswer, { kind: 'found' }> | undefined
}

async function lookUp(context: Outside<Caller> & { readonly signal: AbortSignal }, intent: Intent): Promise<Learnt> {
  const { country, reference, submissionId } = intent
  const { authority, rules } = await authorityOf(context, intent, country)
  const payload = await findPayload(context.db, intent, submissionId)
  return await askAuthority(authority, rules, { step: 'lookup', reference, payload }, context.signal)
}

/** Asks the authority itself how a document stands. What it says is kept: a document that it has is accepted from here on. */
export const queryStatus = exchange(
  {
    needs: ['invoice.query_status'],
    refuses: ['resource.not_found', 'invoice.query.not_submitted', 'authority.no_access', 'authority.no_answer'],
  },
  {
    name: 'query-status',
    deadlineMs: 20_000,
    intend: async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Intent | Refusal> => {
      const { tx, caller } = context
      const { tenant } = caller
      await getOwnInvoice(tx, tenant, id)
      const submission = await findLastSubmission(tx, tenant, id)
      if (!submission) throw refuse('invoice.query.not_submitted')
      const { country, reference } = submission
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
    // The question changes nothing: it is put again.
    inquire: lookUp,
    settle: async (context: Inside<Caller>, intent: Intent, outcome): Promise<QueriedStatus | Refusal> => {
      if (outcome.kind === 'unknown') return refuse('authority.no_answer')
      const { organisationId, mode, submissionId: id, invoiceId, askedBy } = intent
      const { heard, noted, found } = outcome.answer as Learnt
      const tenant = { organisationId, mode }
      await takeInAnswers(context, tenant, [{ id, step: 'lookup', heard, noted, fence: undefined, askedBy }])
      if (heard.kind !== 'registered' && heard.kind !== 'absent') return refuse('authority.no_answer')
      context.wake('authority')
      return {
        invoice: await getOwnInvoice(context.tx, tenant, invoiceId),
        report: await readReport(context.tx, context.ports, tenant, invoiceId),
        found,
      }
    },
  },
)
