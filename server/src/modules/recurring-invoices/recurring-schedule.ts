import type { Capability } from '../../kernel/capabilities.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Fault, RefusalName } from '../../kernel/refusals.ts'
import type { DayName } from '../../kernel/written-fields.ts'
import type { DraftInput, InvoiceId } from '../invoices/index.ts'
import type { Recurrence } from './calendar.ts'

export type RecurringScheduleId = Id<'recurring-schedule'>

/** How far a new invoice is taken. */
export const policies = ['draft', 'finalise', 'submit', 'send', 'submit_and_send'] as const
export type Policy = (typeof policies)[number]

/** How periods are treated whose day passed in an outage. */
export const catchUps = ['all', 'latest', 'none'] as const
export type CatchUp = (typeof catchUps)[number]

export const scheduleStatuses = ['active', 'paused', 'ended'] as const
export type ScheduleStatus = (typeof scheduleStatuses)[number]

export const capabilitiesOf: Readonly<Record<Policy, readonly Capability[]>> = {
  draft: ['invoice.create'],
  finalise: ['invoice.create', 'invoice.finalise'],
  submit: ['invoice.create', 'invoice.finalise', 'invoice.submit'],
  send: ['invoice.create', 'invoice.finalise', 'invoice.send_to_buyer'],
  submit_and_send: ['invoice.create', 'invoice.finalise', 'invoice.submit', 'invoice.send_to_buyer'],
}

/** An invoice without its days and its number. Texts may have placeholders. */
export type InvoiceTemplate = Omit<
  DraftInput,
  'issueDate' | 'dueDate' | 'instalments' | 'exchangeRate' | 'number' | 'type' | 'issueTime' | 'supplyDate' | DayName
>

/** The content of the invoices from a day on. */
export interface ScheduleContent {
  readonly template: InvoiceTemplate
  readonly policy: Policy
  /** days from the invoice to its due date; null for invoices without one */
  readonly dueInDays: number | null
}

export interface NewSchedule extends ScheduleContent {
  readonly name: string
  readonly recurrence: Recurrence
  readonly catchUp: CatchUp
}

export interface RecurringSchedule extends NewSchedule {
  readonly id: RecurringScheduleId
  /** the person or key that the invoices are made for */
  readonly createdBy: { readonly type: 'user' | 'api_key'; readonly id: string }
  /** the days of planned changes: from each of them on, other contents count */
  readonly changesOn: readonly string[]
  readonly status: ScheduleStatus
  /** the next day on which an invoice is made; null if there is none */
  readonly nextOn: string | null
  /** the number of that day in the calendar rule, from 0 */
  readonly nextNumber: number
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `waiting`: refused for a reason that may pass, and tried again. `missed`: the day passed and is not made up for. */
export const runOutcomes = ['made', 'waiting', 'failed', 'skipped', 'missed'] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** The result of one period. */
export interface RecurringRun {
  readonly day: string
  readonly from: string
  readonly to: string
  readonly outcome: RunOutcome
  readonly invoiceId: InvoiceId | null
  readonly invoiceNumber: string | null
  /** why there is no invoice, or why the invoice was not sent after its acceptance */
  readonly refused: {
    readonly refusal: RefusalName
    readonly message: string
    readonly details: readonly Fault[]
  } | null
  readonly ranAt: Date
}

/** Refusals that pass without a change of the schedule, such as a used up limit of mails. */
export const mayPass = (refusal: RefusalName): boolean =>
  refusal.startsWith('limit.') ||
  ['credits.insufficient', 'billing.not_provisioned', 'dependency.unavailable'].includes(refusal)

/** How long a period waits at most before it fails. */
export const longestWaitMs = 3 * 24 * 60 * 60_000
