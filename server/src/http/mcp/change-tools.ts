import Type, { type TObject, type TProperties } from 'typebox'
import { parseDecimal } from '../../kernel/decimal.ts'
import { checkedMinor, moneyInWords } from '../../kernel/money-words.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import { Fields, means, OneOf, Uuid } from '../definitions/fields.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { RouteValues } from '../server/call-route.ts'
import { mayCall } from '../server/route-rules.ts'
import { type Action, type ActionName, actionFields, actionOf, actions, openActions, valuesOf } from './actions.ts'
import { pick } from './compact-schema.ts'
import { authorityProblems, type Details, detailsOfInvoice, lineDetails, linesOf } from './details.ts'
import { withIds } from './named-in-words.ts'
import { outside } from './outside-words.ts'
import { asNewInvoice, checkOf, creditsOf, type InvoiceCheck, type Shown, spendingOf } from './previews.ts'
import type { PreparedAction, RouteOf, ToolAnswer, ToolContext, ToolMaker } from './tool.ts'

const optional = <S extends TProperties[string]>(meaning: string, schema: S) => Type.Optional(means(meaning, schema))
const confirmNext =
  'Nothing has happened yet. Show this to the person, and call confirm_action with the token if they agree.'

interface Prepared {
  readonly name: ActionName
  readonly values: RouteValues
  readonly object: PreparedAction['object']
  readonly document: Pick<Shown, 'currency' | 'payableMinor'> | null
  readonly amount?: unknown
  readonly billable?: readonly string[]
  /** the object of the change in our own words, without texts that others wrote */
  readonly about: string
  readonly details: Details
  readonly more: Readonly<Record<string, unknown>>
}

/** The preview of an action, with the token that confirms exactly this. */
async function previewed(context: ToolContext, prepared: Prepared): Promise<ToolAnswer> {
  const { name, values, object, document, about, details } = prepared
  const action: Action = actions[name]
  const credits = await creditsOf(context, prepared.billable ?? [action.costs])
  const spending = document && spendingOf(action, document, prepared.amount)
  const { token, expiresAt } = await context.prepare({ action: name, content: values, object, spending })
  const { mode } = context.asker.caller.tenant
  const summary = `${name.replaceAll('_', ' ')}: ${about}. Mode: ${mode}.`
  const data = {
    prepared: name,
    summary,
    mode,
    details,
    ...prepared.more,
    credits,
    undo: action.undo,
    confirmation: { token, expiresAt: expiresAt.toISOString() },
    next: confirmNext,
  }
  const text = [summary, ...linesOf(details), `${action.undo} Costs ${credits} credits.`].join('\n')
  return { data, question: { token, text } }
}

const draftFields = ['invoiceKind', 'invoiceDate', 'dueDate', 'currency', 'buyerId', 'allowanceAmount', 'notes']
const lineFields = [
  'itemId',
  'description',
  'quantity',
  'unitPrice',
  'unitCode',
  'taxCategory',
  'hsnCode',
  'isicCode',
  'discountAmount',
]

function draftInput(routeOf: RouteOf, maySubmit: boolean, mayChange: boolean): TObject {
  const body = routeOf(routes.invoices.create).body as TObject
  const line = (body.properties as Record<string, { readonly items: TObject }>).lineItems?.items as TObject
  const words = Type.String({ minLength: 2, maxLength: 100 })
  return Type.Object(
    {
      ...Object.fromEntries(
        Object.entries(pick(body, draftFields)).map(([name, field]) => [name, Type.Optional(field)]),
      ),
      buyer: optional('Instead of buyerId: the name or tax number of a saved buyer.', words),
      lineItems: Type.Optional(
        Type.Array(
          Type.Object({
            item: optional('Instead of itemId: the name of a saved item, which fills what the line leaves out.', words),
            ...pick(line, lineFields),
          }),
          {
            maxItems: 500,
            description: 'Amounts in major units. taxCategory: standard, zero or exempt.',
          },
        ),
      ),
      ...(mayChange ? { draftId: optional('To change this draft instead of making one.', Uuid) } : {}),
      ...(maySubmit
        ? { submit: optional('Also finalise it and submit it to the tax authority.', Type.Boolean()) }
        : {}),
    },
    { additionalProperties: true },
  )
}

