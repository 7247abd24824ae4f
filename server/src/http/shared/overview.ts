import Type from 'typebox'
import { exactMinor } from '../../kernel/exact-json.ts'
import { receivableAges } from '../../kernel/receivable-ages.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields, Instant, isoOrNull, List, Maybe, MinorUnits, means, Named, OneOf } from '../definitions/fields.ts'
import { overviewRoutes as routes } from '../routes/overview.ts'
import { meaningOf } from './value-meanings.ts'

const count = (description: string) => Type.Integer({ description })

const View = Named('Overview', {
  months: means(
    'Figures of the last twelve months in which documents were issued, one entry per month and currency.',
    List(
      Named('OverviewMonth', {
        month: Type.String({ format: 'date', description: 'First day of the month (YYYY-MM-DD).' }),
        currency: means('Currency of the amounts, as a code of ISO 4217 such as `NGN`.', Type.String()),
        documents: means(
          'Number of documents that were issued in the month, credit and debit notes included.',
          count('how many were issued in it, notes included'),
        ),
        invoicedMinor: means('Amount invoiced in the month with tax, less credit notes, in minor units.', MinorUnits),
        taxMinor: means('Tax in the amount that was invoiced, in minor units.', MinorUnits),
        paidMinor: means('Part of the invoiced amount that has been paid by now, in minor units.', MinorUnits),
      }),
    ),
  ),
  receivables: means(
    'Amounts left to pay on issued documents, by how long they have been due.',
    List(
      Fields({
        age: means(meaningOf.receivableAges, OneOf(...receivableAges)),
        currency: means('Currency of the amount, as a code of ISO 4217 such as `NGN`.', Type.String()),
        count: means(
          'Number of documents with an amount of this age. The list of invoices with `age` and `currency` has them. A document with instalments can have several ages.',
          count('How many documents are that late. The list of invoices with `overdue=true` has all that are late.'),
        ),
        dueMinor: means('Amount of this age that is left to pay on these documents, in minor units.', MinorUnits),
      }),
    ),
  ),
  reports: means(
    'Documents that must be reported to the tax authority and are not reported yet.',
    Fields({
      late: means(
        'Number of documents whose deadline has passed.',
        count('documents that should be with the tax authority by now'),
      ),
      soon: means(
        'Number of documents whose deadline is between now and `until`.',
        count('documents that have to be there by `until`'),
      ),
      nextAt: means('Next deadline that has not passed. Null if there is none.', Maybe(Instant)),
      until: Type.String({
        format: 'date-time',
        description:
          'End of the time that `soon` counts: a day from now, rounded up to the full hour. The list of invoices with `reportDueTo` set to this time has the documents of `late` and `soon`.',
      }),
    }),
  ),
  unknownOutcomes: means(
    'Number of submissions without retries left of which nobody knows whether the authority has the document.',
    count('submissions that were given up, and of which nobody knows whether they arrived'),
  ),
  authorityOutage: means(
    'Outage of the tax authority. Null if the authority answers.',
    Maybe(Fields({ since: means('Since when the authority does not answer.', Instant) })),
  ),
})

export const overview = {
  get: describeRoute(routes.get, {
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
