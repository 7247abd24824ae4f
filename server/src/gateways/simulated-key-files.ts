import { OutboundFailure } from '../platform/outbound/failures.ts'
import type { OutboundHttp, PartyOptions } from '../platform/outbound/outbound-http.ts'

interface Access {
  readonly outbound: OutboundHttp
  readonly baseUrl: PartyOptions['baseUrl']
  readonly apiKey: string
  readonly apiSecret: string
}

/** The key file that a business would download from the simulated authority. Undefined if that does not answer. */
export function simulatedKeyFiles({ outbound, baseUrl, apiKey, apiSecret }: Access) {
  const party = outbound.party('nrs_key_files', { baseUrl, overallMs: 4_000 })
  return async (businessId: string, signal: AbortSignal): Promise<string | undefined> => {
    const path = `/control/key-files/${businessId}`
    const headers = { 'x-api-key': apiKey, 'x-api-secret': apiSecret }
    try {
      const { status, body } = await party.send({ method: 'GET', path, headers, signal })
      return status === 200 ? (JSON.parse(body.toString()) as { data: { text: string } }).data.text : undefined
    } catch (error) {
      if (error instanceof OutboundFailure) return undefined
      throw error
    }
  }
}
