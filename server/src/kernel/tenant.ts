import type { OrganisationId } from './ids.ts'

export const modes = ['sandbox', 'live'] as const
export type Mode = (typeof modes)[number]

/** Whose data: nothing that belongs to a tenant is read or written without one. */
export interface Tenant {
  readonly organisationId: OrganisationId
  readonly mode: Mode
}
