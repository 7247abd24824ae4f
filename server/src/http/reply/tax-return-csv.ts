import { majorOf } from '../../kernel/money-words.ts'
import { payableInWords, type TaxFigure, type TaxReturnDocument } from '../../kernel/tax-return.ts'
import { csvOf } from './csv.ts'

const header = [
  'row',
  'section',
  'code',
  'label',
  'rate',
  'period',
  'issueDate',
  'documentType',
  'documentNumber',
  'documentId',
  'partyName',
  'documentCurrency',
  'documentNet',
  'documentTax',
  'exchangeRate',
  'documents',
  'currency',
  'net',
  'tax',
]

/** A return as a table: figures, exceptions, totals, then every document. Amounts are in major units. */
export function taxReturnCsv(found: TaxReturnDocument): string {
  const { currency, period, labels } = found
  const payableMinor = found.outputTaxMinor - found.inputTaxMinor
  const amount = (minor: bigint | null, of = currency) => (minor === null ? null : majorOf(minor, of))
  const labelOf = (code: string) => labels[code] ?? code
  const ofFigure = (row: string, of: TaxFigure, month: string) => [
    ...[row, of.section, of.code, labelOf(of.code), of.rate, month, '', '', '', '', '', '', null, null, ''],
    ...[of.documents, currency, amount(of.netMinor), amount(of.taxMinor)],
  ]
  const total = (section: string, label: string, minor: bigint) => [
    ...['total', section, '', label, '', period, '', '', '', '', '', '', null, null, '', null, currency, null],
    amount(minor),
  ]
  return csvOf(header, [
    ...found.figures.map((of) => ofFigure('figure', of, period)),
    ...found.exceptions.map((of) => ofFigure('exception', of, of.period)),
    total('output', 'Output tax', found.outputTaxMinor),
    total('input', 'Input tax', found.inputTaxMinor),
    total('payable', payableInWords(payableMinor), payableMinor),
    ...found.lines.map((of) => [
      ...[
        'document',
        of.section,
        of.code,
        of.message || labelOf(of.code),
        of.rate,
        of.period,
        of.documentDate,
        of.documentType,
      ],
      ...[of.documentNumber, of.documentId, of.partyName, of.currency],
      ...[amount(of.netMinor, of.currency), amount(of.taxMinor, of.currency), of.exchangeRate, null],
      ...[currency, amount(of.homeNetMinor), amount(of.homeTaxMinor)],
    ]),
  ])
}
