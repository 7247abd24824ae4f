import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../../kernel/callers.ts'
import { requireFreshSignIn } from '../../../kernel/fresh-sign-in.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { contactFields, type ProfileChange, profileOf } from '../organisation.ts'
import { lockOrganisation, saveProfile } from '../organisations.store.ts'
import { mailNewBank } from './bank-mail.ts'
import { findLetterhead, saveLetterhead } from './letterheads.store.ts'
import { logoFaults } from './logo.ts'

const changesContact = (change: ProfileChange) => contactFields.some((field) => change[field] !== undefined)

export const updateOrganisation = operation(
  {
    time: 'real',
    needs: {
      all: ['organization.update'],
      oneOf: [],
      by: (change: ProfileChange) => (changesContact(change) ? ['organization.update_contact'] : []),
    },
    refuses: ['resource.not_found', 'auth.capability_missing', 'auth.sign_in_too_old', 'request.invalid'],
  },
  async (context: Inside<UserCaller>, change: ProfileChange) => {
    const { tx, caller, now, emit } = context
    const { organisationId } = caller.tenant
    const faults = change.logo ? logoFaults(change.logo) : []
    if (faults.length > 0) throw invalid(faults)
    const locked = await lockOrganisation(tx, organisationId)
    if (!locked) throw refuse('resource.not_found')
    const before = profileOf(locked, await findLetterhead(tx, organisationId))
    const changed = (Object.keys(change) as (keyof ProfileChange)[]).filter(
      (field) => !isDeepStrictEqual(change[field], before[field]),
    )
    if (changed.length === 0) return { organisation: before, changed }
    const isNewBank = changed.includes('bankDetails')
    if (isNewBank) requireFreshSignIn(caller, now)
    const { logo, bankDetails: bank } = { ...before, ...change }
    const organisation = profileOf(await saveProfile(tx, organisationId, change, now), { logo, bank })
    if (changed.includes('logo') || isNewBank) await saveLetterhead(tx, organisationId, { logo, bank }, now)
    if (isNewBank) await mailNewBank(context, organisation, before.bankDetails)
    emit('organization.updated', { organisationId, objectId: organisationId }, { changed, name: organisation.name })
    return { organisation, changed }
  },
)
