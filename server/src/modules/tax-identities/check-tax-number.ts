import { type Authority, AuthorityUnavailable, type Jurisdictions, type Taxpayer } from '../../jurisdictions/port.ts'
import type { Caller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { CallOutcome, Inside } from '../../platform/operations/operation.ts'
import { capture, hold, release } from '../credits/index.ts'
import {
  type CheckedParty,
  type CheckId,
  findLatestCheck,
  insertCheck,
  saveCheckEnded,
  type TaxNumberCheck,
} from './checks.store.ts'
import { isSameName, type TaxIdentity } from './tax-identity.ts'

/** Input of the job that asks the authority, stored as JSON. */
export interface CheckRef extends Tenant {
  readonly checkId: CheckId
  readonly country: string
}

interface Subject extends TaxIdentity {
  readonly party: CheckedParty
  readonly partyId: string
  readonly name: string
}

export interface StartedCheck {
  readonly check: TaxNumberCheck
  /** False if an earlier check is still running. */
  readonly isNew: boolean
}

/** Stores the check and holds its price. The caller enqueues the job that asks the authority. */
export async function startCheck(
  context: Inside<Caller>,
  tenant: Tenant,
  { party, partyId, name, taxId, taxIdNormal, taxIdType }: Subject,
  { charged }: { charged: boolean },
): Promise<StartedCheck> {
  const { tx, now } = context
  if (taxId === null || taxIdNormal === null) throw new Error('there is no tax number to check')
  const check: TaxNumberCheck = {
    id: newId(),
    party,
    partyId,
    taxId,
    taxIdNormal,
    taxIdType,
    partyName: name,
    status: 'pending',
    registeredName: null,
    charged,
    startedAt: now,
    endedAt: null,
  }
  if (!(await insertCheck(tx, tenant, check))) {
    const running = await findLatestCheck(tx, tenant, party, partyId)
    if (!running) throw new Error('a running check cannot be found')
    return { check: running, isNew: false }
  }
  if (charged) await hold(context, tenant, 'buyer.verify_tax_id', `check:${check.id}`)
  return { check, isNew: true }
}

/** Stores a number that the authority confirmed elsewhere, as a check that has already ended. */
export async function noteConfirmed(
  { tx, now }: Pick<Inside<Caller>, 'tx' | 'now'>,
  tenant: Tenant,
  {
    party,
    partyId,
    name,
    taxId,
    taxIdNormal,
    taxIdType,
  }: Subject & { readonly taxId: string; readonly taxIdNormal: string },
  registeredName: string,
): Promise<void> {
  await insertCheck(tx, tenant, {
    id: newId(),
    party,
    partyId,
    taxId,
    taxIdNormal,
    taxIdType,
    partyName: name,
    status: 'verified',
    registeredName,
    charged: false,
    startedAt: now,
    endedAt: now,
  })
}

/** The authority's answer: a taxpayer, none, or no answer. */
export type Answer =
  | { readonly kind: 'found'; readonly taxpayer: Taxpayer }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'silent' }

export async function askForTaxpayer(
  authority: Authority | undefined,
  taxIdNormal: string,
  signal: AbortSignal,
): Promise<Answer> {
  if (!authority) return { kind: 'silent' }
  try {
    const taxpayer = await authority.findTaxpayer(taxIdNormal, signal)
    return taxpayer ? { kind: 'found', taxpayer } : { kind: 'not_found' }
  } catch (error) {
    if (error instanceof AuthorityUnavailable) return { kind: 'silent' }
    throw error
  }
}

function verdict(
  jurisdictions: Jurisdictions,
  check: TaxNumberCheck,
  outcome: CallOutcome<Answer>,
): { status: TaxNumberCheck['status']; registeredName: string | null } {
  const answer = outcome.kind === 'answered' ? outcome.answer : ({ kind: 'silent' } as const)
  if (answer.kind === 'silent') return { status: 'unavailable', registeredName: null }
  if (answer.kind === 'not_found') return { status: 'not_found', registeredName: null }
  const { name } = answer.taxpayer
  // Without a name from the authority there is nothing to compare.
  const matches = name === '' || isSameName(name, check.partyName, jurisdictions)
  return { status: matches ? 'verified' : 'name_mismatch', registeredName: name === '' ? null : name }
}

/**
 * Ends a check with its answer. An answer is charged, no answer is not. A late answer after "unavailable" counts but is
 * free, because its price was released. Returns undefined if the check had already ended.
 */
export async function endCheck(
  context: Inside<Caller>,
  tenant: Tenant,
  check: TaxNumberCheck,
  outcome: CallOutcome<Answer>,
): Promise<TaxNumberCheck | undefined> {
  const late = outcome.kind === 'answered' && outcome.late === true
  const ended = await saveCheckEnded(
    context.tx,
    tenant,
    check.id,
    verdict(context.ports.jurisdictions, check, outcome),
    context.now,
    late,
  )
  if (!ended) return undefined
  const cause = `check:${check.id}`
  if (ended.charged && ended.status === 'unavailable') await release(context, tenant, 'buyer.verify_tax_id', cause)
  else if (ended.charged) await capture(context, tenant, 'buyer.verify_tax_id', cause)
  return ended
}
