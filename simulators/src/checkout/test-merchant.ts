import Stripe from 'stripe'
import { listen } from '../shared/listen.ts'
import { type CheckoutSimulator, type CheckoutSimulatorOptions, startCheckoutSimulator } from './index.ts'

export const keys = {
  paystackKey: 'sk_test_paystack_simulated',
  stripeKey: 'sk_test_stripe_simulated',
  stripeWebhookSecret: 'whsec_simulated',
}

export interface ReceivedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A merchant with a server of its own, for tests: it asks both providers and hears what they tell. */
export interface TestMerchant extends AsyncDisposable {
  readonly simulator: CheckoutSimulator
  readonly stripe: Stripe
  readonly received: readonly ReceivedRequest[]
  /** statuses for the next notifications; 200 when there are none left */
  readonly answers: number[]
  paystack(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<PaystackAnswer>
  /** of the notifications sent so far, oldest first */
  types(): string[]
}

export interface PaystackAnswer {
  readonly httpStatus: number
  readonly status: boolean
  readonly message: string
  readonly code?: string
  /** of a list, its elements by their number */
  readonly data: Readonly<Record<string, unknown>>
}

export const stripeOf = (url: string, apiKey = keys.stripeKey, timeout = 5_000): Stripe =>
  new Stripe(apiKey, {
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout,
    telemetry: false,
  })

export async function startMerchant(own: Partial<CheckoutSimulatorOptions> = {}): Promise<TestMerchant> {
  const simulator = await startCheckoutSimulator({ ...keys, ...own })
  const received: ReceivedRequest[] = []
  const answers: number[] = []
  const server = await listen(0, async (message, response) => {
    let body = ''
    for await (const chunk of message) body += chunk
    received.push({ path: message.url ?? '', headers: message.headers, body })
    response.writeHead(answers.shift() ?? 200).end()
  })
  simulator.notifyAt({ paystack: `${server.url}/paystack`, stripe: `${server.url}/stripe` })
  return {
    simulator,
    stripe: stripeOf(simulator.url),
    received,
    answers,
    async paystack(method, path, body, key = own.paystackKey ?? keys.paystackKey) {
      const response = await fetch(`${simulator.url}/paystack${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { httpStatus: response.status, ...((await response.json()) as Omit<PaystackAnswer, 'httpStatus'>) }
    },
    types: () => simulator.control.notifications.map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      await simulator.close()
      await server.close()
    },
  }
}
