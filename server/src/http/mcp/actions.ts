import Type, { type TProperties } from 'typebox'
import type { TokenCaller } from '../../kernel/callers.ts'
import { Day, means } from '../definitions/fields.ts'
import type { AnyRouteDefinition } from '../definitions/route-definition.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { RouteValues } from '../server/call-route.ts'
import { mayCall } from '../server/route-rules.ts'

/** How much money an action counts for, out of a program's spending limit. */
type Counts = 'document' | 'amount' | 'nothing'

/** One thing that can be prepared and confirmed: a route, and what a person must know before it runs. */
export interface Action {
  readonly route: AnyRouteDefinition
  /** the fields of the request beside the document */
  readonly fields: readonly (keyof typeof actionFields)[]
  /** the billable action of the price list */
  readonly costs?: string
  readonly counts: Counts
  /** what this action reports, or prepares for it: the document itself, or a note that the action makes */
  readonly reports?: 'document' | 'note'
  /** whether the buyer gets an email */
  readonly mails?: true
  readonly undo: string
}

const optional = <S extends TProperties[string]>(meaning: string, schema: S) => Type.Optional(means(meaning, schema))

/** The fields of all actions, once. */
export const actionFields = {
  reason: optional('Why: for cancel and credit_note. Printed on the note.', Type.String()),
  amount: optional(
    'In major units. For record_payment; for credit_note, the amount with tax to credit, or leave it out to credit the rest.',
    Type.String(),
  ),
  paidOn: optional('For record_payment.', Day),
  method: optional('For record_payment, such as bank transfer.', Type.String()),
  reference: optional('For record_payment: of the bank.', Type.String()),
}

const noReturn = 'Cannot be undone.'
const mail = 'A sent email cannot be taken back.'

/** The actions on a document. The routes have the rules; this table has the words for a person. */
export const actions = {
  finalise: {
    route: routes.invoices.finalise,
    fields: [],
    counts: 'document',
    reports: 'document',
    undo: 'The document can be reopened until it is submitted, sent or shared.',
  },
  submit: {
    route: routes.submissions.submit,
    fields: [],
    costs: 'invoice.submit',
    counts: 'document',
    reports: 'document',
    undo: 'The tax authority keeps what it accepts. Only a credit note can correct it.',
  },
  retry: { route: routes.submissions.retry, fields: [], counts: 'nothing', undo: noReturn },
  reopen: {
    route: routes.invoices.reopen,
    fields: [],
    counts: 'nothing',
    undo: 'Can be finalised again. Everyone who received the earlier version then receives the new one.',
  },
  send: { route: routes.invoices.send, fields: [], counts: 'nothing', mails: true, undo: mail },
  remind: { route: routes.invoices.remind, fields: [], counts: 'nothing', mails: true, undo: mail },
  record_payment: {
    route: routes.invoices.recordPayment,
    fields: ['amount', 'paidOn', 'method', 'reference'],
    counts: 'amount',
    undo: 'A person can reverse the payment.',
  },
  credit_note: {
    route: routes.invoices.createCreditNote,
    fields: ['reason', 'amount'],
    costs: 'invoice.create',
    counts: 'amount',
    undo: 'Makes a draft, which can be deleted. Finalise and submit it to make it count.',
  },
  cancel: {
    route: routes.submissions.cancel,
    fields: ['reason'],
    costs: 'invoice.submit',
    counts: 'document',
    reports: 'note',
    undo: `${noReturn} Creates and submits a credit note for the rest of the invoice.`,
  },
  create_draft: {
    route: routes.invoices.create,
    fields: [],
    costs: 'invoice.create',
    counts: 'nothing',
    undo: 'A draft can be deleted. Its number is not used again.',
  },
  change_draft: { route: routes.invoices.update, fields: [], counts: 'nothing', undo: 'A draft can be changed again.' },
  look_up_tax_number: {
    route: routes.reference.lookUpTaxId,
    fields: [],
    costs: 'tax_id.lookup',
    counts: 'nothing',
    undo: 'The credits are taken if the tax authority answers, also if it does not know the number.',
  },
  create_and_submit: {
    route: routes.submissions.createAndSubmit,
    fields: [],
    costs: 'invoice.submit',
    counts: 'document',
    undo: 'The tax authority keeps what it accepts. Only a credit note can correct it.',
  },
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof actions
export const actionOf = (name: string): Action | undefined =>
  Object.hasOwn(actions, name) ? actions[name as ActionName] : undefined

/** The actions with a document that exists, in the order of a document's life. */
const withDocument: readonly ActionName[] = [
  'finalise',
  'submit',
  'send',
  'remind',
  'record_payment',
  'credit_note',
  'cancel',
  'retry',
  'reopen',
]

export const openActions = (caller: TokenCaller): ActionName[] =>
  mayCall(routes.invoices.get, caller) ? withDocument.filter((name) => mayCall(actions[name].route, caller)) : []

/** The request of an action on a document. */
export function valuesOf(action: Action, id: string, input: Readonly<Record<string, unknown>>): RouteValues {
  const given = action.fields.filter((name) => input[name] !== undefined).map((name) => [name, input[name]])
  return { params: { id }, ...(action.fields.length > 0 ? { body: Object.fromEntries(given) } : {}) }
}
