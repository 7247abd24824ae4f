import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Consumer } from '../../platform/background/consumer.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { tryPart } from '../../platform/operations/try-part.ts'
import { type InvoiceId, sendingInvoices } from '../invoices/index.ts'
import { capabilitiesOf, mayPass } from './recurring-schedule.ts'
import {
  callerOf,
  findSchedule,
  findSentLater,
  listSentLater,
  lockSentLater,
  saveSending,
} from './recurring-schedules.store.ts'

export interface AcceptedInvoice extends Tenant {
  readonly invoiceId: InvoiceId
}

export const sendAcceptedJob = job<AcceptedInvoice>('send-accepted-recurring-invoice', 'mail')

/** Invoices with the policy `submit_and_send` are sent when the authority has accepted them. */
export const acceptedInvoices: Consumer = {
  name: 'recurring-invoices-to-send',
  on: ['invoice.accepted'],
  pool: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  take: async ({ tx, enqueue }, events) => {
    const accepted = events.flatMap(({ organisationId, mode, objectId }): AcceptedInvoice[] =>
      mode === null ? [] : [{ organisationId, mode, invoiceId: objectId as InvoiceId }],
    )
    for (const { organisationId, mode, invoiceId } of await listSentLater(tx, accepted))
      enqueue(sendAcceptedJob, { organisationId, mode, invoiceId }, { key: `${sendAcceptedJob.name}:${invoiceId}` })
  },
}

/** For whom an accepted invoice is sent; undefined if it is not to be sent any more. */
export const findSender = reading(
  { needs: [], refuses: [] },
  async (
    { db }: Outside<SystemCaller>,
    { invoiceId, ...tenant }: AcceptedInvoice,
  ): Promise<TokenCaller | undefined> => {
    const scheduleId = await findSentLater(db, tenant, invoiceId)
    const schedule = scheduleId && (await findSchedule(db, tenant, scheduleId))
    return schedule && callerOf(schedule.madeBy, capabilitiesOf.submit_and_send)
  },
)

/**
 * Sends an accepted invoice once: the row of its period says whether it is still to be sent. The reason of a refusal is kept with the period,
 * unless it may pass: then the job is tried again.
 */
export const sendAccepted = operation(
  { needs: [], refuses: ['limit.mails', 'limit.document_mails', 'dependency.unavailable'] },
  async (context: Inside<TokenCaller>, { invoiceId: id }: AcceptedInvoice): Promise<boolean> => {
    const { tx, caller } = context
    if (!(await lockSentLater(tx, caller.tenant, id))) return false
    const outside = { ...context, db: tx, throttle: async () => {} }
    const send = await sendingInvoices.sendInvoice.prepare(outside, { id })
    const sent = await tryPart(context, send)
    if (sent instanceof Refusal && mayPass(sent.refusal)) throw sent
    await saveSending(
      tx,
      caller.tenant,
      id,
      sent instanceof Refusal ? { ...sent, message: sent.message, details: [] } : undefined,
    )
    return true
  },
)
