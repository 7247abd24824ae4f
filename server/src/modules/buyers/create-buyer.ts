import type { TaxIdType } from '../../jurisdictions/port.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { charge } from '../credits/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { taxIdentityOf } from '../tax-identities/index.ts'
import { type Buyer, type BuyerDetails, noDetails } from './buyer.ts'
import { emitBuyerEvent } from './buyer-events.ts'
import { insertBuyer } from './buyers.store.ts'

export type NewBuyer = Pick<BuyerDetails, 'name' | 'partyType'> &
  Partial<BuyerDetails> & {
    readonly taxId?: string | null
    readonly taxIdType?: TaxIdType | undefined
  }

/** The charge and the buyer are written together: a refused buyer is free. */
export const createBuyer = operation(
  {
    needs: ['buyer.create'],
    refuses: ['credits.insufficient', 'buyer.tax_id_taken', 'jurisdiction.unsupported', 'request.invalid'],
  },
  async (context: Inside<TokenCaller>, { taxId, taxIdType, ...details }: NewBuyer): Promise<Buyer> => {
    const { tx, caller, ports, now } = context
    const buyer: Buyer = {
      ...noDetails,
      ...details,
      ...taxIdentityOf(jurisdictionOf(ports, caller), taxId, taxIdType),
      id: newId(),
      taxIdStatus: 'unverified',
      version: 1,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    }
    if (!(await insertBuyer(tx, caller.tenant, buyer))) throw refuse('buyer.tax_id_taken')
    await charge(context, caller.tenant, 'buyer.create', `buyer:${buyer.id}`)
    emitBuyerEvent(context, 'buyer.created', caller.tenant, buyer)
    return buyer
  },
)
