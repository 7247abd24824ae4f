import Type, { type TObject, type TProperties } from 'typebox'
import { invalid } from '../../kernel/refusals.ts'
import { Day, Fields, means, OneOf, Uuid } from '../definitions/fields.ts'
import type { AnyRouteDefinition } from '../definitions/route-definition.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import { mayCall } from '../server/route-rules.ts'
import { pick } from './compact-schema.ts'
import { explainRejection } from './explain-rejection.ts'
import { outside } from './outside-words.ts'
import type { Tool, ToolContext, ToolMaker } from './tool.ts'

/** One choice of a tool that does several similar things. */
interface Choice {
  readonly route: AnyRouteDefinition
  run(context: ToolContext, input: Record<string, unknown>): Promise<unknown>
}

const optional = <S extends TProperties[string]>(meaning: string, schema: S) => Type.Optional(means(meaning, schema))
const After = optional('`nextCursor` of the page before.', Type.String())
const Limit = optional('At most 100.', Type.Integer({ minimum: 1, maximum: 100 }))

/** The fields of an invoice that a list shows unless the caller names others. */
const listedFields = [
  'id',
  'invoiceNumber',
  'invoiceType',
  'status',
  'buyer',
  'invoiceDate',
  'dueDate',
  'currency',
  'payableMinor',
  'dueMinor',
  'overdue',
  'paymentStatus',
] as const

const filters = [
  'search',
  'status',
  'invoiceType',
  'paymentStatus',
  'reporting',
  'overdue',
  'age',
  'buyerId',
  'currency',
  'invoiceDateFrom',
  'invoiceDateTo',
  'dueDateFrom',
  'dueDateTo',
  'amountFromMinor',
  'amountToMinor',
  'sortBy',
  'sortOrder',
]

const withFields = (rows: unknown, names: readonly string[]): unknown =>
  (rows as Record<string, unknown>[]).map((row) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]])),
  )

const findInvoices: ToolMaker = (caller, routeOf) => {
  const route = routes.invoices.list
  if (!mayCall(route, caller)) return undefined
  return {
    name: 'find_invoices',
    title: 'Find invoices',
    description:
      'Lists invoices and notes that match all filters. Amounts ending in Minor are in minor units such as cents.',
    reads: true,
    input: Fields({
      ...pick(routeOf(route).query as TObject, filters),
      search: means(
        'Start of the number, or a part of the buyer’s name or tax number.',
        (routeOf(route).query as TObject).properties.search as TProperties[string],
      ),
      limit: Limit,
      after: After,
      fields: optional(
        'Fields of the rows, named as in get_invoice. Default: the most useful ones.',
        Type.Array(Type.String(), { maxItems: 60 }),
      ),
    }),
    async run(context, { fields = listedFields, ...query }) {
      const page = await context.page(route, { query })
      return { data: { ...page, rows: withFields(page.rows, fields as string[]) } }
    },
  }
}

const byInvoice = Fields({ invoiceId: means('The id of the invoice.', Uuid) })

const getInvoice: ToolMaker = (caller) =>
  mayCall(routes.invoices.get, caller)
    ? {
        name: 'get_invoice',
        title: 'Get an invoice',
        description: 'One invoice or note with lines, payments, its way to the tax authority, and rejections in words.',
        reads: true,
        input: byInvoice,
        async run(context, { invoiceId: id }) {
          const values = { params: { id } }
          const [invoice, timeline, payments] = await Promise.all([
            context.data(routes.invoices.get, values),
            context.data(routes.submissions.getTimeline, values),
            context.data(routes.invoices.listPayments, values),
          ])
          const { report, attempts } = timeline as Record<string, unknown>
          return { data: { invoice, report, attempts, payments } }
        },
      }
    : undefined

/** The worst first, and few: a list to begin a day with. */
const attentionRows = 10
const attention = [
  { name: 'needsAttention', query: { reporting: 'needs_attention' } },
  { name: 'overdue', query: { overdue: 'true', sortBy: 'dueDate', sortOrder: 'ASC' } },
  { name: 'drafts', query: { status: 'draft' } },
  { name: 'notReported', query: { reporting: 'not_reported' } },
] as const

