import type { RequestRecord } from '../shared/http.ts'
import { openStore } from '../shared/json-store.ts'
import { copiesUnder, type Fault } from './faults.ts'
import { Ledger } from './ledger.ts'
import { type NotificationRecord, Notifier } from './notifier.ts'
import { hostedPages } from './page/routes.ts'
import type { Payment, PaymentEvent, PaymentOutcome, Provider } from './payment.ts'
import { paystackApi } from './paystack/api.ts'
import { paystackNotifications } from './paystack/notifications.ts'
import { serve } from './server.ts'
import { emptyState } from './state.ts'
import { stripeApi } from './stripe/api.ts'
import { stripeNotifications } from './stripe/notifications.ts'
import { idsOf, StripeObjects } from './stripe/objects.ts'

export interface CheckoutSimulatorOptions {
  /** a free one when absent; the host is always 127.0.0.1 */
  readonly port?: number
  /** keeps everything over a restart; without it, memory only */
  readonly storeFile?: string
  /** the secret key it takes, and signs notifications with */
  readonly paystackKey: string
  readonly stripeKey: string
  readonly stripeWebhookSecret: string
  readonly now?: () => Date
}

/** What a tester may do beyond the page's buttons. `reference` is always the merchant's own. */
export interface CheckoutControl {
  act(reference: string, outcome: PaymentOutcome): Promise<void>
  /** as if made in the provider's dashboard; all that is left, when no amount is given */
  refund(reference: string, amountMinor?: bigint): Promise<void>
  openDispute(reference: string): Promise<void>
  closeDispute(reference: string, won: boolean): Promise<void>
  /** the card that this payment saved is declined when it is charged again */
  declineCard(reference: string): void
  misbehave(fault: Fault | undefined): void
  /** every one, sent or not, oldest first */
  readonly notifications: readonly NotificationRecord[]
  /** sends it again, unchanged, and gives the status answered */
  resend(index: number): Promise<number>
  /** until every notification is delivered or given up */
  settled(): Promise<void>
  /** what clients asked the APIs for */
  readonly requests: readonly RequestRecord[]
}

export interface CheckoutSimulator {
  /** Paystack is below `/paystack`, Stripe below `/v1`, the pages below `/checkout` */
  readonly url: string
  notifyAt(addresses: Readonly<Record<Provider, string>>): void
  readonly control: CheckoutControl
  close(): Promise<void>
}

export async function startCheckoutSimulator(options: CheckoutSimulatorOptions): Promise<CheckoutSimulator> {
  const { paystackKey, stripeKey, stripeWebhookSecret, now = () => new Date() } = options
  const live = stripeKey.startsWith('sk_live_') || stripeKey.startsWith('rk_live_')
  const domain = paystackKey.startsWith('sk_live_') ? 'live' : 'test'
  const store = openStore(options.storeFile, emptyState())
  const notifier = new Notifier()
  const requests: RequestRecord[] = []
  let fault: Fault | undefined
  let url = ''

  const pageOf = ({ key }: Payment) => `${url}/checkout/${key}`
  const objects = new StripeObjects(live, pageOf)
  const tell = (payment: Payment, happening: PaymentEvent) => {
    const records =
      payment.provider === 'paystack'
        ? paystackNotifications(payment, happening, { key: paystackKey, domain })
        : stripeNotifications(payment, happening, { webhookSecret: stripeWebhookSecret, live, objects, now })
    for (const record of records) notifier.notify(record, copiesUnder(fault))
  }
  const ledger = new Ledger(store, now, tell)
  const server = await serve(options.port ?? 0, {
    apis: {
      paystack: paystackApi(ledger, { key: paystackKey, domain, pageOf }),
      v1: stripeApi(ledger, { key: stripeKey, live, objects, store }),
    },
    pages: hostedPages(ledger, (payment) => idsOf(payment, live).session),
    fault: () => fault,
    record: (request) => requests.push(request),
  })
  url = server.url

  return {
    url,
    notifyAt: (addresses) => notifier.notifyAt(addresses),
    control: {
      async act(reference, outcome) {
        ledger.settle(ledger.withReference(reference), outcome)
      },
      async refund(reference, amountMinor) {
        const amount = amountMinor === undefined ? undefined : Number(amountMinor)
        ledger.refund(ledger.withReference(reference), { amount })
      },
      async openDispute(reference) {
        ledger.openDispute(ledger.withReference(reference))
      },
      async closeDispute(reference, won) {
        ledger.closeDispute(ledger.withReference(reference), won)
      },
      declineCard: (reference) => ledger.declineCard(ledger.withReference(reference)),
      misbehave(next) {
        fault = next
      },
      notifications: notifier.records,
      resend: (index) => notifier.resend(index),
      settled: () => notifier.settled(),
      requests,
    },
    async close() {
      await server.close()
      await notifier.close()
    },
  }
}
