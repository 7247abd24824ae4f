import type { Business, Jurisdiction } from '../../jurisdictions/port.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { takeConfirmedTaxNumber } from '../sellers/index.ts'
import type { AuthorityIdentifiers, Connection, ConnectionProblem } from './connection.ts'
import { emitConnectionEvent } from './connection-events.ts'
import { saveConnection } from './connections.store.ts'
import { whyNotOwn } from './own-business.ts'

/** What the caller wants to connect with. */
export interface WantedConnection extends AuthorityIdentifiers {
  readonly numberTemplate: string | null
  readonly sealedCredentials: string | null
}

/** In live mode the identifiers must match the authority's record. The sandbox accepts any. */
function contradiction(
  { reporting }: Jurisdiction,
  { mode }: Tenant,
  { serviceId }: WantedConnection,
  { numberTemplate }: Business,
): ConnectionProblem | undefined {
  return mode === 'live' && reporting.serviceIdIn(numberTemplate) !== serviceId ? 'other_service_id' : undefined
}

/**
 * Applies the authority's record of the business to a connection. In the sandbox the number in the record becomes the
 * organisation's confirmed one; in live mode it must already be that. Returns the problem if the record does not fit,
 * and leaves the connection unchanged.
 */
export async function connectTo(
  context: Inside<Caller>,
  tenant: Tenant,
  jurisdiction: Jurisdiction,
  before: Connection,
  wanted: WantedConnection,
  business: Business,
): Promise<Connection | ConnectionProblem> {
  const { now } = context
  const { connections, reporting, taxIds } = jurisdiction
  const problem = contradiction(jurisdiction, tenant, wanted, business)
  if (problem) return problem
  const taxIdNormal = taxIds.normalise('national', business.taxId) ?? null
  if (tenant.mode === 'live') {
    const { businessId } = wanted
    const notOwn = await whyNotOwn(context, tenant, { businessId, name: business.name, taxIdNormal })
    if (notOwn) return notOwn
  }
  if (taxIdNormal !== null) {
    const number = { taxId: taxIds.written(taxIdNormal), taxIdNormal, registeredName: business.name }
    const taken = await takeConfirmedTaxNumber(context, tenant, number)
    if (!taken && tenant.mode === 'live') return 'other_tax_number'
  }
  // A key file belongs to one business.
  const isSameBusiness = before.businessId === wanted.businessId
  const keyFile = isSameBusiness ? {} : { sealedKeyFile: null, keyFileFingerprint: null, keyFileAt: null }
  const hasKeyFile = isSameBusiness && before.sealedKeyFile !== null
  const lacksKeyFile = (connections.keyFile?.isRequired ?? false) && tenant.mode === 'live' && !hasKeyFile
  const theirs = reporting.serviceIdIn(business.numberTemplate) === wanted.serviceId ? business.numberTemplate : null
  const wasConnected = before.status === 'connected' && isSameBusiness
  const after: Connection = {
    ...before,
    ...keyFile,
    businessId: wanted.businessId,
    serviceId: wanted.serviceId,
    numberTemplate: wanted.numberTemplate ?? theirs ?? connections.numberTemplateOf(wanted.serviceId),
    sealedCredentials: wanted.sealedCredentials,
    businessName: business.name,
    taxIdNormal,
    status: lacksKeyFile ? 'pending' : 'connected',
    problem: lacksKeyFile ? 'key_file_missing' : null,
    attemptId: null,
    checkedAt: now,
    connectedAt: lacksKeyFile ? null : wasConnected ? before.connectedAt : now,
    updatedAt: now,
  }
  await saveConnection(context.tx, tenant, after)
  const isNews = !wasConnected || before.serviceId !== after.serviceId
  if (after.status === 'connected' && isNews) emitConnectionEvent(context, 'tax_connection.connected', tenant, after)
  return after
}

/** Saves why the tenant could not be connected. */
export async function saveProblem(
  context: Inside<Caller>,
  tenant: Tenant,
  before: Connection,
  problem: ConnectionProblem,
): Promise<Connection> {
  const { tx, now } = context
  const after: Connection = { ...before, status: 'pending', problem, attemptId: null, checkedAt: now, updatedAt: now }
  await saveConnection(tx, tenant, after)
  emitConnectionEvent(context, 'tax_connection.failed', tenant, after)
  return after
}
