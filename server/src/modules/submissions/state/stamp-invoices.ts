import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { everyMinutes, scheduled } from '../../../platform/background/handlers.ts'
import { inTurns } from '../../../platform/background/in-turns.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { type InvoiceId, stampInvoices } from '../../invoices/index.ts'
import { findConnection } from '../../tax-connection/index.ts'
import { listTenantsToStamp, listToStamp } from './stamps.store.ts'
import { openStampKeys, stampOf } from './stamps.ts'

const caller = systemCaller
const origin = { requestId: 'stamp-invoices', address: '', userAgent: '' }
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

const ours = { needs: [], refuses: [] } as const
const tenantsAtOnce = 1_000
const documentsAtOnce = 100

/** Tenants that have a key file and registered documents without a QR code. */
const findTenantsToStamp = reading(ours, ({ db }: Outside<SystemCaller>, after: Tenant | undefined) =>
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
const stampDocuments = operation(
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

/** Every ten minutes: gives registered documents their missing QR code. */
export const stampRegisteredInvoices = (runtime: Runtime, runner: Runner) =>
  scheduled('stamp-invoices', everyMinutes(10), async () => {
    const reached = new Map<string, InvoiceId>()
    const failed = await inTurns<Tenant>(runtime, {
      problem: 'invoice.qr_codes_not_made',
      findAfter: (last) => runner.run(findTenantsToStamp, { caller, origin, input: last }),
      takeBatch: async (tenant) => {
        const input = { tenant, after: reached.get(keyOf(tenant)) }
        const last = await runner.run(stampDocuments, { caller, origin, input })
        if (last !== undefined) reached.set(keyOf(tenant), last)
        return last !== undefined
      },
    })
    if (failed > 0) throw new Error(`QR codes were not made for ${failed} tenants`)
  })
