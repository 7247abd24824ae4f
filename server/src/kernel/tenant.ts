import type { OrganisationId } from './ids.ts'

export const modes = ['sandbox', 'live'] as const
export type Mode = (typeof modes)[number]

/** Every row of a tenant is read and written with both fields. */
export interface Tenant {
  readonly organisationId: OrganisationId
  readonly mode: Mode
}
