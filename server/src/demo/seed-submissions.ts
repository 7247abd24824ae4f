import { setTimeout as wait } from 'node:timers/promises'
import type { UserCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import { type BuyerId, buyerOperations } from '../modules/buyers/index.ts'
import type { InvoiceId, InvoiceStatus } from '../modules/invoices/index.ts'
import { submissionOperations } from '../modules/submissions/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** Which of the demo's invoices go to the simulated authority. */
export interface DemoReports {
  /** the buyer's tax number decides the outcome of each */
  readonly submitted: readonly InvoiceId[]
  /** submitted once the invoice that it corrects was accepted */
  readonly note: { readonly id: InvoiceId; readonly corrects: InvoiceId }
  /** accepted, and then cancelled */
  readonly cancelled: InvoiceId
  /** accepted; its buyer has another tax number since, under which the authority never answers the cancelling credit note */
  readonly cancelling: { readonly id: InvoiceId; readonly buyerId: BuyerId; readonly laterTaxId: string }
}

const pollMs = 250
/** States that do not lead to acceptance by themselves. */
const isPast: ReadonlySet<InvoiceStatus> = new Set(['rejected', 'failed', 'cancellation_pending', 'cancelled'])
/** A minute on a busy machine; without a worker the demo gives up after that. */
const mostPolls = 240

/**
 * Submits invoices of the demo as their owner would, until there is one in every lasting state: accepted, rejected, failed with an unknown
 * outcome, cancelled, waiting. The authority takes time, so this runs in the background after the start. An interrupted run continues at
 * the next start from the state of each. A missing answer leaves the rest as it is. Returns whether it finished.
 */
export async function seedSubmissions(
  runner: Runner,
  owner: UserCaller,
  { submitted, note, cancelled, cancelling }: DemoReports,
  signal: AbortSignal,
): Promise<boolean> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const pause = () => wait(pollMs, undefined, { signal, ref: false })

  /** Buyers' numbers are verified in the background; invoices are ready only after that. */
  async function whenReady(action: () => Promise<unknown>): Promise<void> {
    for (let polls = 0; polls < mostPolls; polls++) {
      try {
        await action()
        return
      } catch (error) {
        if (!(error instanceof Refusal) || error.refusal !== 'invoice.submit.not_ready') throw error
      }
      await pause()
    }
  }
  const statusOf = async (id: InvoiceId): Promise<InvoiceStatus> =>
    (await act(submissionOperations.getReportStatus, { id })).invoice.status
  async function isAccepted(id: InvoiceId): Promise<boolean> {
    for (let polls = 0; polls < mostPolls; polls++) {
      const status = await statusOf(id)
      if (status === 'accepted') return true
      if (isPast.has(status)) return false
      await pause()
    }
    return false
  }
  /** Submissions of an earlier start are already on their way. */
  const submit = async (id: InvoiceId): Promise<void> => {
    if ((await statusOf(id)) === 'finalised') await whenReady(() => act(submissionOperations.submitInvoice, { id }))
  }
  const cancel = (id: InvoiceId, reason: string) =>
    whenReady(() => act(submissionOperations.cancelInvoice, { id, reason, notes: null }))

  try {
    for (const id of [...submitted, cancelled, cancelling.id]) await submit(id)
    if (await isAccepted(note.corrects)) await submit(note.id)
    if (await isAccepted(cancelled)) await cancel(cancelled, 'Ordered by mistake')
    if (await isAccepted(cancelling.id)) {
      await act(buyerOperations.updateBuyer, { id: cancelling.buyerId, change: { taxId: cancelling.laterTaxId } })
      await act(buyerOperations.verifyBuyer, { id: cancelling.buyerId })
      await cancel(cancelling.id, 'The freezers were not delivered')
    }
    return true
  } catch (error) {
    if (!signal.aborted && !(error instanceof Refusal)) throw error
    return !signal.aborted
  }
}
