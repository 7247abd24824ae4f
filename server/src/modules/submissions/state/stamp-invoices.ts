import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { everyMinutes, scheduled } from '../../../platform/background/handlers.ts'
import { inTurns } from '../../../platform/background/in-turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import type { InvoiceId } from '../../invoices/index.ts'
import { findTenantsToStamp, stampDocuments } from './stamps.ts'

const caller = systemCaller
const origin = { requestId: 'stamp-invoices', address: '', userAgent: '' }
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

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
