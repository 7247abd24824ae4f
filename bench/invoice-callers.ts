import type { OpenRuntime } from '../server/src/bin/runtime.ts'
import { type KeyCaller, systemCaller } from '../server/src/kernel/callers.ts'
import { type Id, newId } from '../server/src/kernel/ids.ts'
import { mintKey, presets } from '../server/src/modules/api-keys/index.ts'
import { openAccount } from '../server/src/modules/billing/index.ts'
import { createBuyer } from '../server/src/modules/buyers/index.ts'
import { issue } from '../server/src/modules/credits/index.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import { createInvoice } from '../server/src/modules/invoices/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { followProfile } from '../server/src/modules/sellers/follow-profile.ts'
import { type Inside, operation } from '../server/src/platform/operations/operation.ts'

const origin = { requestId: 'bench', address: '', userAgent: '' }

/** An organisation that creates invoices, with its own API key. */
export interface InvoiceCaller {
  readonly caller: KeyCaller
  readonly key: string
  readonly buyerId: Id<'buyer'>
}

const act = <Result>({ runner }: OpenRuntime, body: (context: Inside<typeof systemCaller>) => Promise<Result>) =>
  runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

async function newCaller(open: OpenRuntime, nth: number): Promise<InvoiceCaller> {
  const organisationId = await act(open, async (context) => {
    const founder = { id: newId<'user'>(), email: `${newId()}@bench.test` }
    const person = { ...founder, passwordHash: '', firstName: 'B', lastName: 'B', emailVerifiedAt: null }
    await insertPerson(context.tx, person, context.now)
    return await foundOrganisation(context, founder, { name: `Bench ${nth}`, country: 'NG' })
  })
  const input = { organisationId }
  await open.runner.run(openAccount, { caller: systemCaller, origin, input })
  await open.runner.run(followProfile, { caller: systemCaller, origin, input })
  const tenant = { organisationId, mode: 'sandbox' } as const
  const { key, id } = await act(open, async (context) => {
    await issue(context, tenant, 'grant', 1_000_000_000n, 'bench')
    return await mintKey(context, organisationId, {
      mode: 'sandbox',
      name: 'Bench',
      ownCapabilities: presets.full_integration,
      createdBy: null,
    })
  })
  const caller: KeyCaller = {
    kind: 'api_key',
    keyId: id,
    name: 'Bench',
    itself: true,
    tenant,
    country: 'NG',
    capabilities: new Set(presets.full_integration),
  }
  const buyer = await open.runner.run(createBuyer, {
    caller,
    origin,
    input: { name: 'Chidi Stores Limited', partyType: 'company', email: 'accounts@chidi.test' },
  })
  const first = { caller, key, buyerId: buyer.id }
  // The first invoice creates the number series.
  await open.runner.run(createInvoice, { caller, origin, input: draftOf(first) })
  return first
}

export async function newCallers(open: OpenRuntime, count: number): Promise<InvoiceCaller[]> {
  const callers: InvoiceCaller[] = []
  for (let nth = 1; nth <= count; nth++) callers.push(await newCaller(open, nth))
  return callers
}

const descriptions = [
  'Bag of cement',
  'Iron rod, 12 mm',
  'Roofing sheet',
  'Delivery to site',
  'Paint, 20 litres, white',
]

/** An invoice of five lines as an API request. */
export const bodyOf = ({ buyerId }: Pick<InvoiceCaller, 'buyerId'>): object => ({
  buyerId,
  invoiceKind: 'B2B',
  invoiceDate: '2026-11-02',
  dueDate: '2026-12-02',
  currency: 'NGN',
  paymentTerms: 'Payment within 30 days by bank transfer',
  notes: 'Thank you for your business. Goods are delivered to your warehouse in Ikeja.',
  lineItems: descriptions.map((description, at) => ({
    description: `${description}, delivered ${at + 1}`,
    hsnCode: '2523.29',
    productCategory: 'Portland cement other than white',
    quantity: String(at + 2),
    unitCode: 'XBG',
    unitPrice: '4500.50',
    discountAmount: '10.00',
    taxCategory: 'standard',
  })),
})

/** The same invoice as input of the core operation. */
export const draftOf = ({ buyerId }: Pick<InvoiceCaller, 'buyerId'>) => ({
  type: 'standard' as const,
  kind: 'B2B',
  primarySellerOnly: true as const,
  buyerId,
  issueDate: '2026-11-02',
  dueDate: '2026-12-02',
  currency: 'NGN',
  paymentTerms: 'Payment within 30 days by bank transfer',
  notes: 'Thank you for your business. Goods are delivered to your warehouse in Ikeja.',
  lines: descriptions.map((description, at) => ({
    description: `${description}, delivered ${at + 1}`,
    hsnCode: '2523.29',
    productCategory: 'Portland cement other than white',
    quantity: { units: BigInt(at + 2), scale: 0 },
    unitCode: 'XBG',
    unitPrice: { units: 450050n, scale: 2 },
    discount: { units: 10n, scale: 0 },
    taxCategory: 'standard',
  })),
})
