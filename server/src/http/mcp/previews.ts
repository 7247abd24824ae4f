import type { TObject } from 'typebox'
import { parseDecimal } from '../../kernel/decimal.ts'
import { minorOf } from '../../kernel/money-words.ts'
import type { invoiceOperations } from '../../modules/invoices/index.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { Action } from './actions.ts'
import { asData, type Text } from './outside-words.ts'
import type { PreparedAction, RouteOf, ToolContext } from './tool.ts'

/** A document as the form shows it. */
export interface Shown extends Record<string, unknown> {
  readonly id: string
  readonly invoiceNumber: string
  readonly invoiceType: string
  readonly status: string
  readonly currency: string
  readonly payableMinor: number
  readonly dueMinor: number
  readonly creditedMinor: number
  readonly buyer: { readonly name: string } | null
  readonly reporting: { readonly dueAt: string | null }
  readonly lineItems: readonly Record<string, unknown>[]
}

/** Fields that only a new document can have, or that do not matter for the check. */
const notChecked: ReadonlySet<string> = new Set(['invoiceNumber', 'invoiceType', 'instalments'])

const fieldsIn = (schema: TObject, value: Readonly<Record<string, unknown>>) =>
  Object.entries(value).filter(([name, one]) => name in schema.properties && !notChecked.has(name) && one !== null)

/** The lines of a document lack nothing that their saved items could fill in. An item that was archived since does not matter. */
export const withoutItems = (document: Shown): Shown => ({
  ...document,
  lineItems: document.lineItems.map(({ itemId: _, ...line }) => line),
})

/** The request that would create this document, for the check of the authority's rules. */
export function asNewInvoice(routeOf: RouteOf, { lineItems, ...document }: Readonly<Record<string, unknown>>): unknown {
  const body = routeOf(routes.invoices.create).body as TObject
  const line = (body.properties as Record<string, { readonly items: TObject }>).lineItems?.items as TObject
  const lines = (lineItems as readonly Record<string, unknown>[]).map((one) => Object.fromEntries(fieldsIn(line, one)))
  return { ...Object.fromEntries(fieldsIn(body, document)), lineItems: lines }
}

/** The reply of the check, with the words of others marked. */
export interface InvoiceCheck {
  readonly problems: readonly { readonly path: Text; readonly message: Text }[]
  readonly netMinor: number
  readonly taxMinor: number
  readonly payableMinor: number
}

type PlannedInvoice = Awaited<ReturnType<typeof invoiceOperations.validateInvoice.body>>['invoice']

/** What saved items, buyers and sellers fill in, and what may therefore change before the confirmation. */
export type WrittenContent = Pick<PlannedInvoice, 'kind' | 'sellerId' | 'dueDate' | 'lines'>

export interface CheckedInvoice {
  readonly check: InvoiceCheck
  readonly written: WrittenContent
}

/** What the authority would reject, the totals, and what would be written. */
export async function checkOf(context: ToolContext, routeOf: RouteOf, body: unknown): Promise<CheckedInvoice> {
  const { data, output } = await context.call(routes.invoices.validate, { body })
  const { kind, sellerId, dueDate, lines } = (output as { readonly invoice: PlannedInvoice }).invoice
  const check = asData(data, routeOf(routes.invoices.validate).reply) as InvoiceCheck
  return { check, written: { kind, sellerId, dueDate, lines } }
}

interface Section {
  readonly actions: readonly { readonly action: string; readonly credits: number }[]
}

/** The credits that an action costs. */
export async function creditsOf({ call }: ToolContext, billable: readonly (string | undefined)[]): Promise<number> {
  if (billable.every((one) => one === undefined)) return 0
  const { data } = await call(routes.catalogue.listCosts, {})
  return (data as readonly Section[])
    .flatMap(({ actions }) => actions)
    .filter(({ action }) => billable.includes(action))
    .reduce((sum, { credits }) => sum + credits, 0)
}

/** The amount that an action counts for in a spending limit. */
export function spendingOf(
  { counts }: Action,
  { currency, payableMinor }: Pick<Shown, 'currency' | 'payableMinor'>,
  amount?: unknown,
): PreparedAction['spending'] {
  if (counts === 'nothing') return null
  const given = counts === 'amount' && amount !== undefined ? parseDecimal(String(amount)) : undefined
  return { amountMinor: (given && minorOf(given, currency)) ?? BigInt(payableMinor), currency }
}
