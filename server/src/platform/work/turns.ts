import { hash } from 'node:crypto'
import { noOrganisation } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** Organisations take turns in the order of their ids. What belongs to none has the first. */
export const firstTurn = noOrganisation as string

/**
 * Those of whom there are many and who are no organisations share sixteen turns: whoever asks for much delays only those few who share
 * theirs, and however many ask, organisations do not wait behind each of them.
 */
function oneOfSixteen(row: '1' | '2', name: string): OrganisationId {
  const [digit] = hash('sha256', name)
  return `${noOrganisation.slice(0, -2)}${row}${digit}` as OrganisationId
}

/** Whose turn it is when something is done for a person and no organisation. */
export const turnOfPerson = (address: string): OrganisationId => oneOfSixteen('1', address.trim().toLowerCase())

/** Whose turn it is when somebody outside names something of which we do not know yet whose it is. */
export const turnOfReference = (reference: string): OrganisationId => oneOfSixteen('2', reference)

/** Where the version of a UUID stands. Ids of organisations are of version 7. */
const versionAt = 14
const sandboxVersion = '8'

/** An organisation's sandbox work takes a turn of its own, so that its live work never waits behind it. */
export const turnOf = ({
  organisationId,
  mode,
}: {
  organisationId: OrganisationId
  mode?: Mode | null
}): OrganisationId =>
  mode === 'sandbox' && organisationId !== noOrganisation
    ? (`${organisationId.slice(0, versionAt)}${sandboxVersion}${organisationId.slice(versionAt + 1)}` as OrganisationId)
    : organisationId

export const isTurnOfSandbox = (turn: string): boolean => turn[versionAt] === sandboxVersion

/** The least id that comes after this one; after the last, the first. */
export function turnAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n
  const hex = next.toString(16).padStart(32, '0').slice(-32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

interface Owned {
  readonly organisationId: string
}

/** How much each organisation has under way. */
export function countByOrganisation(underWay: Iterable<Owned>): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { organisationId } of underWay) counted.set(organisationId, (counted.get(organisationId) ?? 0) + 1)
  return counted
}

/** Those who have as much under way as one may: they are handed no more, so that however slow theirs is, another's finds room. */
export const atTheirMost = (
  counted: ReadonlyMap<string, number>,
  most: number,
  mostOfSandbox: number = most,
): string[] =>
  [...counted].filter(([id, count]) => count >= (isTurnOfSandbox(id) ? mostOfSandbox : most)).map(([id]) => id)

/** Where the next round begins, after one that gave as much as there was room for. */
export const turnAfterAll = (served: readonly Owned[]): string =>
  turnAfter(served.reduce((last, { organisationId }) => (organisationId > last ? organisationId : last), firstTurn))
