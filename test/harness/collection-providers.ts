import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import { monnify } from '../../server/src/gateways/monnify.ts'
import { paystackAccounts } from '../../server/src/gateways/paystack-accounts.ts'
import { nuban } from '../../simulators/src/bank/nuban.ts'
import { type CollectionSimulator, startCollectionSimulator } from '../../simulators/src/collection/index.ts'
import { startTestApp, type TestApp } from './app.ts'
import { outbound } from './outbound.ts'

const monnifyKeys = { apiKey: 'MK_TEST_SIMULATOR', secretKey: 'MONNIFYSECRET', contractCode: '4000000001' }

/** The buyer's details that Monnify and Paystack require. */
export const payer = { name: 'Chidi Stores', email: 'chidi@example.test', phoneNumber: '+2348012345678' }

/** Bank accounts that all three providers accept: the tenth digit is the central bank's check digit, here always 5. */
export function manyBankAccounts(many: number): { readonly bankCode: string; readonly accountNumber: string }[] {
  const found: { bankCode: string; accountNumber: string }[] = []
  for (let nth = 200_000_000; found.length < many && nth < 200_100_000; nth++) {
    const accountNumber = nuban('058', nth)
    if (accountNumber.endsWith('5')) found.push({ bankCode: '058', accountNumber })
  }
  return found
}

export interface ProvidersApp {
  readonly app: TestApp
  readonly simulator: CollectionSimulator
  close(): Promise<void>
}

/** Starts an app whose sandbox has three providers: the simulated bank, Monnify and Paystack. */
export async function startProvidersApp(
  options: Omit<NonNullable<Parameters<typeof startTestApp>[0]>, 'bank' | 'checkout' | 'furtherKeepers'> = {},
): Promise<ProvidersApp> {
  // The simulator starts before the app and later uses the app's clock.
  const clock: { app?: TestApp } = {}
  const now = () => clock.app?.clock.now() ?? new Date()
  const simulator = await startCollectionSimulator({ monnify: monnifyKeys, paystackKey: simulatorKeys.paystack, now })
  const app = await startTestApp({
    ...options,
    bank: true,
    checkout: true,
    furtherKeepers: [
      monnify({ ...monnifyKeys, mode: 'sandbox', outbound, now, baseUrl: `${simulator.url}/monnify` }),
      paystackAccounts({
        secretKey: simulatorKeys.paystack,
        customerDomain: 'customers.example.test',
        outbound,
        now,
        baseUrl: `${simulator.url}/paystack`,
      }),
    ],
  })
  clock.app = app
  return {
    app,
    simulator,
    async close() {
      await app.close()
      await simulator.close()
    },
  }
}
