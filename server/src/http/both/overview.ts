import Type from 'typebox'
import { ages } from '../../modules/overview/index.ts'
import { overviewEndpoints as endpoints } from '../endpoints/overview.ts'
import { Fields, Instant, isoOrNull, List, Maybe, MinorUnits, Named, OneOf } from '../fields.ts'
import { speak } from '../speak.ts'
import { exactMinor } from './amounts.ts'

const count = (description: string) => Type.Integer({ description })

const View = Named('Overview', {
  months: List(
    Named('OverviewMonth', {
      month: Type.String({ format: 'date', description: 'its first day' }),
      currency: Type.String(),
      documents: count('how many were issued in it, notes included'),
      invoicedMinor: MinorUnits,
      taxMinor: MinorUnits,
      paidMinor: MinorUnits,
    }),
  ),
  receivables: List(
    Fields({
      age: OneOf(...ages),
      currency: Type.String(),
      count: count('How many documents are that late. The list of invoices with `overdue=true` has all that are late.'),
      dueMinor: MinorUnits,
    }),
  ),
  reports: Fields({
    late: count('documents that should be with the tax authority by now'),
    soon: count('documents that have to be there by `until`'),
    nextAt: Maybe(Instant),
    until: Type.String({
      format: 'date-time',
      description:
        'The time up to which `soon` counts: a day from now, to the full hour. The list of invoices with `reportDueTo` set to it has the same documents.',
    }),
  }),
  unknownOutcomes: count('submissions that were given up, and of which nobody knows whether they arrived'),
  authorityOutage: Maybe(Fields({ since: Instant })),
})

export const overview = {
  get: speak(endpoints.get, {
    status: 200,
    reply: View,
    decode: () => undefined,
    encode: ({ months, receivables, reports, unknownOutcomes, authorityOutage }) => ({
      months: months.map(({ month, currency, documents, invoicedMinor, taxMinor, paidMinor }) => ({
        month,
        currency,
        documents,
        invoicedMinor: exactMinor(invoicedMinor),
        taxMinor: exactMinor(taxMinor),
        paidMinor: exactMinor(paidMinor),
      })),
      receivables: receivables.map(({ age, currency, count, dueMinor }) => ({
        age,
        currency,
        count,
        dueMinor: exactMinor(dueMinor),
      })),
      reports: {
        late: reports.late,
        soon: reports.soon,
        nextAt: isoOrNull(reports.nextAt),
        until: reports.until.toISOString(),
      },
      unknownOutcomes,
      authorityOutage: authorityOutage ? { since: authorityOutage.since.toISOString() } : null,
    }),
  }),
}
