import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operation.ts'
import { contactFields, type ProfileChange } from './organisation.ts'
import { lockOrganisation, saveProfile } from './organisations.store.ts'

const changesContact = (change: ProfileChange) => contactFields.some((field) => change[field] !== undefined)

export const updateOrganisation = operation(
  {
    needs: {
      all: ['organization.update'],
      oneOf: [],
      by: (change: ProfileChange) => (changesContact(change) ? ['organization.update_contact'] : []),
    },
    refuses: ['resource.not_found', 'auth.capability_missing'],
  },
  async ({ tx, caller, now, emit }: Inside<UserCaller>, change: ProfileChange) => {
    const { organisationId } = caller.tenant
    const before = await lockOrganisation(tx, organisationId)
    if (!before) throw refuse('resource.not_found')
    const changed = (Object.keys(change) as (keyof ProfileChange)[]).filter(
      (field) => !isDeepStrictEqual(change[field], before[field]),
    )
    if (changed.length === 0) return { organisation: before, changed }
    const organisation = await saveProfile(tx, organisationId, change, now)
    emit('organization.updated', { organisationId, objectId: organisationId }, { changed, name: organisation.name })
    return { organisation, changed }
  },
)