const prepareInvoice: ToolMaker = (caller, routeOf) => {
  const mayCreate = mayCall(routes.invoices.create, caller)
  if (!mayCreate || !mayCall(routes.invoices.validate, caller)) return undefined
  const maySubmit = mayCall(routes.submissions.createAndSubmit, caller)
  const mayChange = mayCall(routes.invoices.update, caller) && mayCall(routes.invoices.get, caller)
  return {
    name: 'prepare_invoice',
    title: 'Prepare an invoice',
    description:
      'Checks a new invoice (or a changed draft) and returns its totals, what the tax authority would reject, and a token for confirm_action. Saves nothing. All fields of POST /i/v1/invoices are allowed.',
    reads: false,
    input: draftInput(routeOf, maySubmit, mayChange),
    async run(context, { draftId, submit = false, ...words }) {
      const body = await withIds(context, words)
      if (draftId !== undefined) return await changed(context, routeOf, String(draftId), body)
      const draft = { invoiceDate: context.today(), ...body }
      const check = (await checkOf(context, draft)) as InvoiceCheck
      const currency = String((draft as Record<string, unknown>).currency)
      const { payableMinor } = check
      return await previewed(context, {
        name: submit === true ? 'create_and_submit' : 'create_draft',
        values: { body: draft },
        object: null,
        document: { currency, payableMinor },
        ...(submit === true ? { billable: ['invoice.create', 'invoice.submit'] } : {}),
        about: `a new invoice of ${moneyInWords(BigInt(payableMinor), currency)}`,
        details: await detailsOfInvoice(context, draft, check),
        more: { currency, authorityCheck: check },
      })
    },
  }
}

/** The preview of a draft with changes. */
async function changed(context: ToolContext, routeOf: RouteOf, id: string, change: object): Promise<ToolAnswer> {
  const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
  const before = data as Shown
  const after: Shown = { ...before, ...('buyerId' in change ? { buyer: null } : {}), ...change }
  const check = (await checkOf(context, asNewInvoice(routeOf, after))) as InvoiceCheck
  const { payableMinor } = check
  const [was, is] = [before.payableMinor, payableMinor].map((one) => moneyInWords(BigInt(one), after.currency))
  return await previewed(context, {
    name: 'change_draft',
    values: { params: { id }, body: change, expectedVersion: version },
    object: { id, version },
    document: { currency: after.currency, payableMinor },
    about: `${before.invoiceNumber} from ${was} to ${is}`,
    details: await detailsOfInvoice(context, after, check),
    more: { currency: after.currency, authorityCheck: check },
  })
}

