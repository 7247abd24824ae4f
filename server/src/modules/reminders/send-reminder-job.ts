import type { Tenant } from '../../kernel/tenant.ts'
import { job } from '../../platform/jobs/jobs.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { Invoice } from '../invoices/index.ts'
import type { ReminderStep } from './reminder-plan.ts'

/** The mail of the plan for one buyer and day. */
export interface ReminderMailRef extends Tenant {
  readonly buyerId: BuyerId
  readonly day: string
}

export const sendReminderJob = job<ReminderMailRef>('send-reminder', 'mail')

/** An invoice in a mail of the plan, with the step that it is reminded by. */
export interface RemindedInvoice {
  readonly invoice: Invoice
  readonly step: ReminderStep
}
