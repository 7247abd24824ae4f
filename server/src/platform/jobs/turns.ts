import { hash } from 'node:crypto'
import { noOrganisation } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** Organisations take turns in the order of their ids. Jobs without an organisation come first. */
export const firstTurn = noOrganisation as string

/**
 * Jobs without an organisation are hashed into 16 virtual ones, so that they cannot starve real ones. A busy person or outside caller
 * delays only those with the same hash.
 */
function oneOfSixteen(row: '1' | '2', name: string): OrganisationId {
  const [digit] = hash('sha256', name)
  return `${noOrganisation.slice(0, -2)}${row}${digit}` as OrganisationId
}

/** The turn of a job for a person without an organisation. */
export const turnOfPerson = (address: string): OrganisationId => oneOfSixteen('1', address.trim().toLowerCase())

/** The turn of a job that an outside caller started, before its organisation is known. */
export const turnOfReference = (reference: string): OrganisationId => oneOfSixteen('2', reference)

/** The position of the version digit in a UUID. Ids of organisations have version 7. */
const versionAt = 14
const sandboxVersion = '8'

/** An organisation's sandbox jobs have a turn of their own, so that live jobs never wait behind them. */
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

/** The next id in order; after the last one, the first. */
export function turnAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n
  const hex = next.toString(16).padStart(32, '0').slice(-32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export interface OwnedItem {
  readonly organisationId: string
}

/** How many running jobs each organisation has. */
export function countByOrganisation(underWay: Iterable<OwnedItem>): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { organisationId } of underWay) counted.set(organisationId, (counted.get(organisationId) ?? 0) + 1)
  return counted
}

/** Organisations at their limit of running jobs. They get no further jobs, so that slow jobs of one leave room for others. */
export const atTheirMost = (
  counted: ReadonlyMap<string, number>,
  most: number,
  mostOfSandbox: number = most,
): string[] =>
  [...counted].filter(([id, count]) => count >= (isTurnOfSandbox(id) ? mostOfSandbox : most)).map(([id]) => id)

/** Where the next round begins, after a round that filled all free slots. */
export const turnAfterAll = (served: readonly OwnedItem[]): string =>
  turnAfter(served.reduce((last, { organisationId }) => (organisationId > last ? organisationId : last), firstTurn))
