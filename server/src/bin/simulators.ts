import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCheckoutSimulator } from '../../../simulators/src/checkout/index.ts'

/** Known to everybody who reads this, and good for nothing but the simulators, which listen on loopback alone. */
export const simulatorKeys = {
  paystack: 'sk_test_simulator',
  stripe: 'sk_test_simulator',
  stripeWebhook: 'whsec_simulator',
} as const

export interface Simulators {
  /** where this installation hears of what happens at the simulated outside parties */
  notifyAt(apiUrl: string): void
  close(): Promise<void>
}

const addressFile = (dataDir: string): string => join(dataDir, 'simulators.json')

/** Every process of an installation finds the simulators by this file; the one that serves the API starts them. */
export function checkoutSimulatorUrl(dataDir: string): string {
  try {
    return (JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as { checkout: string }).checkout
  } catch {
    throw new Error('the checkout simulator is not running: the process that serves the API starts it')
  }
}

function usedPort(dataDir: string): number | undefined {
  try {
    return Number(new URL(checkoutSimulatorUrl(dataDir)).port)
  } catch {
    return undefined
  }
}

/** At the port of last time where it is free, so that open checkout pages still work after a restart. */
async function startCheckout(dataDir: string) {
  const options = {
    storeFile: join(dataDir, 'checkout-simulator.json'),
    paystackKey: simulatorKeys.paystack,
    stripeKey: simulatorKeys.stripe,
    stripeWebhookSecret: simulatorKeys.stripeWebhook,
  }
  const port = usedPort(dataDir)
  if (port === undefined) return await startCheckoutSimulator(options)
  return await startCheckoutSimulator({ ...options, port }).catch(() => startCheckoutSimulator(options))
}

export async function startSimulators(dataDir: string): Promise<Simulators> {
  const checkout = await startCheckout(dataDir)
  const file = addressFile(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify({ checkout: checkout.url })}\n`)
  await rename(`${file}.new`, file)
  return {
    notifyAt: (apiUrl) =>
      checkout.notifyAt({ paystack: `${apiUrl}/notifications/paystack`, stripe: `${apiUrl}/notifications/stripe` }),
    close: () => checkout.close(),
  }
}
