import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { invoiceOperations } from '../modules/invoices/index.ts'
import { reminderOperations } from '../modules/reminders/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'
import type { DemoParties } from './seed-parties.ts'

const dayMs = 86_400_000

/** A plan with words of its own for the last step, a disputed invoice, a promise to pay, a buyer who gets no reminders, and a reminder by hand. */
export async function seedReminders(
  runner: Runner,
  owner: UserCaller,
  { buyers }: DemoParties,
  { mayMail }: { mayMail: boolean },
): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const step = (days: number) => ({ days, minimums: [], templates: [] })
  await act(reminderOperations.savePlan, {
    isOn: true,
    hour: 9,
    buyers: 'all',
    steps: [
      step(-3),
      step(1),
      step(7),
      {
        days: 14,
        minimums: [{ currency: 'NGN', amountMinor: 5_000_00n }],
        templates: [
          {
            language: null,
            subject: 'Please pay {number} now: {amount due}',
            body: 'Dear {buyer},\n\n{amount due} has been due since {due date}. Please pay now, or call us.\n\n{link}\n\nThank you.\n{seller}',
          },
        ],
      },
    ],
  })
  await act(reminderOperations.chooseBuyer, { id: buyers['Accra Imports'], choice: 'never' })
  const { rows } = await act(invoiceOperations.listInvoices, {
    filter: { paymentStatus: 'overdue' },
    sort: { by: 'dueDate', descending: false },
    page: { page: 1, limit: 20 },
  })
  const [disputed, promised, late] = rows.filter(({ buyerId }) => buyerId !== null)
  if (disputed) await act(reminderOperations.disputeInvoice, { id: disputed.id, reason: 'Two bags arrived torn.' })
  const day = businessDay(new Date(systemClock.now().getTime() + 5 * dayMs), 'Africa/Lagos')
  if (promised)
    await act(reminderOperations.promisePayment, { id: promised.id, day, remark: 'After their own customer has paid.' })
  if (late && mayMail) await act(reminderOperations.remindBuyer, { id: late.id })
}