const needsAttention: ToolMaker = (caller) =>
  mayCall(routes.overview.get, caller) && mayCall(routes.invoices.list, caller)
    ? {
        name: 'what_needs_attention',
        title: 'What needs attention',
        description:
          'Rejected and unclear documents, overdue invoices, drafts, documents not reported, deadlines, and payments that need a person.',
        reads: true,
        input: Fields({}),
        async run(context) {
          const lists = attention.map(async ({ name, query }) => {
            const page = await context.page(routes.invoices.list, { query: { ...query, limit: attentionRows } })
            return [name, { total: page.total, rows: withFields(page.rows, listedFields) }]
          })
          const exceptions = routes.collection.listExceptions
          const [overview, ...found] = await Promise.all([
            context.data(routes.overview.get, {}),
            ...lists,
            ...(context.mayCall(exceptions)
              ? [context.page(exceptions, { query: { limit: attentionRows } }).then((page) => ['payments', page])]
              : []),
          ])
          const { reports, unknownOutcomes, authorityOutage } = overview as Record<string, unknown>
          return { data: { reports, unknownOutcomes, authorityOutage, ...Object.fromEntries(found) } }
        },
      }
    : undefined

const statementOfAccount: ToolMaker = (caller, routeOf) => {
  const route = routes.buyerAccounts.get
  if (!mayCall(route, caller)) return undefined
  return {
    name: 'statement_of_account',
    title: 'Statement of account',
    description:
      'What one buyer owed at the start and end of a period, and every document, payment and refund between. Default: this month.',
    reads: true,
    input: Fields({
      buyerId: means('The id of the buyer, from look_up.', Uuid),
      ...pick(routeOf(route).query as TObject, ['currency', 'from', 'to', 'after']),
    }),
    run: async (context, { buyerId, ...query }) => ({
      data: await context.data(route, { params: { id: buyerId }, query: { ...query, limit: 100 } }),
    }),
  }
}

const vatPosition: ToolMaker = (caller) =>
  mayCall(routes.taxReturns.list, caller)
    ? {
        name: 'vat_position',
        title: 'VAT position',
        description:
          'Output tax, input tax and the tax payable of a month, with its due date. Without a month: the last twelve months.',
        reads: true,
        input: Fields({ month: optional('Such as 2026-11.', Type.String()) }),
        run: async (context, { month }) =>
          month === undefined
            ? { data: await context.page(routes.taxReturns.list, { query: { limit: 12 } }) }
            : { data: await context.data(routes.taxReturns.get, { params: { period: month } }) },
      }
    : undefined

/** Several similar readings behind one name: fewer tools are easier to choose from. */
function choosing(
  about: Pick<Tool, 'name' | 'title' | 'description'> & { readonly meaning: string; readonly more: TProperties },
  choices: Readonly<Record<string, Choice>>,
): ToolMaker {
  return (caller) => {
    const { name, title, description, meaning, more } = about
    const open = Object.keys(choices).filter((one) => mayCall((choices[one] as Choice).route, caller))
    if (open.length === 0) return undefined
    return {
      name,
      title,
      description,
      reads: true,
      input: Fields({ what: means(meaning, OneOf(...open)), ...more }),
      run: async (context, { what, ...input }) => ({
        data: await (choices[what as string] as Choice).run(context, input),
      }),
    }
  }
}

const query = (route: AnyRouteDefinition, fixed: (words: string) => Record<string, unknown>): Choice => ({
  route,
  run: (context, { words, after, limit = 20 }) => {
    if (typeof words !== 'string') throw invalid([{ path: 'words', rule: 'required', message: 'is required' }])
    return context.page(route, { query: { ...fixed(words), after, limit } })
  },
})

interface Coded {
  readonly code: string
  readonly name: string
}

/** Entries of a code list whose code is the words, or whose name contains each of them. The shortest names come first. */
const codes = (type: string): Choice => ({
  route: routes.reference.readList,
  async run(context, { words, limit = 20 }) {
    const { data } = await context.call(routes.reference.readList, { params: { type } })
    const wanted = String(words).toLowerCase().split(/\s+/).filter(Boolean)
    const found = (data as { readonly entries: readonly Coded[] }).entries
      .filter(({ code, name }) => {
        const lower = name.toLowerCase()
        return code.toLowerCase() === wanted.join(' ') || wanted.every((word) => lower.includes(word))
      })
      .sort((one, other) => one.name.length - other.name.length)
    const rows = found.slice(0, Number(limit)).map(({ code, name }) => ({ code, name: outside(name) }))
    return { rows, total: found.length }
  },
})

