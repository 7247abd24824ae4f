import { hash } from 'node:crypto'
import { parseDecimal } from '../../kernel/decimal.ts'
import { checkedMinor, moneyInWords } from '../../kernel/money-words.ts'
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
} from './details.ts'
import { outside } from './outside-words.ts'
import { asNewInvoice, checkOf, type InvoiceCheck, type Shown } from './previews.ts'
import type { PreparedAction, RouteOf, ToolContext } from './tool.ts'

/** What an action would do now. A person sees it before the action is confirmed, and it must still be so when it is. */
export interface Preview {
  readonly object: PreparedAction['object']
  readonly document: Pick<Shown, 'currency' | 'payableMinor'> | null
  /** the object of the change in our own words, without texts that others wrote */
  readonly about: string
  readonly details: Details
  readonly more: Readonly<Record<string, unknown>>
}

/** Of what the person saw. Storing and reading values changes the order of their fields. */
export function fingerprintOf({ document, details }: Preview): string {
  const seen = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([document?.currency, document?.payableMinor, seen]))
}

export async function previewOf(
  context: ToolContext,
  routeOf: RouteOf,
  name: ActionName,
  values: RouteValues,
): Promise<Preview> {
  const id = String(values.params?.id)
  if (name === 'create_draft' || name === 'create_and_submit') return await ofNewInvoice(context, values.body as object)
  if (name === 'change_draft') return await ofChange(context, routeOf, id, values.body as object)
  if (name === 'look_up_tax_number') return ofLookUp(String(values.params?.value))
  return await ofDocument(context, routeOf, name, id, values.body as Body)
}

type Body = Readonly<Record<string, string>> | undefined

async function ofNewInvoice(context: ToolContext, draft: object): Promise<Preview> {
  const check = (await checkOf(context, draft)) as InvoiceCheck
  const currency = String((draft as Record<string, unknown>).currency)
  const { payableMinor } = check
  return {
    object: null,
    document: { currency, payableMinor },
    about: `a new invoice of ${moneyInWords(BigInt(payableMinor), currency)}`,
    details: await detailsOfInvoice(context, { ...draft }, check),
    more: { currency, authorityCheck: check },
  }
}

/** Of a draft with changes. */
async function ofChange(context: ToolContext, routeOf: RouteOf, id: string, change: object): Promise<Preview> {
  const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
  const before = data as Shown
  const after: Shown = { ...before, ...('buyerId' in change ? { buyer: null } : {}), ...change }
  const check = (await checkOf(context, asNewInvoice(routeOf, after))) as InvoiceCheck
  const { payableMinor } = check
  const [was, is] = [before.payableMinor, payableMinor].map((one) => moneyInWords(BigInt(one), after.currency))
  return {
    object: { id, version },
    document: { currency: after.currency, payableMinor },
    about: `${before.invoiceNumber} from ${was} to ${is}`,
    details: await detailsOfInvoice(context, after, check),
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
  const check =
    reports === 'document' && shown.invoiceType === 'standard'
      ? await checkOf(context, asNewInvoice(routeOf, shown))
      : undefined
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
        ? { reportUntil: shown.reporting.dueAt ?? undefined, lines: await lineDetails(context, shown) }
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
