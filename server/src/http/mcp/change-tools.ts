import Type, { type TObject, type TProperties } from 'typebox'
import { moneyInWords } from '../../kernel/money-words.ts'
import { invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { RouteValues } from '../kernel/call-route.ts'
import { Fields, means, OneOf, Uuid } from '../kernel/fields.ts'
import { mayCall } from '../kernel/route-rules.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import { type ActionName, actionFields, actionOf, actions, openActions, valuesOf } from './actions.ts'
import { pick } from './compact-schema.ts'
import { outside } from './outside-words.ts'
import { asNewInvoice, checkOf, creditsOf, type Shown, spendingOf } from './previews.ts'
import type { PreparedAction, RouteOf, ToolAnswer, ToolContext, ToolMaker } from './tool.ts'

const optional = <S extends TProperties[string]>(meaning: string, schema: S) => Type.Optional(means(meaning, schema))
const confirmNext =
  'Nothing has happened yet. Show this to the person, and call confirm_action with the token if they agree.'

interface Prepared {
  readonly name: ActionName
  readonly values: RouteValues
  readonly object: PreparedAction['object']
  readonly document: Pick<Shown, 'currency' | 'payableMinor'>
  readonly amount?: unknown
  readonly billable?: readonly string[]
  /** the object of the change in our own words, without texts that others wrote */
  readonly about: string
  readonly more: Readonly<Record<string, unknown>>
}

/** The preview of an action, with the token that confirms exactly this. */
async function previewed(context: ToolContext, prepared: Prepared): Promise<ToolAnswer> {
  const { name, values, object, document, about } = prepared
  const action = actions[name]
  const costs = 'costs' in action ? [action.costs] : []
  const credits = await creditsOf(context, prepared.billable ?? costs)
  const spending = spendingOf(action, document, prepared.amount)
  const { token, expiresAt } = await context.prepare({ action: name, content: values, object, spending })
  const { mode } = context.asker.caller.tenant
  const summary = `${name.replaceAll('_', ' ')}: ${about}. Mode: ${mode}.`
  const data = {
    prepared: name,
    summary,
    mode,
    ...prepared.more,
    credits,
    undo: action.undo,
    confirmation: { token, expiresAt: expiresAt.toISOString() },
    next: confirmNext,
  }
  return { data, question: { token, text: `${summary} ${action.undo} Costs ${credits} credits.` } }
}

/** The only row that matches some words; otherwise a refusal that lists the matches. */
async function theOne(
  context: ToolContext,
  path: string,
  words: string,
  route: (typeof routes)['buyers']['search'] | (typeof routes)['items']['list'],
): Promise<string> {
  const { data } = await context.call(route, { query: { q: words, limit: 10 } })
  const rows = data as readonly { readonly id: string; readonly name: string }[]
  const exact = rows.filter(({ name }) => name.toLowerCase() === words.toLowerCase())
  const [found, ...others] = exact.length === 1 ? exact : rows
  if (found && others.length === 0) return found.id
  const message = found
    ? `means several: ${rows.map(({ id }) => id).join(', ')}; use look_up and send the id`
    : 'was not found; use look_up with other words, or send the id'
  throw invalid([{ path, rule: 'unknown', message }])
}

type Line = Readonly<Record<string, unknown>>

async function withItem(context: ToolContext, { item, ...line }: Line, index: number): Promise<Line> {
  if (typeof item !== 'string') return line
  return { ...line, itemId: await theOne(context, `lineItems[${index}].item`, item, routes.items.list) }
}

/** Buyers and items that are named in words become ids. */
async function resolved(context: ToolContext, { buyer, ...body }: Readonly<Record<string, unknown>>) {
  const lines = Array.isArray(body.lineItems) ? (body.lineItems as readonly Line[]) : undefined
  return {
    ...body,
    ...(typeof buyer === 'string' ? { buyerId: await theOne(context, 'buyer', buyer, routes.buyers.search) } : {}),
    ...(lines ? { lineItems: await Promise.all(lines.map((line, index) => withItem(context, line, index))) } : {}),
  }
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
      'Checks a new invoice (or a changed draft) and answers its totals, what the tax authority would refuse, and a token for confirm_action. Saves nothing. All fields of POST /i/v1/invoices are allowed.',
    reads: false,
    input: draftInput(routeOf, maySubmit, mayChange),
    async run(context, { draftId, submit = false, ...words }) {
      const body = await resolved(context, words)
      if (draftId !== undefined) return await changed(context, routeOf, String(draftId), body)
      const draft = { invoiceDate: context.today(), ...body }
      const check = (await checkOf(context, draft)) as Record<string, unknown>
      const currency = String((draft as Record<string, unknown>).currency)
      const payableMinor = Number(check.payableMinor)
      return await previewed(context, {
        name: submit === true ? 'create_and_submit' : 'create_draft',
        values: { body: draft },
        object: null,
        document: { currency, payableMinor },
        ...(submit === true ? { billable: ['invoice.create', 'invoice.submit'] } : {}),
        about: `a new invoice of ${moneyInWords(BigInt(payableMinor), currency)}`,
        more: { currency, authorityCheck: check },
      })
    },
  }
}

