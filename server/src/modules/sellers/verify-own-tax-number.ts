import type { Caller, UserCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { type Organisation, saveTaxNumber } from '../organisations/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import {
  type Answer,
  askForTaxpayer,
  type CheckId,
  endCheck,
  findCheck,
  findLatestCheck,
  startCheck,
  taxIdentityOf,
} from '../tax-identities/index.ts'
import type { Seller } from './seller.ts'
import { emitCheckedSellerEvent } from './seller-events.ts'
import { isSellerTaxIdTaken, lockPrimarySeller, saveSeller } from './sellers.store.ts'

interface OwnCheckIntent extends Tenant {
  readonly checkId: CheckId
  readonly country: string
  readonly taxId: string
  readonly taxIdNormal: string
}

/**
 * Copies a confirmed number to the profile and the primary seller. Synchronous, because a person waits in front of a
 * form.
 */
export const verifyOwnTaxNumber = exchange(
  {
    time: 'real',
    needs: ['organization.update'],
    refuses: [
      'state.changed',
      'seller.tax_id_taken',
      'authority.not_confirmed',
      'authority.unavailable',
      'jurisdiction.unsupported',
      'request.invalid',
    ],
  },
  {
    name: 'verify-own-tax-number',
    deadlineMs: 15_000,
    intend: async (context: Inside<UserCaller>, { taxId }: { taxId: string }): Promise<OwnCheckIntent> => {
      const { tx, caller, ports } = context
      const { tenant } = caller
      const jurisdiction = jurisdictionOf(ports, caller)
      const identity = taxIdentityOf(jurisdiction, taxId, 'national')
      const seller = await lockPrimarySeller(tx, tenant.organisationId)
      if (!seller)
        throw refuse('state.changed', { message: 'The organisation is still being set up. Try again in a moment.' })
      const normal = identity.taxIdNormal as string
      if (await isSellerTaxIdTaken(tx, tenant.organisationId, normal, seller.id)) throw refuse('seller.tax_id_taken')
      if (tenant.mode === 'sandbox' && (await isConfirmedLive(tx, seller, normal)))
        throw refuse('seller.tax_id_taken', {
          message: 'Another number is confirmed in live mode. Change the number there.',
        })
      const subject = { ...identity, party: 'seller' as const, partyId: seller.id, name: seller.name }
      const { check, isNew } = await startCheck(context, tenant, subject, { charged: false })
      if (!isNew) throw refuse('state.changed', { message: 'A check of a number is running. Try again in a moment.' })
      return { ...tenant, checkId: check.id, country: jurisdiction.country, taxId: taxId.trim(), taxIdNormal: normal }
    },
    call: put,
    // The question has no effects, so that it can be repeated.
    inquire: put,
    settle: async (
      context: Inside<Caller>,
      { organisationId, mode, checkId, taxId, taxIdNormal }: OwnCheckIntent,
      outcome: CallOutcome<Answer>,
    ): Promise<Organisation | Refusal> => {
      const { tx, now, emit } = context
      const tenant: Tenant = { organisationId, mode }
      // The seller is locked before its check, as everywhere else, so that locks cannot form a circle.
      const seller = await lockPrimarySeller(tx, organisationId)
      const check = await findCheck(tx, tenant, checkId)
      const ended = check && (await endCheck(context, tenant, check, outcome))
      if (!ended || ended.status === 'unavailable') return refuse('authority.unavailable', { retryAfterSeconds: 30 })
      if (ended.status !== 'verified') return refuse('authority.not_confirmed')
      if (!seller) throw new Error('the primary seller vanished while its number was checked')
      const after = { ...seller, taxId, taxIdNormal, updatedAt: now }
      // Another seller may have been created with this number meanwhile.
      if (!(await saveSeller(tx, organisationId, after))) return refuse('seller.tax_id_taken')
      emitCheckedSellerEvent(context, 'seller.tax_id_verified', after, mode, ended)
      emit('organization.tax_number_verified', { organisationId, mode, objectId: organisationId }, { taxNumber: taxId })
      return await saveTaxNumber(tx, organisationId, taxId, now)
    },
  },
)

function put(
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { country, mode, taxIdNormal }: OwnCheckIntent,
): Promise<Answer> {
  return askForTaxpayer(ports.jurisdictions.authority(country, mode), taxIdNormal, signal)
}

/** A number that the live authority has confirmed is never replaced by one of the simulator. */
export async function isConfirmedLive(
  tx: Tx,
  { organisationId, id, taxIdNormal }: Seller,
  wanted: string,
): Promise<boolean> {
  const latest = await findLatestCheck(tx, { organisationId, mode: 'live' }, 'seller', id)
  return latest?.status === 'verified' && latest.taxIdNormal === taxIdNormal && wanted !== taxIdNormal
}
