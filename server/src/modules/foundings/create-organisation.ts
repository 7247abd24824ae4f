import type { UserCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { findOrganisation, hasOrganisationWithTaxNumber, type Organisation } from '../organisations/index.ts'
import { lockPerson } from '../people/index.ts'
import { foundOrganisation } from './found-organisation.ts'

export interface NewBusiness {
  readonly name: string
  readonly contactEmail: string
  readonly country: string
  readonly taxNumber?: string | undefined
  readonly phone?: string | undefined
  readonly website?: string | undefined
  /** Make it a child of the organisation that the caller acts for. */
  readonly asChild: boolean
}

/** The caller becomes the owner. */
export const createOrganisation = operation(
  {
    time: 'real',
    needs: { all: [], oneOf: [], by: (input: NewBusiness) => (input.asChild ? ['organization.update'] : []) },
    refuses: ['organisation.duplicate', 'auth.capability_missing'],
  },
  async (context: Inside<UserCaller>, input: NewBusiness) => {
    const { tx, caller } = context
    const { asChild, taxNumber = null, phone = null, website = null, ...rest } = input
    // Locked, so that the second of two requests with one tax number sees the first organisation.
    if (taxNumber !== null) await lockPerson(tx, caller.userId)
    if (taxNumber !== null && (await hasOrganisationWithTaxNumber(tx, caller.userId, taxNumber)))
      throw refuse('organisation.duplicate')
    const parentId = asChild ? caller.tenant.organisationId : null
    const founder = { id: caller.userId, email: caller.email }
    const id = await foundOrganisation(context, founder, { ...rest, taxNumber, phone, website, parentId })
    return (await findOrganisation(tx, id)) as Organisation
  },
)
