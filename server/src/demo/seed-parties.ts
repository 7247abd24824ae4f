import { systemCaller, type UserCaller } from '../kernel/callers.ts'
import { openAccount } from '../modules/billing/index.ts'
import { type BuyerId, buyerOperations, createBuyer } from '../modules/buyers/index.ts'
import { createItem, type ItemId, itemOperations } from '../modules/items/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

const at = (line1: string, city: string, state: string) => ({ line1, city, state, country: 'NG' })

/**
 * The last four digits of a tax number choose the simulated authority's answer (verified, not found, another name, no answer). They also
 * choose the outcome of an invoice to its holder: docs/authority.md has the list.
 */
const buyers = [
  {
    name: 'Bello Foods Ltd',
    taxId: '20411873-0001',
    partyType: 'company',
    email: 'accounts@bello.test',
    address: at('14 Allen Avenue', 'Ikeja', 'Lagos'),
  },
  {
    name: 'Adébáyọ̀ & Sons',
    taxId: '19872234-9409',
    partyType: 'partnership',
    email: 'books@adebayo.test',
    language: 'yo',
    address: at('3 Ring Road', 'Ibadan', 'Oyo'),
  },
  {
    name: 'Kano Textiles PLC',
    taxId: '21099384-9404',
    partyType: 'company',
    email: 'payables@kanotextiles.test',
    language: 'ha',
    address: at('8 Bompai Road', 'Kano', 'Kano'),
  },
  {
    name: 'Rivers State Hospitals',
    taxId: '18800213-9503',
    partyType: 'government',
    email: 'stores@rivershospitals.test',
    address: at('1 Aba Road', 'Port Harcourt', 'Rivers'),
  },
  { name: 'Chiamaka Obi', partyType: 'individual', email: 'chiamaka@example.test', phone: '+2348030000001' },
  {
    name: 'Accra Imports',
    taxId: 'GH-C0004411239',
    taxIdType: 'foreign',
    partyType: 'company',
    email: 'import@accra.test',
    language: 'fr',
    address: { line1: '5 Harbour Road', city: 'Tema', country: 'GH' },
  },
  {
    name: 'Sabon Gari Mini Mart',
    taxId: '20733190-9001',
    partyType: 'company',
    email: 'office@sabongari.test',
    address: at('21 Niger Street', 'Kano', 'Kano'),
  },
  {
    name: 'Lekki Cold Rooms Ltd',
    taxId: '21440087-9002',
    partyType: 'company',
    email: 'accounts@lekkicold.test',
    address: at('9 Admiralty Way', 'Lekki', 'Lagos'),
  },
  {
    name: 'Onitsha Bridge Traders',
    taxId: '20910455-9005',
    partyType: 'partnership',
    email: 'hello@onitshabridge.test',
    address: at('2 Bridgehead Market', 'Onitsha', 'Anambra'),
  },
  {
    name: 'Zaria Flour Mills',
    taxId: '19920716-9006',
    partyType: 'company',
    email: 'finance@zariaflour.test',
    address: at('40 Sokoto Road', 'Zaria', 'Kaduna'),
  },
  {
    name: 'Ibadan Bakers Ltd',
    taxId: '22015547-0001',
    partyType: 'company',
    email: 'orders@ibadanbakers.test',
    address: at('11 Dugbe Road', 'Ibadan', 'Oyo'),
  },
  {
    name: 'Calabar Freezers',
    taxId: '20655812-0001',
    partyType: 'company',
    email: 'accounts@calabarfreezers.test',
    address: at('6 Marian Road', 'Calabar', 'Cross River'),
  },
] as const

const base = {
  description: null,
  hsnCode: null,
  serviceCode: null,
  currency: 'NGN',
  taxCategory: 'standard',
  sku: null,
}
const items = [
  {
    ...base,
    name: 'Parboiled rice, 50 kg',
    itemType: 'goods',
    hsnCode: '1006.30',
    productCategory: 'Grains',
    unitCode: 'XBG',
    unitPriceMinor: '6850000',
    taxCategory: 'zero',
    sku: 'RICE-50',
  },
  {
    ...base,
    name: 'Palm oil, 25 litres',
    itemType: 'goods',
    hsnCode: '1511.10',
    productCategory: 'Oils',
    unitCode: 'LTR',
    unitPriceMinor: '195000.50',
    sku: 'OIL-25',
  },
  {
    ...base,
    name: 'Delivery within Lagos',
    itemType: 'service',
    serviceCode: '4923',
    productCategory: 'Haulage',
    unitCode: 'EA',
    unitPriceMinor: '750000',
  },
  {
    ...base,
    name: 'Bookkeeping, by the hour',
    itemType: 'service',
    serviceCode: '6920',
    productCategory: 'Advice',
    unitCode: 'HUR',
    unitPriceMinor: '1250000',
  },
  {
    ...base,
    name: 'Old crate',
    itemType: 'goods',
    hsnCode: '3923.10',
    productCategory: 'Packaging',
    unitCode: 'EA',
    unitPriceMinor: '50000',
  },
] as const

export type DemoBuyer = (typeof buyers)[number]['name']
export type DemoItem = (typeof items)[number]['name']

/** The demo organisation's buyers and items. */
export interface DemoParties {
  readonly buyers: Readonly<Record<DemoBuyer, BuyerId>>
  readonly items: Readonly<Record<DemoItem, ItemId>>
}

/** Buyers with every kind of tax number, and items of both kinds. The demo owner creates them through the ordinary operations. */
export async function seedParties(runner: Runner, owner: UserCaller): Promise<DemoParties> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const { organisationId } = owner.tenant
  await runner.run(openAccount, { caller: systemCaller, origin: demoOrigin, input: { organisationId } })
  const buyerIds = {} as Record<DemoBuyer, BuyerId>
  for (const buyer of buyers) {
    const { id, taxIdType } = await act(createBuyer, buyer)
    buyerIds[buyer.name] = id
    if (taxIdType === 'national') await act(buyerOperations.verifyBuyer, { id })
  }
  const itemIds = {} as Record<DemoItem, ItemId>
  for (const item of items) {
    const { id } = await act(createItem, item)
    itemIds[item.name] = id
    if (item.name === 'Old crate') await act(itemOperations.archiveItem, { id })
  }
  return { buyers: buyerIds, items: itemIds }
}
