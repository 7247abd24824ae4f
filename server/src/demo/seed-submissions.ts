import { setTimeout as wait } from 'node:timers/promises'
import type { UserCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import { type BuyerId, updateBuyer, verifyBuyer } from '../modules/buyers/index.ts'
import type { InvoiceId, InvoiceStatus } from '../modules/invoices/index.ts'
import { cancelInvoice, getReportStatus, submitInvoice } from '../modules/submissions/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** Which of the demo's invoices go to the simulated authority. */
export interface DemoReports {
  /** what it makes of each follows from the number of its buyer */
  readonly submitted: readonly InvoiceId[]
  /** submitted once what it corrects was accepted */
  readonly note: { readonly id: InvoiceId; readonly corrects: InvoiceId }
  /** accepted, and then cancelled */
  readonly cancelled: InvoiceId
  /** accepted; its buyer has another number since, under which the authority never answers the note that cancels it */
  readonly cancelling: { readonly id: InvoiceId; readonly buyerId: BuyerId; readonly laterTaxId: string }
}

const pollMs = 250
/** From here nothing leads to being accepted by itself. */
const isPast: ReadonlySet<InvoiceStatus> = new Set(['rejected', 'failed', 'cancellation_pending', 'cancelled'])
/** A minute on a machine that has much else to do; where nobody works off what was asked for, it is given up. */
const mostPolls = 240

/**
 * Has invoices of the demo reported as their owner would, until there is one in every state that lasts: accepted, rejected, failed with
 * nobody knowing whether it arrived, cancelled, waiting to be. It takes as long as the authority takes, so it is done after the
 * start, beside whatever people do meanwhile; a start that ends before it is done leaves the rest to the next one, which goes on from
 * where each of them stands. An answer that does not come leaves the rest as it is. Says whether it came to its end.
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

  /** Buyers' numbers are being verified in the background, and nothing is ready before. */
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
  const statusOf = async (id: InvoiceId): Promise<InvoiceStatus> => (await act(getReportStatus, { id })).invoice.status
  async function isAccepted(id: InvoiceId): Promise<boolean> {
    for (let polls = 0; polls < mostPolls; polls++) {
      const status = await statusOf(id)
      if (status === 'accepted') return true
      if (isPast.has(status)) return false
      await pause()
    }
    return false
  }
  /** What an earlier start has submitted is on its way. */
  const submit = async (id: InvoiceId): Promise<void> => {
    if ((await statusOf(id)) === 'finalised') await whenReady(() => act(submitInvoice, { id }))
  }
  const cancel = (id: InvoiceId, reason: string) => whenReady(() => act(cancelInvoice, { id, reason, notes: null }))

  try {
    for (const id of [...submitted, cancelled, cancelling.id]) await submit(id)
    if (await isAccepted(note.corrects)) await submit(note.id)
    if (await isAccepted(cancelled)) await cancel(cancelled, 'Ordered by mistake')
    if (await isAccepted(cancelling.id)) {
      await act(updateBuyer, { id: cancelling.buyerId, change: { taxId: cancelling.laterTaxId } })
      await act(verifyBuyer, { id: cancelling.buyerId })
      await cancel(cancelling.id, 'The freezers were not delivered')
    }
    return true
  } catch (error) {
    if (!signal.aborted && !(error instanceof Refusal)) throw error
    return !signal.aborted
  }
}
