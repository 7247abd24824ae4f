import type { Mode } from '../../../kernel/tenant.ts'
import { creatorTypes, facetIn, statisticsMask } from './facets.ts'

/** A row of the listing, for counting. Times are texts in UTC, so that no digit is lost. */
export interface ListingRow {
  readonly organisationId: string
  readonly mode: Mode
  readonly id: string
  readonly createdAt: string
  readonly facets: number
  readonly issueDate: string
  /** of what is to be paid next */
  readonly dueDate: string | null
  /** what is owed on later days, as JSON text; null if nothing is */
  readonly laterInstalments: string | null
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly paidMinor: bigint
  /** the amount due of an issued document */
  readonly dueMinor: bigint
  readonly buyerId: string | null
  readonly sellerId: string | null
  readonly createdBy: string | null
  readonly partyId: string | null
  readonly numberKey: string
  readonly referenceKey: string | null
  /** for each run of equal lines: type, code, product category and, if several, their number, separated by tabs */
  readonly codes: readonly string[]
}

/** Prefixes of numbers are counted up to this length; longer ones match few rows, which are counted on request. */
export const countedPrefix = 6
/** Prefixes up to this length are also counted by buyer, because short words match both numbers and names. */
export const countedWithParty = 3

/** Amounts are counted by their first three digits: `08150` for all of eight digits that begin with 150. */
export const amountBucket = (amount: bigint): string => {
  const digits = String(amount)
  return `${String(digits.length).padStart(2, '0')}${digits.slice(0, 3)}`
}

/** The smallest and the largest amount of this amount's bucket. */
export function bucketEnds(amount: bigint): { readonly first: bigint; readonly last: bigint } {
  const digits = String(amount)
  const width = 10n ** BigInt(Math.max(0, digits.length - 3))
  const first = (amount / width) * width
  return { first, last: first + width - 1n }
}

/** Characters as PostgreSQL counts them. */
const beginning = (text: string, size: number): string =>
  text.length <= size ? text : [...text].slice(0, size).join('')

/** The first characters of the authority reference, a tab, and those of the number; only if they differ. */
function unlike({ referenceKey, numberKey }: ListingRow, size: number): string | null {
  if (referenceKey === null) return null
  const [reference, number] = [beginning(referenceKey, size), beginning(numberKey, size)]
  return reference === number ? null : `${reference}\t${number}`
}

const weekMs = 604_800_000
/** The week of creation, counted from 1970. */
const weekOf = ({ createdAt }: ListingRow): number => Math.floor(Date.parse(`${createdAt.replace(' ', 'T')}Z`) / weekMs)

/** A part of an amount due, with the due date of the part before it; null for the first part. */
interface OpenPart {
  readonly dueDate: string | null
  readonly dueMinor: bigint
  readonly previous: string | null
}

/** The parts of the amount due of a listing row, oldest first. */
function openParts({ dueDate, dueMinor, laterInstalments }: ListingRow): OpenPart[] {
  if (dueMinor === 0n) return []
  const stored = JSON.parse(laterInstalments ?? '[]') as { dueDate: string; dueMinor: string }[]
  const later = stored.map((one, at) => ({
    dueDate: one.dueDate,
    dueMinor: BigInt(one.dueMinor),
    previous: stored[at - 1]?.dueDate ?? dueDate,
  }))
  const first = later.reduce((left, one) => left - one.dueMinor, dueMinor)
  return [{ dueDate, dueMinor: first, previous: null }, ...later]
}

/**
 * The key of an open part: its due date and, separated by a space, that of the part before it. So documents that have
 * something open between two days can be counted once each: by their first part in that time.
 */
const openKey = ({ dueDate, previous }: OpenPart): string | null =>
  previous === null ? dueDate : `${dueDate} ${previous}`

type Count = readonly [kind: string, key: string | null, week: number]

/** All counts of a listing row; values without a key are not counted. */
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
    ['party_reference', ofParty(unlike(row, countedWithParty)), 0],
    ['issue', row.issueDate, week],
    ['due', dueDate, week],
    ...openParts(row).map((part): Count => ['open', openKey(part), 0]),
    ['amount', amountBucket(row.payableMinor), 0],
    ['number', beginning(numberKey, countedPrefix), week],
    ['reference', unlike(row, countedPrefix), week],
  ]
}

/** A batch's change of one count. */
export interface CountChange {
  readonly organisationId: string
  readonly mode: Mode
  readonly kind: string
  readonly key: string
  readonly week: number
  n: number
}

/** A batch's change of one sum. */
export interface SumChange {
  readonly organisationId: string
  readonly mode: Mode
  /**
   * `day` and `month` of issue; or `due`: open documents by due day, with the amount due as `payableMinor`. Later
   * instalments have spans such as `due after 2026-01-31`, with the due day of the instalment before.
   */
  readonly span: string
  readonly since: string
  readonly facets: number
  n: number
  netMinor: bigint
  taxMinor: bigint
  payableMinor: bigint
  paidMinor: bigint
}

/** A batch's change of the uses of a code. The latest line that names the code gives its description. */
export interface CodeChange {
  readonly organisationId: string
  readonly mode: Mode
  readonly type: string
  readonly code: string
  uses: number
  lastUsedAt: string
  description: string | null
  /** identifies the latest line */
  latest: string
}

/** A row that is added or removed. */
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

/** In the order of their keys, so that the write touches few pages. */
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

/** The due day of documents without one, for the database. */
export const never = 'infinity'

export function sumChanges(differences: readonly Difference[]): SumChange[] {
  const changes = new Map<string, SumChange>()
  for (const { row, sign } of differences) {
    const { organisationId, mode, issueDate } = row
    const facets = row.facets & statisticsMask
    const spans = [
      ['day', issueDate, row],
      ['month', `${issueDate.slice(0, -2)}01`, row],
      ...openParts(row).map(({ dueDate, dueMinor, previous }) => {
        const span = previous === null ? 'due' : `due after ${previous}`
        return [span, dueDate ?? never, { netMinor: 0n, taxMinor: 0n, payableMinor: dueMinor, paidMinor: 0n }] as const
      }),
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

/** Anything else than a number comes from a category with a tab, listed before categories had to be single lines. */
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
