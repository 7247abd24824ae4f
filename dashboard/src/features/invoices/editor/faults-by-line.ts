import { Refused } from '@risiti/sdk'
import { fieldSentence } from '../../../words/field-faults.ts'
import { whereOf } from '../where-of.ts'
import { editedFields } from '../written-fields.ts'
import { type DraftLine, isBlank } from './draft-lines.ts'

export interface Faults {
  readonly ofHead: Readonly<Record<string, string>>
  /** by the key of the line, then by field */
  readonly ofLines: ReadonlyMap<number, Readonly<Record<string, string>>>
  /** faults that belong to no field */
  readonly others: readonly string[]
}

const fieldsOfHead: readonly string[] = [
  'buyerId',
  'invoiceKind',
  'invoiceDate',
  'dueDate',
  'currency',
  'exchangeRate',
  ...editedFields.map(({ name }) => name),
]
const fieldsOfLine = [
  'description',
  'itemId',
  'hsnCode',
  'isicCode',
  'serviceCode',
  'quantity',
  'unitCode',
  'unitPrice',
  'taxCategory',
]

const written: Readonly<Record<string, (line: DraftLine) => string>> = {
  description: (line) => line.description,
  quantity: (line) => line.quantity,
  unitPrice: (line) => line.unitPrice,
  unitCode: (line) => line.unitCode,
  hsnCode: (line) => line.code,
  isicCode: (line) => line.code,
  serviceCode: (line) => line.code,
}

/** Assigns the details of a refusal to their fields. */
export function faultsByLine(error: unknown, lines: readonly DraftLine[], showsAll: boolean): Faults {
  const ofHead: Record<string, string> = {}
  const ofLines = new Map<number, Record<string, string>>()
  const others: string[] = []
  const sent = lines.filter((line) => !isBlank(line))
  for (const { path: sentPath, message } of error instanceof Refused ? error.details : []) {
    // A schedule has the fields of its invoices below `invoice`.
    const path = sentPath.replace(/^invoice\./, '')
    const [, place, field = ''] = /^lineItems\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
    const line = place === undefined ? undefined : sent[Number(place)]
    const words = fieldSentence(message)
    if (line && fieldsOfLine.includes(field)) {
      const isBegun = (written[field]?.(line) ?? '').trim() !== ''
      if (!showsAll && !isBegun) continue
      const known = ofLines.get(line.key) ?? {}
      known[field] ??= words
      ofLines.set(line.key, known)
    } else if (fieldsOfHead.includes(path) || path.startsWith('instalments')) ofHead[path] ??= words
    else others.push(`${whereOf(path)}${words}`)
  }
  return { ofHead, ofLines, others: [...new Set(others)] }
}
