import type { TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { BuyerId } from './buyer.ts'
import { emitBuyerEvent } from './buyer-events.ts'
import { type DeleteOutcome, deleteOrArchive, lockBuyerToDelete } from './buyers.store.ts'

/** `undefined` if there is no such buyer, or it is archived. */
async function remove(context: Inside<TokenCaller>, id: BuyerId): Promise<DeleteOutcome | undefined> {
  const { tx, caller, now } = context
  const buyer = await lockBuyerToDelete(tx, caller.tenant, id)
  if (!buyer || buyer.archivedAt) return undefined
  const outcome = await deleteOrArchive(tx, caller.tenant, id, now)
  const type = outcome === 'deleted' ? 'buyer.deleted' : 'buyer.archived'
  emitBuyerEvent(context, type, caller.tenant, { ...buyer, version: buyer.version + 1 })
  return outcome
}

export const deleteBuyer = operation(
  { needs: ['buyer.delete'], refuses: ['resource.not_found'] },
  async (context: Inside<TokenCaller>, { id }: { id: BuyerId }) => {
    const outcome = await remove(context, id)
    if (!outcome) throw refuse('resource.not_found')
    return { id, outcome }
  },
)

export const deleteBuyers = operation(
  { needs: ['buyer.delete'], refuses: [] },
  async (context: Inside<TokenCaller>, { ids }: { ids: readonly BuyerId[] }) => {
    const outcomes = new Map<BuyerId, DeleteOutcome | 'not_found'>()
    // Sorted, so that two such requests cannot wait for each other.
    for (const id of ids.toSorted()) outcomes.set(id, (await remove(context, id)) ?? 'not_found')
    const those = (wanted: DeleteOutcome | 'not_found') => ids.filter((id) => outcomes.get(id) === wanted)
    return { deleted: those('deleted'), archived: those('archived'), notFound: those('not_found') }
  },
)