const prepareAction: ToolMaker = (caller, routeOf) => {
  const open = openActions(caller)
  if (open.length === 0) return undefined
  const fields = new Set(open.flatMap((name): readonly string[] => actions[name].fields))
  return {
    name: 'prepare_action',
    title: 'Prepare an action',
    description:
      'Returns what an action on a document would do: amounts, what the tax authority would reject, credits, what cannot be undone, and a token for confirm_action. Changes nothing.',
    reads: false,
    input: Fields({
      action: OneOf(...open),
      invoiceId: Uuid,
      ...Object.fromEntries(Object.entries(actionFields).filter(([name]) => fields.has(name))),
    }),
    async run(context, { action: wanted, invoiceId, ...input }) {
      const name = wanted as ActionName
      const action: Action = actions[name]
      const { reports } = action
      const id = String(invoiceId)
      const values = valuesOf(action, id, input)
      context.check(action.route, values)
      const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
      const shown = data as Shown
      const { invoiceNumber, status, currency, payableMinor, dueMinor } = shown
      const amount = amountOf(name, shown, input.amount)
      // The check knows invoices only. Notes and prepayments are checked when they are submitted.
      const check =
        reports === 'document' && shown.invoiceType === 'standard'
          ? await checkOf(context, asNewInvoice(routeOf, shown))
          : undefined
      const whole = `${invoiceNumber} of ${moneyInWords(BigInt(payableMinor), currency)}`
      return await previewed(context, {
        name,
        values,
        object: { id, version },
        document: { currency, payableMinor },
        amount: input.amount,
        about: amount === undefined ? whole : `${amount} of ${whole}`,
        details: {
          buyer: shown.buyer ? outside(shown.buyer.name) : 'none',
          amount,
          stillDue: moneyInWords(BigInt(dueMinor), currency),
          ...givenWords(values.body),
          ...(reports === 'document' ? { lines: await lineDetails(context, shown) } : {}),
          ...(reports ? { authorityProblems: authorityProblems(check) } : {}),
        },
        more: {
          document: { id, invoiceNumber, status, currency, payableMinor, dueMinor },
          ...(check ? { authorityCheck: check } : {}),
        },
      })
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
const givenWords = (body: unknown): Details =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, string>)
      .filter(([name]) => name !== 'amount')
      .map(([name, value]) => [name, name === 'paidOn' ? value : outside(value)]),
  )

/** Whether the object has not changed since the preview. */
async function staleness({ call }: ToolContext, object: PreparedAction['object']): Promise<Refusal | undefined> {
  if (!object) return undefined
  const { version } = await call(routes.invoices.get, { params: { id: object.id } })
  return version === object.version ? undefined : refuse('version.stale')
}

/** Runs the prepared action, once. A repeated token gets the first answer. */
export async function confirmed(context: ToolContext, token: string): Promise<ToolAnswer> {
  const { action: name, content, object, key, isInTime } = await context.confirm(token)
  const action = actionOf(name)
  if (!action) throw refuse('confirmation.unknown')
  const refusal = isInTime ? await staleness(context, object) : refuse('confirmation.unknown')
  const once = { key, refusal }
  return { data: { done: name, result: await context.data(action.route, content as RouteValues, once) } }
}

/** Asking the authority costs credits, so it is no reading. */
const prepareTaxNumberLookup: ToolMaker = (caller) =>
  mayCall(actions.look_up_tax_number.route, caller)
    ? {
        name: 'prepare_tax_number_lookup',
        title: 'Prepare a look-up of a tax number',
        description:
          'Returns what it costs to ask the tax authority who is registered under a tax number, and a token for confirm_action. Asks nothing.',
        reads: false,
        input: Fields({ taxNumber: Type.String({ minLength: 1, maxLength: 100 }) }),
        async run(context, { taxNumber }) {
          const values = { params: { value: taxNumber } }
          context.check(actions.look_up_tax_number.route, values)
          return await previewed(context, {
            name: 'look_up_tax_number',
            values,
            object: null,
            document: null,
            about: 'ask the tax authority who is registered under a tax number',
            details: { taxNumber: outside(String(taxNumber)) },
            more: {},
          })
        },
      }
    : undefined

const prepareTools: readonly ToolMaker[] = [prepareInvoice, prepareAction, prepareTaxNumberLookup]

const confirmAction: ToolMaker = (caller, routeOf) =>
  prepareTools.some((make) => make(caller, routeOf))
    ? {
        name: 'confirm_action',
        title: 'Confirm an action',
        description:
          'Does exactly what was prepared. Only after the person has agreed to the preview. Within ten minutes; repeating it does nothing twice.',
        reads: false,
        destructive: true,
        input: Fields({ token: means('From the preview.', Type.String({ minLength: 1, maxLength: 200 })) }),
        run: (context, { token }) => confirmed(context, String(token)),
      }
    : undefined

export const changeTools: readonly ToolMaker[] = [...prepareTools, confirmAction]
