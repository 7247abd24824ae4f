import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAuthoritySimulator } from '../../../simulators/src/authority/index.ts'
import { startBankSimulator } from '../../../simulators/src/bank/index.ts'
import { startCheckoutSimulator } from '../../../simulators/src/checkout/index.ts'
import { startReceiverSimulator } from '../../../simulators/src/receiver/index.ts'

/** Public credentials, valid only for the simulators, which listen on loopback alone. */
export const simulatorKeys = {
  paystack: 'sk_test_simulator',
  stripe: 'sk_test_simulator',
  stripeWebhook: 'whsec_simulator',
  nrs: '51a0c0de-0000-4000-8000-000000000001',
  nrsSecret: 'simulator-secret',
  bank: 'bank_test_simulator',
  bankWebhook: 'bank_whsec_simulator',
} as const

export interface Simulators {
  /** the addresses of this installation for notifications of the simulators */
  notifyAt(apiUrl: string): void
  /** the webhook receiver, which shows what arrived */
  readonly receiverUrl: string
  close(): Promise<void>
}

const names = ['checkout', 'authority', 'bank', 'receiver'] as const
type Name = (typeof names)[number]

const addressFile = (dataDir: string): string => join(dataDir, 'simulators.json')

/** All processes of an installation find the simulators by this file. The process that serves the API starts them. */
function addressOf(dataDir: string, name: Name): string {
  const addresses = JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Partial<Record<Name, string>>
  if (addresses[name] === undefined) throw new Error(`${addressFile(dataDir)} does not name the ${name} simulator`)
  return addresses[name]
}

const urlOf = (name: Name) => (dataDir: string) => {
  try {
    return addressOf(dataDir, name)
  } catch (cause) {
    throw new Error(`the ${name} simulator is not running: the process that serves the API starts it`, { cause })
  }
}
export const checkoutSimulatorUrl = urlOf('checkout')
export const authoritySimulatorUrl = urlOf('authority')
export const bankSimulatorUrl = urlOf('bank')

/** How long an address is cached before the file is read again: every delivery needs it. */
const knownMs = 1_000

/** The address of the playground's webhook receiver; `undefined` while it does not listen. */
export function receiverOf(dataDir: string): () => string | undefined {
  let known: string | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt < knownMs) return known
    readAt = performance.now()
    try {
      known = addressOf(dataDir, 'receiver')
    } catch {
      known = undefined
    }
    return known
  }
}

function usedPort(dataDir: string, name: Name): number | undefined {
  try {
    return Number(new URL(addressOf(dataDir, name)).port)
  } catch {
    return undefined
  }
}

/** Uses the previous port if it is free, so that open pages still work after a restart. */
async function atUsedPort<Simulator>(
  port: number | undefined,
  start: (options: { port?: number }) => Promise<Simulator>,
): Promise<Simulator> {
  return port === undefined ? await start({}) : await start({ port }).catch(() => start({}))
}

export async function startSimulators(dataDir: string): Promise<Simulators> {
  const checkout = await atUsedPort(usedPort(dataDir, 'checkout'), (options) =>
    startCheckoutSimulator({
      ...options,
      storeFile: join(dataDir, 'checkout-simulator.json'),
      paystackKey: simulatorKeys.paystack,
      stripeKey: simulatorKeys.stripe,
      stripeWebhookSecret: simulatorKeys.stripeWebhook,
    }),
  )
  const authority = await atUsedPort(usedPort(dataDir, 'authority'), (options) =>
    startAuthoritySimulator({
      ...options,
      storeFile: join(dataDir, 'authority-simulator.jsonl'),
      apiKey: simulatorKeys.nrs,
      apiSecret: simulatorKeys.nrsSecret,
    }),
  )
  const receiver = await atUsedPort(usedPort(dataDir, 'receiver'), (options) =>
    startReceiverSimulator({ ...options, storeFile: join(dataDir, 'webhook-receiver.json') }),
  )
  const bank = await atUsedPort(usedPort(dataDir, 'bank'), (options) =>
    startBankSimulator({
      ...options,
      storeFile: join(dataDir, 'bank-simulator.jsonl'),
      apiKey: simulatorKeys.bank,
      webhookSecret: simulatorKeys.bankWebhook,
    }),
  )
  const file = addressFile(dataDir)
  const addresses = { checkout: checkout.url, authority: authority.url, bank: bank.url, receiver: receiver.url }
  await writeFile(`${file}.new`, `${JSON.stringify(addresses)}\n`)
  await rename(`${file}.new`, file)
  return {
    notifyAt(apiUrl) {
      checkout.notifyAt({ paystack: `${apiUrl}/notifications/paystack`, stripe: `${apiUrl}/notifications/stripe` })
      authority.notifyAt(`${apiUrl}/notifications/authority/NG/sandbox`)
      bank.notifyAt(`${apiUrl}/notifications/collection/sandbox/sandbox`)
    },
    receiverUrl: receiver.url,
    async close() {
      await checkout.close()
      await authority.close()
      await receiver.close()
      await bank.close()
    },
  }
}
