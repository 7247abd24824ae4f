import { isDeepStrictEqual } from 'node:util'
import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { taxIdentityOf } from '../tax-identities/index.ts'
import type { CheckedSeller, Seller, SellerDetails, SellerId } from './seller.ts'
import { emitSellerEvent } from './seller-events.ts'
import { deleteSeller, findSeller, insertSeller, lockSeller, lockSellerToDelete, saveSeller } from './sellers.store.ts'

export const createSeller = operation(
  {
    time: 'real',
    needs: ['seller.create'],
    refuses: ['seller.tax_id_taken', 'jurisdiction.unsupported', 'request.invalid'],
  },
  async (context: Inside<TokenCaller>, { taxId, ...details }: SellerDetails & { taxId: string }) => {
    const { tx, caller, ports, now } = context
    const { organisationId } = caller.tenant
    const identity = taxIdentityOf(jurisdictionOf(ports, caller), taxId, 'national')
    const seller: Seller = {
      organisationId,
      id: newId(),
      isPrimary: false,
      ...details,
      taxId: identity.taxId,
      taxIdNormal: identity.taxIdNormal,
      createdAt: now,
      updatedAt: now,
    }
    if (!(await insertSeller(tx, organisationId, seller))) throw refuse('seller.tax_id_taken')
    emitSellerEvent(context, 'seller.created', seller)
    return (await findSeller(tx, caller.tenant, seller.id)) as CheckedSeller
  },
)

/** An absent field stays as it is; null clears it. The tax number is fixed; sending the same number is allowed. */
export type SellerChange = Partial<SellerDetails> & { readonly taxId?: string | undefined }

export const updateSeller = operation(
  {
    time: 'real',
    needs: ['seller.update'],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'request.invalid'],
  },
  async (
    context: Inside<TokenCaller>,
    { id, change, primaryOnly }: { id: SellerId; change: SellerChange; primaryOnly?: true },
  ) => {
    const { tx, caller, ports, now } = context
    const { organisationId } = caller.tenant
    const before = await lockSeller(tx, organisationId, id)
    if (!before || (primaryOnly && !before.isPrimary)) throw refuse('resource.not_found')
    const { taxId, ...details } = change
    if (taxId !== undefined) {
      const { taxIdNormal } = taxIdentityOf(jurisdictionOf(ports, caller), taxId, 'national')
      if (taxIdNormal !== before.taxIdNormal)
        throw invalid([{ path: 'taxId', rule: 'immutable', message: 'cannot be changed; create another seller' }])
    }
    const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
    const after: Seller = { ...before, ...given }
    if (before.isPrimary) refuseProfile(before, after)
    if (!isDeepStrictEqual(after, before)) {
      await saveSeller(tx, organisationId, { ...after, updatedAt: now })
      emitSellerEvent(context, 'seller.updated', after)
    }
    return (await findSeller(tx, caller.tenant, id)) as CheckedSeller
  },
)

/** The primary seller follows the profile of the organisation, so that these fields are changed there. */
function refuseProfile(before: Seller, after: Seller): void {
  const fields = (['name', 'email', 'phone', 'website', 'address'] as const).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
  if (fields.length > 0)
    throw invalid(
      fields.map((path) => ({
        path,
        rule: 'profile',
        message: 'follows the profile of the organisation; change it there',
      })),
    )
}

type SellerRemoval = 'deleted' | 'not_found' | 'primary' | 'in_use'

async function remove(context: Inside<TokenCaller>, id: SellerId): Promise<SellerRemoval> {
  const { tx, caller } = context
  const seller = await lockSellerToDelete(tx, caller.tenant.organisationId, id)
  if (!seller) return 'not_found'
  if (seller.isPrimary) return 'primary'
  if (!(await deleteSeller(tx, caller.tenant.organisationId, id))) return 'in_use'
  emitSellerEvent(context, 'seller.deleted', seller)
  return 'deleted'
}

export const removeSeller = operation(
  { time: 'real', needs: ['seller.delete'], refuses: ['resource.not_found', 'seller.is_primary', 'seller.in_use'] },
  async (context: Inside<TokenCaller>, { id }: { id: SellerId }) => {
    const outcome = await remove(context, id)
    if (outcome === 'not_found') throw refuse('resource.not_found')
    if (outcome === 'primary') throw refuse('seller.is_primary')
    if (outcome === 'in_use') throw refuse('seller.in_use')
    return { id }
  },
)

export const removeSellers = operation(
  { time: 'real', needs: ['seller.delete'], refuses: [] },
  async (context: Inside<TokenCaller>, { ids }: { ids: readonly SellerId[] }) => {
    const outcomes = new Map<SellerId, SellerRemoval>()
    // Sorted, so that two such requests cannot wait for each other.
    for (const id of ids.toSorted()) outcomes.set(id, await remove(context, id))
    const those = (...wanted: SellerRemoval[]) => ids.filter((id) => wanted.includes(outcomes.get(id) as SellerRemoval))
    return { deleted: those('deleted'), kept: those('primary', 'in_use'), notFound: those('not_found') }
  },
)
