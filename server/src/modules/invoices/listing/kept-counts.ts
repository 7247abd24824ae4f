import type { Mode } from '../../../kernel/tenant.ts'
import { creatorTypes, facetIn, statisticsMask } from './facets.ts'

/** A row of the listing, as it is counted. Instants are texts in UTC, so that no digit of theirs is lost. */
export interface ListingRow {
  readonly organisationId: string
  readonly mode: Mode
  readonly id: string
  readonly createdAt: string
  readonly facets: number
  readonly issueDate: string
  readonly dueDate: string | null
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
  /** what is left to pay of what was issued */
  readonly dueMinor: bigint
  readonly buyerId: string | null
  readonly sellerId: string | null
  readonly createdBy: string | null
  readonly partyId: string | null
  readonly numberKey: string
  readonly irnKey: string | null
  /** of lines in a row that say the same: type, code, product category and, where there are several, how many; with tabs between them */
  readonly codes: readonly string[]
}

/** How numbers begin is counted up to this many characters; longer beginnings fit few enough to be counted when asked for. */
export const countedPrefix = 6
/** Up to this many also among the documents of each buyer: words as short match both numbers and names. */
export const countedWithParty = 3

/** Amounts are counted by their first three digits: `08150` for all of eight digits that begin with 150. */
export const amountBucket = (amount: bigint): string => {
  const digits = String(amount)
  return `${String(digits.length).padStart(2, '0')}${digits.slice(0, 3)}`
}

/** The smallest and the largest amount that are counted together with this one. */
export function bucketEnds(amount: bigint): { readonly first: bigint; readonly last: bigint } {
  const digits = String(amount)
  const width = 10n ** BigInt(Math.max(0, digits.length - 3))
  const first = (amount / width) * width
  return { first, last: first + width - 1n }
}

/** Characters as PostgreSQL counts them. */
const beginning = (text: string, size: number): string =>
  text.length <= size ? text : [...text].slice(0, size).join('')

/** How an IRN begins, and after a tab the number: only where the two begin differently. */
function unlike({ irnKey, numberKey }: ListingRow, size: number): string | null {
  if (irnKey === null) return null
  const [irn, number] = [beginning(irnKey, size), beginning(numberKey, size)]
  return irn === number ? null : `${irn}\t${number}`
}

const weekMs = 604_800_000
/** The week of its creation, counted from 1970. */
const weekOf = ({ createdAt }: ListingRow): number => Math.floor(Date.parse(`${createdAt.replace(' ', 'T')}Z`) / weekMs)

type Count = readonly [kind: string, key: string | null, week: number]

/** Everything that a row of the listing is counted under; what has no key is not counted. */
function countsOf(row: ListingRow): Count[] {
  const week = weekOf(row)
  const { facets, partyId, createdBy, dueDate, numberKey } = row
  const ofParty = (beginning: string | null) =>
    partyId === null || beginning === null ? null : `${partyId}:${beginning}`
  return [
    ['all', '', week],
    ['facets', String(facets), 0],
    ['buyer', row.buyerId, 0],
    ['seller', row.sellerId, 0],
    ['creator', createdBy === null ? null : `${creatorTypes[facetIn(facets, 'creator')]}:${createdBy}`, 0],
    ['party', partyId, 0],
    ['party_number', ofParty(beginning(numberKey, countedWithParty)), 0],
    ['party_irn', ofParty(unlike(row, countedWithParty)), 0],
    ['issue', row.issueDate, week],
    ['due', dueDate, week],
    ['open', facetIn(facets, 'open') === 1 ? dueDate : null, 0],
    ['amount', amountBucket(row.payableMinor), 0],
    ['number', beginning(numberKey, countedPrefix), week],
    ['irn', unlike(row, countedPrefix), week],
  ]
}

/** How much a batch changes one count. */
export interface CountChange {
  readonly organisationId: string
  readonly mode: Mode
  readonly kind: string
  readonly key: string
  readonly week: number
  n: number
}

/** How much it changes one sum. */
export interface SumChange {
  readonly organisationId: string
  readonly mode: Mode
  /** of issue; or `due`: of open documents, by the day on which they fall due, with what is left to pay as `payableMinor` */
  readonly span: 'day' | 'month' | 'due'
  readonly since: string
  readonly facets: number
  n: number
  netMinor: bigint
  taxMinor: bigint
  payableMinor: bigint
  paidMinor: bigint
}

