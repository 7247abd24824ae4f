import { wordingOf } from '../../kernel/languages/wording.ts'
import { majorOf } from '../../kernel/money-words.ts'
import { lineInWords, type StatementDocument } from '../../kernel/statement-of-account.ts'
import { csvOf } from './csv.ts'

const header = [
  'bookedOn',
  'documentDate',
  'type',
  'description',
  'invoiceNumber',
  'paymentMethod',
  'paymentReference',
  'currency',
  'amount',
  'balance',
]

/** A statement of account as a table: the opening balance, the lines and the closing balance, in major units. */
export function statementCsv({ lines, from, to, currency, openingMinor, closingMinor }: StatementDocument): string {
  const figure = (minor: bigint) => majorOf(minor, currency)
  const total = (day: string, type: string, words: string, minor: bigint) => [
    ...[day, day, type, words, '', '', '', currency],
    null,
    figure(minor),
  ]
  return csvOf(header, [
    total(from, 'opening', 'Opening balance', openingMinor),
    ...lines.map((line) => [
      line.bookedOn,
      line.documentDate,
      line.type,
      lineInWords(line, wordingOf('en')),
      line.documentNumber,
      line.paymentMethod,
      line.paymentReference,
      currency,
      figure(line.amountMinor),
      figure(line.balanceMinor),
    ]),
    total(to, 'closing', 'Closing balance', closingMinor),
  ])
}