/** The preview of a draft with changes. */
async function changed(context: ToolContext, routeOf: RouteOf, id: string, change: object): Promise<ToolAnswer> {
  const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
  const before = data as Shown
  const after = { ...before, ...change }
  const check = (await checkOf(context, asNewInvoice(routeOf, after))) as Record<string, unknown>
  const payableMinor = Number(check.payableMinor)
  const [was, is] = [before.payableMinor, payableMinor].map((one) => moneyInWords(BigInt(one), after.currency))
  return await previewed(context, {
    name: 'change_draft',
    values: { params: { id }, body: change, expectedVersion: version },
    object: { id, version },
    document: { currency: after.currency, payableMinor },
    about: `${before.invoiceNumber} from ${was} to ${is}`,
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
      'Answers what an action on a document would do: amounts, what the tax authority would refuse, credits, what cannot be undone, and a token for confirm_action. Changes nothing.',
    reads: false,
    input: Fields({
      action: OneOf(...open),
      invoiceId: Uuid,
      ...Object.fromEntries(Object.entries(actionFields).filter(([name]) => fields.has(name))),
    }),
    async run(context, { action: wanted, invoiceId, ...input }) {
      const name = wanted as ActionName
      const action = actions[name]
      const id = String(invoiceId)
      const values = valuesOf(action, id, input)
      context.check(action.route, values)
      const { data, version = 0 } = await context.call(routes.invoices.get, { params: { id } })
      const shown = data as Shown
      const { invoiceNumber, status, currency, payableMinor, dueMinor, buyer } = shown
      const isChecked = 'isReported' in action && shown.invoiceType === 'standard'
      const check = isChecked ? await checkOf(context, asNewInvoice(routeOf, shown)) : undefined
      return await previewed(context, {
        name,
        values,
        object: { id, version },
        document: { currency, payableMinor },
        amount: input.amount,
        about: `${invoiceNumber} of ${moneyInWords(BigInt(payableMinor), currency)}`,
        more: {
          document: {
            id,
            invoiceNumber,
            status,
            currency,
            payableMinor,
            dueMinor,
            buyer: buyer && outside(buyer.name),
          },
          ...(values.body === undefined ? {} : { request: givenWords(values.body) }),
          ...(check ? { authorityCheck: check } : {}),
        },
      })
    },
  }
}

/** Texts of the caller may quote others, such as a reason from a mail. */
const givenWords = (body: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [name, typeof value === 'string' ? outside(value) : value]),
  )

/** Whether the object has not changed since the preview. */
async function staleness({ call }: ToolContext, object: PreparedAction['object']): Promise<Refusal | undefined> {
  if (!object) return undefined
  const { version } = await call(routes.invoices.get, { params: { id: object.id } })
  return version === object.version ? undefined : refuse('version.stale')
}

/** Runs the prepared action, once. A repeated token gets the first answer. */
export async function confirmed(context: ToolContext, token: string): Promise<ToolAnswer> {
  const { action: name, content, object, key } = await context.confirm(token)
  const action = actionOf(name)
  if (!action) throw refuse('confirmation.unknown')
  const once = { key, refusal: await staleness(context, object) }
  return { data: { done: name, result: await context.data(action.route, content as RouteValues, once) } }
}

const confirmAction: ToolMaker = (caller, routeOf) =>
  prepareInvoice(caller, routeOf) || prepareAction(caller, routeOf)
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

export const changeTools: readonly ToolMaker[] = [prepareInvoice, prepareAction, confirmAction]
