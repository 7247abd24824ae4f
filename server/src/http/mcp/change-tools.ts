import Type, { type TObject, type TProperties } from 'typebox'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { Fields, means, OneOf, Uuid } from '../definitions/fields.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { RouteValues } from '../server/call-route.ts'
import { mayCall } from '../server/route-rules.ts'
import { type Action, type ActionName, actionFields, actionOf, actions, openActions, valuesOf } from './actions.ts'
import { pick } from './compact-schema.ts'
import { linesOf } from './details.ts'
import { withIds } from './named-in-words.ts'
import { fingerprintOf, type Preview, previewOf } from './preview-of-action.ts'
import { creditsOf, spendingOf } from './previews.ts'
import type { PreparedAction, RouteOf, ToolAnswer, ToolContext, ToolMaker } from './tool.ts'

const optional = <S extends TProperties[string]>(meaning: string, schema: S) => Type.Optional(means(meaning, schema))
const confirmNext =
  'Nothing has happened yet. Show this to the person, and call confirm_action with the token if they agree.'
const askForMore =
  'Nothing has happened yet. This change exceeds a limit of the program, so confirm_action would be refused. Ask the person to do it in the dashboard, or to change the limits at /settings/programs.'

interface Prepared {
  readonly name: ActionName
  readonly values: RouteValues
  readonly preview: Preview
  readonly billable?: readonly string[]
}

/** A fingerprint of the preview is stored with the values of the request. */
interface Content extends RouteValues {
  readonly seen?: string
}

/** The preview of an action, with the token that confirms exactly this. */
async function previewed(context: ToolContext, prepared: Prepared): Promise<ToolAnswer> {
  const { name, values, preview } = prepared
  const { object, document, about, details, more } = preview
  const action: Action = actions[name]
  const credits = await creditsOf(context, prepared.billable ?? [action.costs])
  const spending = document && spendingOf(action, document, (values.body as { amount?: unknown } | undefined)?.amount)
  const content: Content = { ...values, seen: fingerprintOf(preview) }
  const { token, expiresAt, limits } = await context.prepare({ action: name, content, object, spending })
  const { mode } = context.source.caller.tenant
  const summary = `${name.replaceAll('_', ' ')}: ${about}. Mode: ${mode}.`
  const data = {
    prepared: name,
    summary,
    mode,
    details,
    ...more,
    credits,
    undo: action.undo,
    ...(limits ? { limits } : {}),
    confirmation: { token, expiresAt: expiresAt.toISOString() },
    next: limits?.isExceeded ? askForMore : confirmNext,
  }
  // Do not ask a person to confirm what would be refused.
  if (limits?.isExceeded) return { data }
  const lines = [summary, ...linesOf(details), `${action.undo} Costs ${credits} credits.`, ...(limits?.words ?? [])]
  return { data, question: { token, text: lines.join('\n') } }
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

/** What a model cannot guess. */
const meanings: Readonly<Record<string, string>> = {
  invoiceKind: 'B2B, B2C or B2G. B2B and B2G need a buyer.',
  invoiceDate: 'Default: today.',
  currency: 'A code of ISO 4217.',
  notes: 'Printed on the document.',
  unitCode: 'Such as EA or LTR: look_up unit.',
  taxCategory: 'standard, zero or exempt.',
  hsnCode: 'Of goods: look_up product_code.',
  isicCode: 'Of a service: look_up service_code.',
}
const meant = (name: string, field: TProperties[string]) =>
  meanings[name] === undefined ? field : means(meanings[name], field)

function draftInput(routeOf: RouteOf, maySubmit: boolean, mayChange: boolean): TObject {
  const body = routeOf(routes.invoices.create).body as TObject
  const line = (body.properties as Record<string, { readonly items: TObject }>).lineItems?.items as TObject
  const words = Type.String({ minLength: 2, maxLength: 100 })
  return Type.Object(
    {
      ...Object.fromEntries(
        Object.entries(pick(body, draftFields)).map(([name, field]) => [name, Type.Optional(meant(name, field))]),
      ),
      buyer: optional('Instead of buyerId: the name or tax number of a saved buyer.', words),
      lineItems: Type.Optional(
        Type.Array(
          Type.Object({
            item: optional('Instead of itemId: the name of a saved item, which fills what the line leaves out.', words),
            ...Object.fromEntries(
              Object.entries(pick(line, lineFields)).map(([name, field]) => [name, meant(name, field)]),
            ),
          }),
          {
            maxItems: 500,
            description: 'Amounts in major units.',
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
      const values = { body: { invoiceDate: context.today(), ...body } }
      const name = submit === true ? 'create_and_submit' : 'create_draft'
      return await previewed(context, {
        name,
        values,
        preview: await previewOf(context, routeOf, name, values),
        ...(submit === true ? { billable: ['invoice.create', 'invoice.submit'] } : {}),
      })
    },
  }
}

/** The preview of a draft with changes. */
async function changed(context: ToolContext, routeOf: RouteOf, id: string, change: object): Promise<ToolAnswer> {
  const name = 'change_draft'
  const values = { params: { id }, body: change }
  const preview = await previewOf(context, routeOf, name, values)
  return await previewed(context, {
    name,
    values: { ...values, expectedVersion: preview.object?.version },
    preview,
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
      const values = valuesOf(actions[name], String(invoiceId), input)
      context.check(actions[name].route, values)
      return await previewed(context, { name, values, preview: await previewOf(context, routeOf, name, values) })
    },
  }
}

const otherwiseNow = (): Refusal =>
  refuse('version.stale', {
    message: 'What you prepared would now do something else, such as with another price or buyer. Prepare it again.',
  })

/** Why the action must not begin now: what the person saw is no longer so. */
async function staleness(
  context: ToolContext,
  routeOf: RouteOf,
  name: ActionName,
  { object, content }: PreparedAction,
): Promise<Refusal | undefined> {
  const { seen, ...values } = content as Content
  try {
    const preview = await previewOf(context, routeOf, name, values)
    if (preview.object?.version !== object?.version) return refuse('version.stale')
    return seen === fingerprintOf(preview) ? undefined : otherwiseNow()
  } catch (error) {
    // The object may be gone. An effect that already happened still gets its answer.
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Runs the prepared action, once. A repeated token gets the first answer. */
export async function confirmed(context: ToolContext, routeOf: RouteOf, token: string): Promise<ToolAnswer> {
  const { key, isInTime, ...prepared } = await context.confirm(token)
  const name = prepared.action as ActionName
  const action = actionOf(name)
  if (!action) throw refuse('confirmation.unknown')
  const refusal = isInTime ? await staleness(context, routeOf, name, prepared) : refuse('confirmation.unknown')
  const once = { key, refusal }
  return { data: { done: name, result: await context.data(action.route, prepared.content as RouteValues, once) } }
}

/** Asking the authority costs credits, so it is no reading. */
const prepareTaxNumberLookup: ToolMaker = (caller, routeOf) =>
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
          const name = 'look_up_tax_number'
          const preview = await previewOf(context, routeOf, name, values)
          return await previewed(context, { name, values, preview })
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
        run: (context, { token }) => confirmed(context, routeOf, String(token)),
      }
    : undefined

export const changeTools: readonly ToolMaker[] = [...prepareTools, confirmAction]
