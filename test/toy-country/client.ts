import Type from 'typebox'
import { reader } from '../../server/src/gateways/provider-answers.ts'
import {
  type Authority,
  AuthorityUnavailable,
  type NotSentAnswer,
  type UnclearAnswer,
} from '../../server/src/jurisdictions/port.ts'
import { OutboundFailure } from '../../server/src/platform/outbound/failures.ts'
import type { OutboundHttp } from '../../server/src/platform/outbound/outbound-http.ts'

const read = <S extends Type.TSchema>(schema: S) => reader('the toy authority', schema)
const readBusiness = read(Type.Object({ id: Type.String(), name: Type.String(), taxCard: Type.String() }))
const readDocument = read(
  Type.Union([
    Type.Object({ state: Type.Literal('processing') }),
    Type.Object({ state: Type.Literal('registered'), number: Type.String({ pattern: '^TOY-\\d{6}$' }) }),
    Type.Object({ state: Type.Literal('refused'), reason: Type.String() }),
  ]),
)

const unclear = (why: string): UnclearAnswer => ({
  kind: 'unclear',
  reason: 'no_answer',
  why,
  messages: [],
  countsAgainstHealth: true,
})

/** The toy authority over HTTP. It offers only what every authority must. */
export function toyAuthority({ outbound, baseUrl }: { outbound: OutboundHttp; baseUrl: string }): Authority {
  const party = outbound.party('toy', { baseUrl })
  const get = (path: string, signal: AbortSignal) => party.send({ method: 'GET', path, signal })

  /** The answer to a request about a document. */
  function stateIn(body: Buffer) {
    const document = readDocument(JSON.parse(body.toString()))
    if (document.state === 'processing') return { kind: 'processing' } as const
    if (document.state === 'refused') return { kind: 'refused', messages: [document.reason] } as const
    return { kind: 'registered', registeredAs: document.number } as const
  }

  function noAnswer(error: unknown): UnclearAnswer | NotSentAnswer {
    if (!(error instanceof OutboundFailure)) return unclear('the answer cannot be understood')
    if (error.mayHaveArrived) return unclear(error.why)
    return { kind: 'not_sent', why: error.why, countsAgainstHealth: true }
  }

  const asQuestion = (answer: UnclearAnswer | NotSentAnswer): UnclearAnswer =>
    answer.kind === 'not_sent' ? unclear(answer.why) : answer

  return {
    isHealthy: async (signal) => (await get('/health', signal)).status === 200,
    findTaxpayer: async () => undefined,
    async findBusiness(_, businessId, signal) {
      const { status, body } = await get(`/businesses/${businessId}`, signal).catch((error: unknown) => {
        throw new AuthorityUnavailable(String(error))
      })
      if (status === 404) return undefined
      const { id, name, taxCard } = readBusiness(JSON.parse(body.toString()))
      return { id, name, taxId: taxCard, numberTemplate: '' }
    },
    readList: async () => [],
    async sign(bytes, signal) {
      try {
        const headers = { 'content-type': 'application/json' }
        const answer = await party.send({ method: 'POST', path: '/documents', headers, body: bytes, signal })
        if (answer.status >= 500) return unclear(`the authority answered ${answer.status}`)
        const state = stateIn(answer.body)
        return state.kind === 'registered' ? { ...state, kind: 'signed' } : state
      } catch (error) {
        return noAnswer(error)
      }
    },
    async lookup(reference, signal) {
      try {
        const { status, body } = await get(`/documents/${reference}`, signal)
        if (status === 404) return { kind: 'absent' }
        if (status !== 200) return unclear(`the authority answered ${status}`)
        const state = stateIn(body)
        if (state.kind !== 'registered') return state
        return {
          ...state,
          kind: 'found',
          transmitted: false,
          delivered: false,
          paymentStatus: undefined,
          registeredOn: undefined,
        }
      } catch (error) {
        return asQuestion(noAnswer(error))
      }
    },
    async download(reference, signal) {
      try {
        const { status, body } = await get(`/documents/${reference}/copy`, signal)
        return status === 404 ? { kind: 'absent' } : { kind: 'downloaded', bytes: body }
      } catch (error) {
        return asQuestion(noAnswer(error))
      }
    },
  }
}
