import type { TokenCaller } from '../../kernel/callers.ts'
import { type Fault, invalid, Refusal } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { createBuyer, findBuyersNamed } from '../buyers/index.ts'
import { createInvoice } from '../invoices/index.ts'
import { createItem, findItemsBySku } from '../items/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { taxIdentityOf } from '../tax-identities/index.ts'
import type { ImportKind } from './columns.ts'
import type { ImportRecord } from './import.ts'

type Body = Readonly<Record<string, unknown>>
type WorkContext = Inside<TokenCaller>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The saved buyer that a row names by tax number or by name; exactly one must match. */
async function buyerOf(context: WorkContext, body: Body): Promise<string | undefined> {
  const { tx, caller, ports } = context
  const [taxId, name] = [textOf(body.buyerTaxId), textOf(body.buyerName)]
  if (taxId === undefined && name === undefined) return undefined
  const path = taxId === undefined ? 'buyerName' : 'buyerTaxId'
  const taxIdNormal =
    taxId === undefined ? undefined : taxIdentityOf(jurisdictionOf(ports, caller), taxId, undefined, path).taxIdNormal
  const found = await findBuyersNamed(tx, caller.tenant, taxIdNormal ? { taxIdNormal } : { name: name ?? '' }, 2)
  const [buyer, another] = found
  if (!buyer) throw invalid([{ path, rule: 'not_found', message: 'is not a saved buyer; import the buyers first' }])
  if (another)
    throw invalid([
      { path, rule: 'ambiguous', message: 'is the name of several buyers; add a column with the tax number' },
    ])
  return buyer.id
}

/** The lines, with saved items instead of their SKUs. */
async function linesOf({ tx, caller }: WorkContext, lines: readonly Body[]): Promise<object[]> {
  const skus = [...new Set(lines.flatMap(({ sku }) => textOf(sku) ?? []))]
  const items = skus.length === 0 ? new Map<string, string>() : await findItemsBySku(tx, caller.tenant, skus)
  const faults: Fault[] = []
  const found = lines.map(({ sku, ...line }, at) => {
    if (typeof sku !== 'string') return line
    const itemId = items.get(sku)
    if (itemId !== undefined) return { ...line, itemId }
    faults.push({
      path: `lineItems[${at}].sku`,
      rule: 'not_found',
      message: 'is not a saved item; import the items first',
    })
    return line
  })
  if (faults.length > 0) throw invalid(faults)
  return found
}

/** The default country of an address is that of the organisation. */
function withCountry(body: Body, country: string | undefined): Body {
  const { address } = body
  return typeof address === 'object' && address !== null ? { ...body, address: { country, ...address } } : body
}

function checked<Input>(
  reader: { faultsOf(body: object): readonly Fault[]; inputOf(body: object): Input },
  body: Body,
) {
  const faults = reader.faultsOf(body)
  if (faults.length > 0) throw invalid([...faults])
  return reader.inputOf(body)
}

const isMade = <Made>(made: Made | Refusal): Made => {
  if (made instanceof Refusal) throw made
  return made
}

/** Creates a record by the operation of its API request; returns its id. */
export async function makeRecord(context: WorkContext, kind: ImportKind, { body }: ImportRecord): Promise<string> {
  const { tx, caller, ports } = context
  const readers = ports.importReaders
  const outside = { ...context, db: tx, throttle: async () => {} }
  if (kind === 'buyers') {
    const input = checked(readers.buyers, withCountry(body, caller.country))
    return isMade(await (await createBuyer.prepare(outside, input))(context)).id
  }
  const { currency } = jurisdictionOf(ports, caller)
  if (kind === 'items') {
    const input = checked(readers.items, { currency, ...body })
    return isMade(await (await createItem.prepare(outside, input))(context)).id
  }
  const { buyerTaxId: _, buyerName: __, lineItems, ...rest } = body
  const buyerId = await buyerOf(context, body)
  const request = {
    currency,
    ...rest,
    ...(buyerId === undefined ? {} : { buyerId }),
    lineItems: await linesOf(context, lineItems as readonly Body[]),
  }
  // Without a kind in the file, the kind follows from the buyer; the request needs one to pass the check.
  const draft = checked(readers.invoices, { invoiceKind: 'B2B', ...request })
  const input = body.invoiceKind === undefined ? { ...draft, kind: undefined } : draft
  return isMade(await createInvoice.fallback(context, await createInvoice.plan(outside, input))).id
}
