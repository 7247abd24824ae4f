import type { RequestRecord } from '../shared/http.ts'
import { authorityApi, type Keys } from './api.ts'
import { type Behaviour, wellBehaved } from './behaviour.ts'
import type { Fault } from './faults.ts'
import { createNotifier } from './notifier.ts'
import { type Entry, isListName } from './resources/lists.ts'
import {
  type Acceptances,
  acceptanceOf,
  acceptancesOf,
  type ControlParts,
  controlRoutes,
  type Payments,
  pay,
  paymentsOf,
  receive,
} from './routes/control.ts'
import { entityRoutes } from './routes/entity.ts'
import { healthRoutes } from './routes/health.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import { resourceRoutes } from './routes/resources.ts'
import { resumeExchanges, transmitRoutes } from './routes/transmit.ts'
import { utilityRoutes } from './routes/utilities.ts'
import { serve } from './server.ts'
import { keyFileOf } from './stamps.ts'
import { type PaymentStatus, Records } from './state.ts'

export interface AuthoritySimulatorOptions extends Keys {
  /** a free one when absent; the host is always 127.0.0.1 */
  readonly port?: number
  /** keeps everything over a restart; without it, memory only */
  readonly storeFile?: string
  readonly now?: () => Date
}

export interface AuthorityControl {
  /** sets the fault until the next call; `undefined` ends it */
  misbehave(fault: Fault | undefined): void
  /** sets the differences from normal behaviour, and resets all earlier ones */
  behave(behaviour: Partial<Behaviour>): void
  /** what a resource route answers from now on */
  replaceList(name: string, entries: readonly Entry[]): void
  /** accepts further keys, for organisations with their own access */
  admit(keys: Keys): void
  acceptances(): Acceptances
  acceptancesOf(irn: string): { readonly accepted: number; readonly repeated: number }
  /** the payment updates of a document */
  paymentsOf(irn: string): Payments
  /** sends an invoice to one of ours, as `POST /control/received-invoices` does; returns its IRN */
  receive(invoice: Readonly<Record<string, unknown>>): string
  /** the supplier of a signed document reports a payment: PENDING, PARTIAL, PAID, or REJECTED to recall the document */
  pay(irn: string, status: PaymentStatus): void
  /** the authority key file of a business */
  keyFileOf(businessId: string): string
  /** requests of clients, oldest first; only the latest are kept */
  readonly requests: readonly RequestRecord[]
}

export interface AuthoritySimulator {
  /** the routes are below `/api` */
  readonly url: string
  readonly control: AuthorityControl
  /** where callbacks go */
  notifyAt(url: string): void
  close(): Promise<void>
}

const mostRequests = 50_000

export async function startAuthoritySimulator(options: AuthoritySimulatorOptions): Promise<AuthoritySimulator> {
  const { port = 0, storeFile, apiKey, apiSecret, now = () => new Date() } = options
  const records = new Records(storeFile)
  const notifier = createNotifier(records)
  const requests: RequestRecord[] = []
  const keys = new Map([[apiKey, apiSecret]])
  let fault: Fault | undefined
  let otherwise = Promise.withResolvers<void>()
  let behaviour: Behaviour = wellBehaved

  const authority: ControlParts = {
    records,
    notifier,
    now,
    behaviour: () => behaviour,
    behave(next) {
      behaviour = next
    },
  }
  const groups = [
    healthRoutes,
    resourceRoutes(authority),
    entityRoutes(authority),
    utilityRoutes,
    transmitRoutes(authority),
    invoiceRoutes(authority),
    controlRoutes(authority),
  ]
  const { url, close } = await serve(port, {
    api: authorityApi(groups, (given) => given.apiKey !== '' && keys.get(given.apiKey) === given.apiSecret),
    fault: () => fault,
    otherwise: () => otherwise.promise,
    behaviour: () => behaviour,
    record(request) {
      if (requests.length >= mostRequests) requests.splice(0, mostRequests / 2)
      requests.push(request)
    },
    now,
  })
  resumeExchanges(authority)

  return {
    url,
    control: {
      misbehave(next) {
        fault = next
        otherwise.resolve()
        otherwise = Promise.withResolvers()
      },
      behave(changes) {
        behaviour = { ...wellBehaved, ...changes }
      },
      replaceList(name, entries) {
        if (!isListName(name)) throw new Error(`the authority has no list ${name}`)
        records.note({ what: 'list', name, entries: structuredClone(entries) })
      },
      admit: (more) => keys.set(more.apiKey, more.apiSecret),
      acceptances: () => acceptancesOf(authority),
      acceptancesOf: (irn) => acceptanceOf(authority, irn),
      paymentsOf: (irn) => paymentsOf(authority, irn),
      receive: (invoice) => receive(authority, invoice),
      pay: (irn, status) => pay(authority, irn, status),
      keyFileOf: (businessId) => keyFileOf(records, businessId),
      requests,
    },
    notifyAt: (address) => records.note({ what: 'callbacks', url: address }),
    async close() {
      notifier.close()
      await close()
      if (!records.isClosed) records.close()
    },
  }
}