const lookUp = choosing(
  {
    name: 'look_up',
    title: 'Look up',
    description:
      'Finds buyers (also by tax number), saved items, sellers, and codes of products, services and units by words. Free.',
    meaning: 'What to look for.',
    more: {
      words: means('A name, some words, or a code.', Type.String({ minLength: 1, maxLength: 100 })),
      limit: optional('At most 20.', Type.Integer({ minimum: 1, maximum: 20 })),
    },
  },
  {
    buyer: query(routes.buyers.search, (q) => ({ q })),
    item: query(routes.items.list, (q) => ({ q })),
    seller: query(routes.sellers.search, (q) => ({ q })),
    product_code: query(routes.reference.searchProductCodes, (search) => ({ search })),
    service_code: codes('service-codes'),
    unit: codes('units'),
  },
)

const listing = (route: AnyRouteDefinition, fixed: Record<string, unknown> = {}): Choice => ({
  route,
  run: (context, { after, limit = 20, buyerId }) =>
    context.page(route, { query: { ...fixed, after, limit, ...(buyerId === undefined ? {} : { buyerId }) } }),
})

const money = choosing(
  {
    name: 'money',
    title: 'Money',
    description:
      'Who owes how much, and what was paid. `owed`: amounts due by age. `due_invoices`: all with an amount due, also partly paid ones, the oldest due date first.',
    meaning: 'Which figures.',
    more: { buyerId: optional('Only of this buyer.', Uuid), limit: Limit, after: After },
  },
  {
    owed: {
      route: routes.overview.get,
      run: async (context) => {
        const { receivables, months } = (await context.data(routes.overview.get, {})) as Record<string, unknown>
        return { receivables, months }
      },
    },
    due_invoices: {
      route: routes.invoices.list,
      run: async (context, { after, limit = 20, buyerId }) => {
        const sorted = { sortBy: 'dueDate', sortOrder: 'ASC' }
        const due = { amountDue: true, counted: true, ...sorted, limit, after, buyerId }
        const page = await context.page(routes.invoices.list, { query: due })
        return { ...page, rows: withFields(page.rows, listedFields) }
      },
    },
    received_payments: listing(routes.collection.listPayments),
    unmatched_payments: listing(routes.collection.listExceptions),
    buyer_credits: listing(routes.collection.listCredits),
  },
)

const receivedInvoices: ToolMaker = (caller, routeOf) => {
  const route = routes.receivedInvoices.list
  if (!mayCall(route, caller)) return undefined
  return {
    name: 'received_invoices',
    title: 'Received invoices',
    description:
      'Invoices from suppliers, their faults, and the input VAT that can be claimed. With an id: one with its lines.',
    reads: true,
    input: Fields({
      id: optional('Of one invoice.', Type.String()),
      ...pick(routeOf(route).query as TObject, ['q', 'paymentStatus', 'currency', 'taxId', 'sort']),
      issueDateFrom: Type.Optional(Day),
      issueDateTo: Type.Optional(Day),
      limit: Limit,
      after: After,
    }),
    run: async (context, { id, ...query }) =>
      id === undefined
        ? { data: await context.page(route, { query }) }
        : { data: await context.data(routes.receivedInvoices.get, { params: { id } }) },
  }
}

interface Me extends Readonly<Record<string, unknown>> {
  readonly organizationId: string | null
  readonly program?: { readonly organizationName: unknown }
}

/** `null` if the caller may not read it. */
async function organisationName(context: ToolContext, { organizationId }: Me): Promise<unknown> {
  if (organizationId === null || !context.mayCall(routes.organisations.get)) return null
  const found = await context.data(routes.organisations.get, { params: { orgId: organizationId } })
  return (found as { readonly name: unknown }).name
}

/** For every caller: an assistant can be connected to several organisations, and a person asks it what it may do. */
const whoAmI: ToolMaker = ({ capabilities }) => ({
  name: 'who_am_i',
  title: 'Who am I',
  description:
    'Organisation, mode and capabilities of this connection, its spending limits, and what it confirmed today.',
  reads: true,
  input: Fields({}),
  async run(context) {
    const me = (await context.data(routes.identity.whoAmI, {})) as Me
    const organizationName = me.program?.organizationName ?? (await organisationName(context, me))
    // Our own names need no mark.
    return { data: { ...me, organizationName, capabilities: [...capabilities].sort() } }
  },
})

export const readTools: readonly ToolMaker[] = [
  whoAmI,
  findInvoices,
  getInvoice,
  explainRejection,
  needsAttention,
  statementOfAccount,
  vatPosition,
  lookUp,
  money,
  receivedInvoices,
]