/** How much it changes the uses of a code. What a code is called is said by the latest line that names it. */
export interface CodeChange {
  readonly organisationId: string
  readonly mode: Mode
  readonly type: string
  readonly code: string
  uses: number
  lastUsedAt: string
  description: string | null
  /** by which the latest line is known */
  latest: string
}

/** A row that comes or goes. */
export interface Difference {
  readonly row: ListingRow
  readonly sign: 1 | -1
}

function changed<Change>(changes: Map<string, Change>, key: string, begin: () => Change): Change {
  let known = changes.get(key)
  if (!known) {
    known = begin()
    changes.set(key, known)
  }
  return known
}

/** In the order of their keys, in which whoever writes them meets as few pages as can be. */
const inOrder = <Change>(changes: ReadonlyMap<string, Change>): Change[] =>
  [...changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change)

export function countChanges(differences: readonly Difference[]): CountChange[] {
  const changes = new Map<string, CountChange>()
  for (const { row, sign } of differences) {
    const { organisationId, mode } = row
    for (const [kind, key, week] of countsOf(row)) {
      if (key === null) continue
      changed(changes, `${organisationId} ${mode} ${kind} ${key}\n${week}`, () => ({
        ...{ organisationId, mode, kind, key, week, n: 0 },
      })).n += sign
    }
  }
  return inOrder(changes).filter(({ n }) => n !== 0)
}

/** When what names no due day falls due, as a day for the database. */
export const never = 'infinity'

export function sumChanges(differences: readonly Difference[]): SumChange[] {
  const changes = new Map<string, SumChange>()
  for (const { row, sign } of differences) {
    const { organisationId, mode, issueDate, dueDate, dueMinor } = row
    const facets = row.facets & statisticsMask
    const left = { netMinor: 0n, taxMinor: 0n, payableMinor: dueMinor, paidMinor: 0n }
    const spans = [
      ['day', issueDate, row],
      ['month', `${issueDate.slice(0, -2)}01`, row],
      ...(dueMinor > 0n ? [['due', dueDate ?? never, left] as const] : []),
    ] as const
    for (const [span, since, amounts] of spans) {
      const change = changed(changes, `${organisationId} ${mode} ${span} ${since} ${facets}`, () => ({
        ...{ organisationId, mode, span, since, facets, n: 0 },
        ...{ netMinor: 0n, taxMinor: 0n, payableMinor: 0n, paidMinor: 0n },
      }))
      change.n += sign
      for (const amount of ['netMinor', 'taxMinor', 'payableMinor', 'paidMinor'] as const)
        change[amount] += BigInt(sign) * amounts[amount]
    }
  }
  const changesSomething = (change: SumChange) =>
    change.n !== 0 ||
    [change.netMinor, change.taxMinor, change.payableMinor, change.paidMinor].some((sum) => sum !== 0n)
  return inOrder(changes).filter(changesSomething)
}

/** Anything but a number is what comes after a tab in a category that was listed before these had to be single lines. */
const linesOf = (count: string | undefined): number => (/^\d{1,6}$/.test(count ?? '') ? Number(count) : 1)

export function codeChanges(differences: readonly Difference[]): CodeChange[] {
  const changes = new Map<string, CodeChange>()
  for (const { row, sign } of differences) {
    const { organisationId, mode, createdAt, id, codes } = row
    for (const [nth, run] of codes.entries()) {
      const [type, code, description, count] = run.split('\t') as [string, string, string, string?]
      const change = changed(changes, `${organisationId} ${mode} ${type} ${code}`, () => ({
        ...{ organisationId, mode, type, code, uses: 0, lastUsedAt: createdAt, description: null, latest: '' },
      }))
      change.uses += sign * linesOf(count)
      const place = `${createdAt} ${id} ${sign === 1 ? 1 : 0} ${String(nth).padStart(6, '0')}`
      if (place > change.latest) {
        change.latest = place
        change.lastUsedAt = createdAt
        change.description = description === '' ? null : description
      }
    }
  }
  return inOrder(changes)
}
