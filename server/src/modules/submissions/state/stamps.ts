import type { CountryRecord } from '../../../jurisdictions/port.ts'
import type { Caller, SystemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { type InvoiceId, type InvoiceMoves, stampInvoices } from '../../invoices/index.ts'
import { type Connection, findConnection, keyFileOf } from '../../tax-connection/index.ts'
import { listTenantsToStamp, listToStamp } from './stamps.store.ts'

const ours = { needs: [], refuses: [] } as const

/** The key file, and the business that it belongs to. */
export interface StampKeys extends Pick<Connection, 'businessId' | 'serviceId'> {
  readonly keyFile: CountryRecord
}

type KeyContext = Pick<Outside<Caller>, 'vault' | 'log'>

function openStampKeys(vault: KeyContext['vault'], connection: Connection | undefined): StampKeys | undefined {
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
function stampOf(
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

const tenantsAtOnce = 1_000
const documentsAtOnce = 100

/** Tenants that have a key file and registered documents without a QR code. */
export const findTenantsToStamp = reading(ours, ({ db }: Outside<SystemCaller>, after: Tenant | undefined) =>
  listTenantsToStamp(db, after, tenantsAtOnce),
)

interface ToStamp {
  readonly tenant: Tenant
  readonly after: InvoiceId | undefined
}

/**
 * Stamps a batch of a tenant's documents. Documents of another business stay without a QR code, because the authority
 * would not recognise the stamp. Returns the last document of the batch if there may be more.
 */
export const stampDocuments = operation(
  ours,
  async (context: Inside<SystemCaller>, { tenant, after }: ToStamp): Promise<InvoiceId | undefined> => {
    const { tx, vault, ports } = context
    const keys = openStampKeys(vault, await findConnection(tx, tenant))
    if (!keys) return undefined
    const found = await listToStamp(tx, tenant, after, documentsAtOnce)
    const stamps = found.flatMap(({ invoiceId, payload, ...document }) => {
      const copy = ports.jurisdictions.of(document.country)?.reporting.readCopy(payload)
      if (copy?.businessId !== keys.businessId) return []
      const stamp = stampOf(context, document, keys.keyFile)
      return stamp === undefined ? [] : [{ id: invoiceId, country: document.country, stamp }]
    })
    await stampInvoices(context, tenant, stamps)
    return found.length === documentsAtOnce ? found.at(-1)?.invoiceId : undefined
  },
)
