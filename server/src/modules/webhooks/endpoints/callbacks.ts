import type { Caller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import type { FormatName } from '../catalogue/format.ts'
import { type EndpointId, mostEndpoints, secretPlace } from './endpoint.ts'
import { emitEndpointEvent } from './endpoint-events.ts'
import { countEndpoints, findCallback, insertEndpoint } from './endpoints.store.ts'
import { newSecret } from './signatures.ts'
import { urlFaults } from './url-faults.ts'

/** A callback address, and the format of its payloads. */
export interface Callback {
  readonly url: string
  readonly format: FormatName
}

export const callbackFaults = ({ webhookHttp }: Ports, mode: Mode, { url }: Callback): Fault[] =>
  urlFaults(webhookHttp.faultOf(url, mode)).map((fault) => ({ ...fault, path: 'callbackUrl' }))

/** Refuses if the limit of endpoints is reached and none has this address. */
export async function requireRoomForCallback(
  { tx }: Pick<Inside<Caller>, 'tx'>,
  tenant: Tenant,
  callback: Callback,
): Promise<void> {
  if ((await countEndpoints(tx, tenant)) >= mostEndpoints && !(await findCallback(tx, tenant, callback)))
    throw refuse('webhook.too_many')
}

/**
 * The endpoint of a callback address, created if missing. It receives only collection events of the accounts that were
 * opened with the address. Its secret is not shown here: a person who manages endpoints can rotate it and see the new
 * one.
 */
export async function callbackAt(
  context: Inside<Caller>,
  tenant: Tenant,
  callback: Callback,
  createdBy: UserId | null,
): Promise<EndpointId> {
  const { tx, vault, now } = context
  // Counting takes a lock, so that two accounts opened at once with one address share an endpoint.
  await countEndpoints(tx, tenant)
  const known = await findCallback(tx, tenant, callback)
  if (known) return known
  const id: EndpointId = newId()
  const made = await insertEndpoint(
    tx,
    tenant,
    {
      ...callback,
      id,
      description: 'Callback of virtual accounts',
      patterns: ['collection.*'],
      capabilities: ['collection.read'],
      plan: null,
      sealedSecret: vault.seal(newSecret(), secretPlace(id)),
      createdBy,
      isCallback: true,
    },
    now,
  )
  emitEndpointEvent(context, 'webhook_endpoint.created', made)
  return id
}
