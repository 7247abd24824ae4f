import Type, { type TSchema } from 'typebox'
import { decimalText } from '../../kernel/decimal.ts'
import { instalmentStatuses } from '../../kernel/instalments.ts'
import { type InstalmentInput, instalmentLimits } from '../../kernel/resolve-instalments.ts'
import { derivedStatuses, type InvoiceSummary } from '../../modules/invoices/index.ts'
import { Day, List, Maybe, MinorUnits, means, Named, OneOf } from '../definitions/fields.ts'
import { type Amount, decimalOrNull } from './amounts.ts'

const { least, most } = instalmentLimits

/** The instalments of a draft. Each form has its own way to write a number. */
export const instalmentsField = <Number extends TSchema>(number: Number, name = 'NewInstalment') =>
  Type.Optional(
    means(
      'The days on which parts of the total are due, oldest first. All have `percent`, or all have `amount`. `null` removes them. The due date of the document is that of the last instalment.',
      Maybe(
        Type.Array(
          Named(name, {
            dueDate: means(
              'The day on which this part is due. After the day of the instalment before, and not before the document.',
              Day,
            ),
            percent: Type.Optional(
              means(
                'The part of the total in percent, with at most 4 decimals. All instalments together are 100. Must be left out if `amount` is sent.',
                Maybe(number),
              ),
            ),
            amount: Type.Optional(
              means(
                'The part in major units such as dollars. All instalments together are the total of the document with tax. Must be left out if `percent` is sent.',
                Maybe(number),
              ),
            ),
          }),
          { minItems: least, maxItems: most },
        ),
      ),
    ),
  )

interface SentInstalment {
  readonly dueDate: string
  readonly percent?: Amount | null | undefined
  readonly amount?: Amount | null | undefined
}

/** `null` removes the instalments; `undefined` leaves them. */
export const toInstalments = (
  sent: readonly SentInstalment[] | null | undefined,
): readonly InstalmentInput[] | null | undefined =>
  sent == null
    ? sent
    : sent.map(({ dueDate, percent, amount }) => ({
        dueDate,
        percent: decimalOrNull(percent),
        amount: decimalOrNull(amount),
      }))

/** What is to be paid when. */
export const PaymentTimesView = {
  instalments: means(
    'The days on which parts of the total are due, oldest first. Payments and credit notes settle the oldest first. Null if the whole total is due on one day.',
    Maybe(
      List(
        Named('Instalment', {
          dueDate: means('The day on which this part is due.', Day),
          percent: means(
            'The part of the total in percent, as a decimal number. Null if an amount was sent.',
            Maybe(Type.String()),
          ),
          amountMinor: means('The amount of this part, in minor units.', MinorUnits),
          dueMinor: means('What payments and credit notes have left of this part, in minor units.', MinorUnits),
          status: means(
            '`unpaid`: nothing of it is paid. `partially_paid`: a part is. `paid`: nothing is left to pay of it, also because of credit notes. `overdue`: something is left after its due date, even if a part is paid.',
            OneOf(...instalmentStatuses),
          ),
        }),
      ),
    ),
  ),
  nextDueDate: means(
    'The day on which the next payment is due: that of the oldest unpaid instalment, or `dueDate`. Null if nothing is left to pay, or without a due date.',
    Maybe(Day),
  ),
  nextDueMinor: means('The amount due on `nextDueDate`, in minor units.', MinorUnits),
  overdueMinor: means('The part of `dueMinor` whose day has passed, in minor units.', MinorUnits),
}

export function toPaymentTimes(invoice: InvoiceSummary, today: string) {
  const next = derivedStatuses.nextInstalmentOf(invoice)
  return {
    instalments:
      derivedStatuses
        .instalmentStatesOf(invoice, today)
        ?.map(({ dueDate, percent, amountMinor, dueMinor, status }) => ({
          dueDate,
          percent: percent && decimalText(percent),
          amountMinor: Number(amountMinor),
          dueMinor: Number(dueMinor),
          status,
        })) ?? null,
    nextDueDate: next?.dueDate ?? null,
    nextDueMinor: Number(next?.dueMinor ?? 0),
    overdueMinor: Number(derivedStatuses.overdueMinor(invoice, today)),
  }
}
