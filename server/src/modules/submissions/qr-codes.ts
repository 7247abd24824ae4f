import type { KeyFile } from '../../jurisdictions/port.ts'
import type { Caller, SystemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { type InvoiceId, type InvoiceMoves, stampInvoices } from '../invoices/index.ts'
import { type Connection, findConnection, keyFileOf } from '../tax-connection/index.ts'
import { listTenantsToStamp, listToStamp } from './qr-codes.store.ts'

const ours = { needs: [], refuses: [] } as const

/** What the documents of a business are stamped with. */
export interface StampKeys extends Pick<Connection, 'businessId' | 'serviceId'> {
  readonly keyFile: KeyFile
}

type Opening = Pick<Outside<Caller>, 'vault' | 'log'>

function openStampKeys(vault: Opening['vault'], connection: Connection | undefined): StampKeys | undefined {
  const keyFile = connection && keyFileOf(vault, connection)
  return keyFile && { businessId: connection.businessId, serviceId: connection.serviceId, keyFile }
}

/** `undefined` if there is no key file, or if it cannot be opened. A document never waits for its QR code: the sweep makes it later. */
export function stampKeysOf({ vault, log }: Opening, tenant: Tenant, connection: Connection | undefined) {
  try {
    return openStampKeys(vault, connection)
  } catch (error) {
    log.error('authority.key_file_unreadable', { ...tenant, error })
    return undefined
  }
}

interface Stamped {
  readonly country: string
  readonly reference: string
}

/** `undefined` if it cannot be made, which is no reason to hold up the document or its neighbours. */
function qrTextOf(
  { ports, log, now }: Pick<Inside<Caller>, 'ports' | 'log' | 'now'>,
  { country, reference }: Stamped,
  keyFile: KeyFile,
): string | undefined {
  try {
    return ports.jurisdictions.of(country)?.reporting.qrTextFor(reference, keyFile, now)
  } catch (error) {
    log.error('invoice.qr_code_not_made', { reference, error })
    return undefined
  }
}

/**
 * Adds the QR code to every document that became registered, whoever learnt of that. `known`: the keys, where the caller has them at
 * hand; null if it knows that there are none. A document of a former service id is left to the sweep, which reads whose it is.
 */
export async function withQrCodes(
  context: Inside<Caller>,
  tenant: Tenant,
  moves: readonly InvoiceMoves[],
  known: StampKeys | null | undefined,
): Promise<readonly InvoiceMoves[]> {
  if (!moves.some(({ irn }) => irn !== undefined)) return moves
  const keys = known === undefined ? stampKeysOf(context, tenant, await findConnection(context.tx, tenant)) : known
  if (!keys) return moves
  return moves.map((one) => {
    const { irn: reference, country } = one
    if (reference === undefined) return one
    const serviceId = context.ports.jurisdictions.of(country)?.connections.serviceIdOf(reference)
    if (serviceId !== keys.serviceId) return one
    return { ...one, qrText: qrTextOf(context, { country, reference }, keys.keyFile) }
  })
}

const tenantsAtOnce = 1_000
const documentsAtOnce = 100

/** Who has a key file, and documents that the authority has registered and that lack a QR code. */
export const findTenantsToStamp = reading(ours, ({ db }: Outside<SystemCaller>, after: Tenant | undefined) =>
  listTenantsToStamp(db, after, tenantsAtOnce),
)

interface ToStamp {
  readonly tenant: Tenant
  readonly after: InvoiceId | undefined
}

/**
 * Makes the QR codes that are missing, of some documents of a tenant. Documents of another business than the one that the tenant is
 * connected as stay without: its key file would make a stamp that the authority does not know. Gives the last document that it looked
 * at, if there may be more.
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
      const qrText = qrTextOf(context, document, keys.keyFile)
      return qrText === undefined ? [] : [{ id: invoiceId, country: document.country, qrText }]
    })
    await stampInvoices(context, tenant, stamps)
    return found.length === documentsAtOnce ? found.at(-1)?.invoiceId : undefined
  },
)
