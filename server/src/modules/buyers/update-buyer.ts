import { isDeepStrictEqual } from 'node:util'
import type { TaxIdType } from '../../jurisdictions/port.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { charge } from '../credits/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type TaxIdentity, taxIdentityOf } from '../tax-identities/index.ts'
import type { Buyer, BuyerDetails, BuyerId } from './buyer.ts'
import { emitBuyerEvent } from './buyer-events.ts'
import { lockBuyer, saveBuyer } from './buyers.store.ts'

/** An absent field stays as it is; null clears it. */
export type BuyerChange = Partial<BuyerDetails> & {
  readonly taxId?: string | null | undefined
  readonly taxIdType?: TaxIdType | undefined
}

/** A number and its kind belong together: a new number without a kind is national, a cleared number has none. */
function changedIdentity(
  context: Inside<TokenCaller>,
  before: Buyer,
  { taxId, taxIdType }: Pick<BuyerChange, 'taxId' | 'taxIdType'>,
): TaxIdentity {
  if (taxId === undefined && taxIdType === undefined) return before
  // The same number without its kind keeps its kind.
  if (taxIdType === undefined && taxId !== null && taxId?.trim() === before.taxId) return before
  const number = taxId === undefined ? before.taxId : taxId
  // Kind `none` without a number clears the number.
  const cleared = taxId === undefined && taxIdType === 'none'
  return taxIdentityOf(jurisdictionOf(context.ports, context.caller), cleared ? null : number, taxIdType)
}

/** Charged only if something changes. A new tax number has to be verified again. */
export const updateBuyer = operation(
  {
    needs: ['buyer.update'],
    refuses: [
      'resource.not_found',
      'credits.insufficient',
      'buyer.tax_id_taken',
      'buyer.archived',
      'jurisdiction.unsupported',
      'request.invalid',
    ],
  },
  async (context: Inside<TokenCaller>, { id, change }: { id: BuyerId; change: BuyerChange }): Promise<Buyer> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const before = await lockBuyer(tx, tenant, id)
    if (!before) throw refuse('resource.not_found')
    if (before.archivedAt) throw refuse('buyer.archived')
    const { taxId: _taxId, taxIdType: _taxIdType, ...details } = change
    const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
    const identity = changedIdentity(context, before, change)
    const isNewIdentity = identity.taxIdNormal !== before.taxIdNormal || identity.taxIdType !== before.taxIdType
    const { taxId, taxIdNormal, taxIdType } = identity
    const after: Buyer = {
      ...before,
      ...given,
      taxId,
      taxIdNormal,
      taxIdType,
      taxIdStatus: isNewIdentity ? 'unverified' : before.taxIdStatus,
    }
    if (isDeepStrictEqual(after, before)) return before
    const saved = await saveBuyer(tx, tenant, { ...after, updatedAt: now })
    if (!saved) throw refuse('buyer.tax_id_taken')
    await charge(context, tenant, 'buyer.update', `buyer:${id}:${saved.version}`)
    const changed = Object.keys(after).filter(
      (name) => !isDeepStrictEqual(after[name as keyof Buyer], before[name as keyof Buyer]),
    )
    emitBuyerEvent(context, 'buyer.updated', tenant, saved, { changed })
    return saved
  },
)
