import { hash } from 'node:crypto'
import { noOrganisation } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'

/** Organisations take turns in the order of their ids. What belongs to none has the first. */
export const firstTurn = noOrganisation as string

/**
 * Whose turn it is when something is done for a person and no organisation. People share sixteen turns: whoever asks for much delays
 * only those few who share theirs, and however many ask, organisations do not wait behind each of them.
 */
export function turnOfPerson(address: string): OrganisationId {
  const [oneOfSixteen] = hash('sha256', address.trim().toLowerCase())
  return `${noOrganisation.slice(0, -2)}1${oneOfSixteen}` as OrganisationId
}

/** The least id that comes after this one; after the last, the first. */
export function turnAfter(id: string): string {
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + 1n
  const hex = next.toString(16).padStart(32, '0').slice(-32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Where the next round begins, after one that gave as much as there was room for. */
export const turnAfterAll = (served: readonly { readonly organisationId: string }[]): string =>
  turnAfter(served.reduce((last, { organisationId }) => (organisationId > last ? organisationId : last), firstTurn))
