import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import { type Fault, refuse } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { EventToTell } from '../../platform/events/told-events.store.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { DialectName } from './dialect.ts'
import { type EndpointId, mostEndpoints, secretPlace, urlFaults } from './endpoint.ts'
import { tellOfEndpoint } from './endpoint-events.ts'
import { countEndpoints, findCallback, insertEndpoint, listCallbacks } from './endpoints.store.ts'
import { newSecret } from './signatures.ts'

/** An address that something was opened with, and in whose words it is spoken to. */
export interface Callback {
  readonly url: string
  readonly dialect: DialectName
}

export const callbackFaults = ({ webhookDoor }: Ports, mode: Mode, { url }: Callback): Fault[] =>
  urlFaults(webhookDoor.faultOf(url, mode)).map((fault) => ({ ...fault, path: 'callbackUrl' }))

/** Refused where there are as many endpoints as there may be and none is at this address. */
export async function requireRoomForCallback(
  { tx }: Pick<Inside<Caller>, 'tx'>,
  tenant: Tenant,
  callback: Callback,
): Promise<void> {
  if ((await countEndpoints(tx, tenant)) >= mostEndpoints && !(await findCallback(tx, tenant, callback)))
    throw refuse('webhook.too_many')
}

/**
 * The endpoint at an address that accounts were opened with, made where there is none. It is told what collection tells, of those accounts alone.
 * Nobody is shown its secret here: whoever may manage endpoints has it changed, and sees the new one.
 */
export async function callbackAt(
  context: Inside<Caller>,
  tenant: Tenant,
  callback: Callback,
  createdBy: UserId | null,
): Promise<EndpointId> {
  const { tx, vault, now } = context
  // Counting locks: two accounts that are opened at once with one address have one endpoint.
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
  tellOfEndpoint(context, 'webhook_endpoint.created', made)
  return id
}

/** Which account an event tells of, where it tells of one. */
export function accountIn({ type, data }: Pick<EventToTell, 'type' | 'data'>): string | undefined {
  const { accountId } = data as { accountId?: unknown }
  return type.startsWith('collection.') && typeof accountId === 'string' ? accountId : undefined
}

/** Where events are told that tell of accounts with an address of their own, by account. */
export const callbacksOf = (db: Queryable, events: readonly EventToTell[]): Promise<Map<string, EndpointId>> =>
  listCallbacks(
    db,
    events.flatMap((event) => {
      const accountId = accountIn(event)
      return accountId === undefined ? [] : [{ organisationId: event.organisationId, accountId }]
    }),
  )
