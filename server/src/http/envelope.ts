import { totalPages } from '../kernel/paging.ts'
import type { Refusal } from '../kernel/refusals.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { Answers } from './answers.ts'
import type { PageFigures } from './speak.ts'

export interface Meta {
  readonly requestId: string
  readonly timestamp: string
  readonly mode?: Mode
}

export const metaOf = (requestId: string, mode?: Mode): Meta =>
  mode === undefined
    ? { requestId, timestamp: new Date().toISOString() }
    : { requestId, timestamp: new Date().toISOString(), mode }

export function successBody(meta: Meta, data: unknown, page?: PageFigures): string {
  if (page === undefined) return JSON.stringify({ meta, data })
  const pagination = { page: page.page, limit: page.limit, total: page.total, totalPages: totalPages(page) }
  return JSON.stringify({ meta: { ...meta, pagination }, data })
}

export interface RefusedReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** `Risiti-Reason` gives the finer name behind a code, so that a program can tell two refusals of one code apart. */
export function refusedReply(answers: Answers, refusal: Refusal, meta: Meta): RefusedReply {
  const { status, code } = answers[refusal.refusal]
  const { message, details, retryAfterSeconds } = refusal
  const needsRetryAfter = retryAfterSeconds ?? (status === 503 ? 2 : undefined)
  return {
    status,
    headers: {
      'risiti-reason': refusal.refusal,
      ...(needsRetryAfter === undefined ? {} : { 'retry-after': String(needsRetryAfter) }),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify({ meta, error: { code, message, ...(details ? { details } : {}) } }),
  }
}
