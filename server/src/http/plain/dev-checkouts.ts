import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { invalid, refuse } from '../../kernel/refusals.ts'
import { findCheckoutUrl } from '../../modules/billing/index.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { OutboundHttp } from '../../platform/outbound/outbound-http.ts'
import { anywhere } from '../../platform/outbound/public-urls.ts'
import { Fields, OneOf, Uuid } from '../definitions/fields.ts'
import { strictCheck } from '../request/validate.ts'

const checkParams = strictCheck(Fields({ paymentId: Uuid }))
const checkBody = strictCheck(
  Fields({
    outcome: OneOf('paid', 'failed', 'abandoned'),
    card: Type.Optional(OneOf('works', 'declines_later')),
  }),
)

/** The buttons of the simulated checkout page. Exists only in a playground. */
export function serveDevCheckouts(server: FastifyInstance, db: Queryable, outbound: OutboundHttp): void {
  const pages = outbound.public('checkout_page', anywhere, { overallMs: 5_000 })
  server.post<{ Params: { paymentId: string }; Body: { outcome: string; card?: string } }>(
    '/dev/checkouts/:paymentId',
    async ({ params, body }) => {
      if (checkParams(params).length > 0) throw refuse('resource.not_found')
      const faults = checkBody(body ?? {})
      if (faults.length > 0) throw invalid(faults)
      const url = await findCheckoutUrl(db, params.paymentId)
      if (!url) throw refuse('resource.not_found')
      const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
      const form = new URLSearchParams({ outcome: body.outcome, card: body.card ?? 'works' }).toString()
      const pressed = await pages.send({ method: 'POST', url, headers, body: form }).catch(() => undefined)
      if (pressed?.status === 404) throw refuse('resource.not_found')
      if (pressed?.status !== 200)
        throw refuse('state.changed', { message: 'The checkout page did not take it: it is paid or has expired.' })
      return { paymentId: params.paymentId, outcome: body.outcome }
    },
  )
}
