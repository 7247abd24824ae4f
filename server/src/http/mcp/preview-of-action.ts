import { hash } from 'node:crypto'
import { parseDecimal } from '../../kernel/decimal.ts'
import { checkedMinor, moneyInWords } from '../../kernel/money-words.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { RouteValues } from '../server/call-route.ts'
import { type Action, type ActionName, actions } from './actions.ts'
import {
  authorityProblems,
  type Details,
  detailsOfInvoice,
  furtherDetails,
  lineDetails,
  recipientOf,
  removedFields,
} from './details.ts'
import { outside } from './outside-words.ts'
import { asNewInvoice, checkOf, type Shown, type WrittenContent, withoutItems } from './previews.ts'
import type { PreparedAction, RouteOf, ToolContext } from './tool.ts'

/** What an action would do now. A person sees it before the action is confirmed, and it must still be so when it is. */
export interface Preview {
  readonly object: PreparedAction['object']
  readonly document: Pick<Shown, 'currency' | 'payableMinor'> | null
  /** the object of the change in our own words, without texts that others wrote */
  readonly about: string
  readonly details: Details
  /** everything that would be written, also the lines that `details` leaves out; the version of a document stands for its lines */
  readonly written?: WrittenContent
  readonly more: Readonly<Record<string, unknown>>
}

const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Of what the person saw and of what would be written. Storing and reading values changes the order of their fields. */
export function fingerprintOf({ document, details, written }: Preview): string {
  const seen = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([document?.currency, document?.payableMinor, seen, written], printable))
}

export async function previewOf(
  context: ToolContext,
  routeOf: RouteOf,
  name: ActionName,
  values: RouteValues,
): Promise<Preview> {
  const id = String(values.params?.id)
  if (name === 'create_draft' || name === 'create_and_submit')
    return await ofNewInvoice(context, routeOf, values.body as object)
  if (name === 'change_draft') return await ofChange(context, routeOf, id, values.body as object)
  if (name === 'look_up_tax_number') return ofLookUp(String(values.params?.value))
  return await ofDocument(context, routeOf, name, id, values.body as Body)
}

type Body = Readonly<Record<string, string>> | undefined

async function ofNewInvoice(context: ToolContext, routeOf: RouteOf, draft: object): Promise<Preview> {
  const { check, written } = await checkOf(context, routeOf, draft)
  const currency = String((draft as Record<string, unknown>).currency)
  const { payableMinor } = check
  return {
    object: null,
    document: { currency, payableMinor },
    about: `a new invoice of ${moneyInWords(BigInt(payableMinor), currency)}`,
    details: await detailsOfInvoice(context, { ...draft }, { check, written }),
    written,
    more: { currency, authorityCheck: check },
  }
}

/** Of a draft with changes. */
async function ofChange(context: ToolContext, routeOf: RouteOf, id: string, change: object): Promise<Preview> {
  const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
  const before = data as Shown
  const after: Shown = { ...withoutItems(before), ...('buyerId' in change ? { buyer: null } : {}), ...change }
  const { check, written } = await checkOf(context, routeOf, asNewInvoice(routeOf, after))
  const { payableMinor } = check
  const removed = removedFields(before, after)
  const details = await detailsOfInvoice(context, after, { check, written })
  const [was, is] = [before.payableMinor, payableMinor].map((one) => moneyInWords(BigInt(one), after.currency))
  return {
    object: { id, version },
    document: { currency: after.currency, payableMinor },
    about: `${before.invoiceNumber} from ${was} to ${is}`,
    details: removed.length === 0 ? details : { ...details, removes: removed.join(', ') },
    written,
    more: { currency: after.currency, authorityCheck: check },
  }
}

async function ofDocument(
  context: ToolContext,
  routeOf: RouteOf,
  name: ActionName,
  id: string,
  body: Body,
): Promise<Preview> {
  const { reports, mails }: Action = actions[name]
  const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
  const shown = data as Shown
  const { invoiceNumber, status, currency, payableMinor, dueMinor } = shown
  const amount = amountOf(name, shown, body?.amount)
  // The check knows invoices only. Notes and prepayments are checked when they are submitted.
  const isChecked =
    reports === 'document' && shown.invoiceType === 'standard' && context.mayCall(routes.invoices.validate)
  const check = isChecked ? await checkOfDocument(context, routeOf, shown) : undefined
  const whole = `${invoiceNumber} of ${moneyInWords(BigInt(payableMinor), currency)}`
  return {
    object: { id, version },
    document: { currency, payableMinor },
    about: amount === undefined ? whole : `${amount} of ${whole}`,
    details: {
      buyer: shown.buyer ? outside(shown.buyer.name) : 'none',
      ...(mails ? { sendsTo: await recipientOf(context, shown) } : {}),
      amount,
      stillDue: moneyInWords(BigInt(dueMinor), currency),
      ...givenWords(body),
      ...(reports === 'document'
        ? { reportUntil: shown.reporting.dueAt ?? undefined, lines: lineDetails(shown.lineItems, currency) }
        : {}),
      ...(reports ? { authorityProblems: authorityProblems(check) } : {}),
      ...(reports === 'document' ? await furtherDetails(context, shown) : {}),
    },
    more: {
      document: { id, invoiceNumber, status, currency, payableMinor, dueMinor },
      ...(check ? { authorityCheck: check } : {}),
    },
  }
}

/** An issued document has its own copy of the buyer. Only a new document needs a buyer that is not archived. */
async function checkOfDocument(context: ToolContext, routeOf: RouteOf, shown: Shown) {
  try {
    return (await checkOf(context, routeOf, asNewInvoice(routeOf, withoutItems(shown)))).check
  } catch (error) {
    const isIssued = shown.status !== 'draft'
    if (isIssued && error instanceof Refusal && error.refusal === 'invoice.buyer_archived') return undefined
    throw error
  }
}

/** The money that an action is about, if that is not the whole document. */
function amountOf(name: ActionName, { currency, payableMinor, creditedMinor }: Shown, given: unknown) {
  const words = (minor: bigint) => moneyInWords(minor, currency)
  const sent = given === undefined ? undefined : parseDecimal(String(given))
  if (sent) return words(checkedMinor('amount', sent, currency))
  return name === 'credit_note' || name === 'cancel'
    ? `the rest, ${words(BigInt(payableMinor - creditedMinor))},`
    : undefined
}

/** The other fields of the request. Texts of the caller may quote others, such as a reason from a mail. */
const givenWords = (body: Body): Details =>
  Object.fromEntries(
    Object.entries(body ?? {})
      .filter(([name]) => name !== 'amount')
      .map(([name, value]) => [name, name === 'paidOn' ? value : outside(value)]),
  )

const ofLookUp = (taxNumber: string): Preview => ({
  object: null,
  document: null,
  about: 'ask the tax authority who is registered under a tax number',
  details: { taxNumber: outside(taxNumber) },
  more: {},
})
