import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { parseDecimal } from '../kernel/decimal.ts'
import { recurringOperations, type recurringSchedules } from '../modules/recurring-invoices/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'
import type { DemoParties } from './seed-parties.ts'

type NewSchedule = recurringSchedules.NewSchedule
type Line = NewSchedule['template']['lines'][number]

const dayMs = 86_400_000
const exactly = (text: string) => parseDecimal(text) as Line['quantity']

/**
 * Schedules in every state. Those that start today make their first invoice within a minute. One of them fails, because the tax authority
 * does not know its buyer.
 */
export async function seedRecurring(runner: Runner, owner: UserCaller, { buyers, items }: DemoParties): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const now = systemClock.now().getTime()
  const day = (ahead: number): string => businessDay(new Date(now + ahead * dayMs), 'Africa/Lagos')
  const monthly = {
    unit: 'month',
    every: 1,
    dayOfMonth: null,
    until: null,
    count: null,
    billing: 'in_advance',
  } as const
  const create = (
    name: string,
    recurrence: Partial<NewSchedule['recurrence']>,
    more: Partial<NewSchedule>,
    template: Partial<NewSchedule['template']> & { readonly lines: readonly Line[] },
  ) =>
    act(recurringOperations.createSchedule, {
      name,
      recurrence: { ...monthly, startsOn: day(0), ...recurrence },
      catchUp: 'all',
      policy: 'finalise',
      dueInDays: 14,
      ...more,
      template: { currency: 'NGN', primarySellerOnly: true, ...template },
    })
  await create(
    'Monthly books',
    {},
    {},
    {
      buyerId: buyers['Bello Foods Ltd'],
      notes: 'For {period}.',
      lines: [
        {
          itemId: items['Bookkeeping, by the hour'],
          quantity: exactly('4'),
          description: 'Bookkeeping in {month} {year}',
        },
      ],
    },
  )
  await create(
    'Weekly delivery',
    { unit: 'week', every: 2 },
    { policy: 'draft', catchUp: 'latest' },
    {
      buyerId: buyers['Ibadan Bakers Ltd'],
      lines: [
        { itemId: items['Palm oil, 25 litres'], quantity: exactly('6') },
        { itemId: items['Delivery within Lagos'], quantity: exactly('1') },
      ],
    },
  )
  await create(
    'Warehouse space',
    { dayOfMonth: 31, startsOn: day(1), count: 12 },
    { dueInDays: 30 },
    {
      buyerId: buyers['Calabar Freezers'],
      lines: [
        {
          description: 'Warehouse space, {period}',
          serviceCode: '6810',
          unitCode: 'MON',
          quantity: exactly('1'),
          unitPrice: exactly('185000'),
          taxCategory: 'exempt',
        },
      ],
    },
  )
  await create(
    'Quarterly stock-taking',
    { unit: 'quarter_end', billing: 'in_arrears' },
    {},
    {
      buyerId: buyers['Zaria Flour Mills'],
      lines: [
        { itemId: items['Bookkeeping, by the hour'], quantity: exactly('12'), description: 'Stock-taking {quarter}' },
      ],
    },
  )
  await create(
    'Rice for the canteen',
    { unit: 'week' },
    { policy: 'submit_and_send' },
    {
      buyerId: buyers['Kano Textiles PLC'],
      lines: [{ itemId: items['Parboiled rice, 50 kg'], quantity: exactly('3') }],
    },
  )
  const paused = await create(
    'Palm oil, paused for the season',
    { startsOn: day(10) },
    {},
    {
      buyerId: buyers['Bello Foods Ltd'],
      lines: [{ itemId: items['Palm oil, 25 litres'], quantity: exactly('20') }],
    },
  )
  await act(recurringOperations.pauseSchedule, { id: paused.id })
}
