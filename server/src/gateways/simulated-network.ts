import type { SimulatedNetwork } from '../modules/received-invoices/index.ts'
import { OutboundFailure } from '../platform/outbound/failures.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'

interface Access {
  readonly outbound: OutboundHttp
  readonly baseUrl: PartyOptions['baseUrl']
  readonly apiKey: string
  readonly apiSecret: string
}

/** The authority's own codes: two of them are swapped compared with the UN/CEFACT code list. */
const typeCodes = { standard: '381', credit_note: '380', debit_note: '384' } as const

const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Simulated suppliers: the control route of the simulated authority makes one sign and transmit an invoice. */
export function simulatedNetwork({ outbound, baseUrl, apiKey, apiSecret }: Access): SimulatedNetwork {
  const party = outbound.party('nrs_control', { baseUrl, overallMs: 4_000 })
  return {
    async send({ sellerName, sellerTaxId, type = 'standard', lines, buyerTaxId, ...rest }, signal) {
      const body = JSON.stringify({
        ...rest,
        buyerTin: buyerTaxId,
        supplierName: sellerName,
        supplierTin: sellerTaxId,
        typeCode: typeCodes[type],
        lines: lines?.map(({ serviceCode, ...line }) => ({ ...line, isicCode: serviceCode })),
      })
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret }
      try {
        const answer = await party.send({ method: 'POST', path: '/control/received-invoices', headers, body, signal })
        const reply = parsed(answer.body)
        const irn = fieldIn(fieldIn(reply, 'data'), 'irn')
        if (answer.status < 300 && typeof irn === 'string') return { kind: 'sent', reference: irn.toUpperCase() }
        const details = fieldIn(fieldIn(reply, 'error'), 'details')
        return answer.status === 400 && typeof details === 'string'
          ? { kind: 'refused', reason: details }
          : { kind: 'away' }
      } catch (error) {
        if (error instanceof OutboundFailure) return { kind: 'away' }
        throw error
      }
    },
  }
}
