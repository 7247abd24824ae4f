import type { CountryRecord } from '../../../jurisdictions/port.ts'
import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside, Outside } from '../../../platform/operations/operation.ts'
import type { InvoiceMoves } from '../../invoices/index.ts'
import { type Connection, findConnection, keyFileOf } from '../../tax-connection/index.ts'

/** The key file, and the business that it belongs to. */
export interface StampKeys extends Pick<Connection, 'businessId' | 'serviceId'> {
  readonly keyFile: CountryRecord
}

type KeyContext = Pick<Outside<Caller>, 'vault' | 'log'>

export function openStampKeys(vault: KeyContext['vault'], connection: Connection | undefined): StampKeys | undefined {
  const keyFile = connection && keyFileOf(vault, connection)
  return keyFile && { businessId: connection.businessId, serviceId: connection.serviceId, keyFile }
}

/**
 * `undefined` if there is no key file, or if it cannot be opened. A document never waits for its QR code: the sweep
 * makes it later.
 */
export function stampKeysOf({ vault, log }: KeyContext, tenant: Tenant, connection: Connection | undefined) {
  try {
    return openStampKeys(vault, connection)
  } catch (error) {
    log.error('authority.key_file_unreadable', { ...tenant, error })
    return undefined
  }
}

interface StampedDocument {
  readonly country: string
  readonly reference: string
}

/** `undefined` if the QR code cannot be made. That must not delay the document or others in its batch. */
export function stampOf(
  { ports, log, now }: Pick<Inside<Caller>, 'ports' | 'log' | 'now'>,
  { country, reference }: StampedDocument,
  keyFile: CountryRecord,
): string | undefined {
  try {
    return ports.jurisdictions.of(country)?.connections.keyFile?.stampFor(reference, keyFile, now)
  } catch (error) {
    log.error('invoice.qr_code_not_made', { reference, error })
    return undefined
  }
}

/**
 * Adds the QR code to every document that became registered. `known`: the caller's keys; null if there are none. A
 * document with a former service id is left to the sweep, which reads its business from the bytes.
 */
export async function withStamps(
  context: Inside<Caller>,
  tenant: Tenant,
  moves: readonly InvoiceMoves[],
  known: StampKeys | null | undefined,
): Promise<readonly InvoiceMoves[]> {
  if (!moves.some(({ authorityReference }) => authorityReference !== undefined)) return moves
  const keys = known === undefined ? stampKeysOf(context, tenant, await findConnection(context.tx, tenant)) : known
  if (!keys) return moves
  return moves.map((one) => {
    const { authorityReference: reference, country } = one
    if (reference === undefined) return one
    const serviceId = context.ports.jurisdictions.of(country)?.connections.serviceIdOf(reference)
    if (serviceId !== keys.serviceId) return one
    return { ...one, stamp: stampOf(context, { country, reference }, keys.keyFile) }
  })
}
