import { type Request, type RequestRecord, readRequest, writeReply } from '../shared/http.ts'
import { listen } from '../shared/listen.ts'
import { bankApi } from './api.ts'
import { Bank, type TransferOrder } from './bank.ts'
import { type Behaviour, wellBehaved } from './behaviour.ts'
import { type Notice, Notifier } from './notifier.ts'
import { Records, type Refund, type Settlement, type SubAccount, type Transfer } from './state.ts'

export interface BankSimulatorOptions {
  /** a free one when absent; the host is always 127.0.0.1 */
  readonly port?: number
  /** keeps everything over a restart; without it, memory only */
  readonly storeFile?: string
  readonly apiKey: string
  /** secret for the signatures of notifications */
  readonly webhookSecret: string
  readonly now?: () => Date
}

export interface BankControl {
  /** sets the differences from normal behaviour, and resets all earlier ones */
  behave(behaviour: Partial<Behaviour>): void
  receive(order: TransferOrder): Transfer
  reverse(reference: string): void
  /** the signed notification of a transfer, for testers who send it themselves */
  noticeOf(reference: string): Notice
  transfers(): readonly Transfer[]
  subAccounts(): readonly SubAccount[]
  /** pays out everything that is unpaid, and sends notifications */
  settle(): readonly Settlement[]
  refunds(): readonly Refund[]
  /** waits until all notifications are sent */
  settled(): Promise<void>
  /** requests of clients, oldest first; only the latest are kept */
  readonly requests: readonly RequestRecord[]
}

export interface BankSimulator {
  readonly url: string
  readonly control: BankControl
  notifyAt(url: string): void
  close(): Promise<void>
}

const mostBytes = 64 * 1024
const mostRequests = 2_000
/** So many characters of a body are remembered. */
const mostKept = 4_096

/** A bank with virtual accounts, on loopback. */
export async function startBankSimulator(options: BankSimulatorOptions): Promise<BankSimulator> {
  const { port = 0, storeFile, apiKey, webhookSecret, now = () => new Date() } = options
  const records = new Records(storeFile)
  const notifier = new Notifier(() => records.notifyAt)
  const requests: RequestRecord[] = []
  let behaviour = wellBehaved
  const behave = (changes: Partial<Behaviour>) => {
    behaviour = { ...wellBehaved, ...changes }
  }
  const bank = new Bank({ records, notifier, webhookSecret, now, behaviour: () => behaviour })
  const settleAfterMs = () => behaviour.settleAfterMs
  const api = bankApi({ bank, records, apiKey, requests, now, behave, settleAfterMs })

  function record({ method, path, body }: Request, status: number): void {
    if (requests.length >= mostRequests) requests.splice(0, mostRequests / 2)
    requests.push({ method, path, status, body: body.slice(0, mostKept) })
  }

  const { url, close } = await listen(port, async (message, response) => {
    const request = await readRequest(message, mostBytes)
    // Control routes always work, even during an outage.
    const { outage, lostReplies } = request.path.startsWith('/control/') ? wellBehaved : behaviour
    const reply = outage ? undefined : api(request)
    const isLost = request.method !== 'GET' && lostReplies > 0 && Math.random() < lostReplies
    record(request, reply === undefined || isLost ? 0 : reply.status)
    if (reply === undefined || isLost) response.socket?.resetAndDestroy()
    else writeReply(response, reply)
  }).catch((error: unknown) => {
    records.close()
    throw error
  })

  return {
    url,
    control: {
      behave,
      receive: (order) => bank.receive(order),
      reverse: (reference) => bank.reverse(reference),
      noticeOf: (reference) => bank.noticeOf(reference),
      transfers: () => records.transfers,
      subAccounts: () => [...records.subAccounts.values()],
      settle: () => bank.settle(0),
      refunds: () => [...records.refunds.values()],
      settled: () => notifier.settled(),
      requests,
    },
    notifyAt: (address) => {
      if (records.notifyAt !== address) records.note({ what: 'notify_at', url: address })
    },
    async close() {
      await notifier.close()
      await close()
      records.close()
    },
  }
}
