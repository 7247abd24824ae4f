import type { Import, NewImport } from '@risiti/sdk'
import { count } from '../../ui/count.ts'
import type { Tone } from '../../ui/index.ts'

export type Kind = NewImport['kind']

/** The name, page and required permission of each kind. */
export const kinds = [
  { kind: 'buyers', name: 'Buyers', one: 'buyer', to: '/buyers', needs: 'buyer.create' },
  { kind: 'items', name: 'Items', one: 'item', to: '/items', needs: 'item.create' },
  { kind: 'invoices', name: 'Invoices', one: 'invoice', to: '/invoices', needs: 'invoice.create' },
] as const satisfies readonly { kind: Kind; name: string; one: string; to: string; needs: string }[]

export const kindOf = (kind: Kind) => kinds.find((each) => each.kind === kind) ?? kinds[0]

/** A count with its noun: `1 buyer`, `2,500 invoices`. */
export const howMany = (number: number, kind: Kind): string =>
  `${count.format(number)} ${kindOf(kind).one}${number === 1 ? '' : 's'}`

export const statusWords: Readonly<Record<Import['status'], readonly [Tone, string]>> = {
  checking: ['neutral', 'Being checked'],
  checked: ['warn', 'Checked'],
  running: ['neutral', 'Being imported'],
  done: ['good', 'Done'],
  undoing: ['neutral', 'Being undone'],
  undone: ['neutral', 'Undone'],
  stopped: ['bad', 'Stopped'],
}

export const isUnderWay = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'checking' || status === 'running' || status === 'undoing'
