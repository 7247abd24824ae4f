import { writeCursor } from '../../kernel/cursors.ts'
import { freshSignInSeconds } from '../../kernel/fresh-sign-in.ts'
import { totalPages } from '../../kernel/paging.ts'
import type { Refusal, RefusalName } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { ReplyError } from '../../modules/request-log/index.ts'
import type { PageFigures } from '../definitions/describe-route.ts'
import type { Form } from '../definitions/form.ts'
import { JsonText, type Meta } from './json-text.ts'
import { wordsOf } from './remedies.ts'

let spelledMs = 0
let spelled = ''

/** Formatting an instant costs more than comparing two, so it is done once per millisecond. */
function timestamp(): string {
  const now = Date.now()
  if (now !== spelledMs) {
    spelledMs = now
    spelled = new Date(now).toISOString()
  }
  return spelled
}

export const metaOf = (requestId: string, mode?: Mode): Meta =>
  mode === undefined ? { requestId, timestamp: timestamp() } : { requestId, timestamp: timestamp(), mode }

/** Ids, instants and modes need no escaping: concatenation costs a third of a serialiser. */
const plainMeta = ({ requestId, timestamp, mode }: Meta): string =>
  `{"requestId":"${requestId}","timestamp":"${timestamp}"${mode === undefined ? '' : `,"mode":"${mode}"`}}`

const figuresOf = ({ page, limit, total, next = null }: PageFigures) => ({
  page,
  limit,
  total,
  totalPages: totalPages({ total, limit }),
  hasMore: next !== null,
  nextCursor: next && writeCursor(next),
})

export function successBody(meta: Meta, data: unknown, page?: PageFigures): string {
  const figures = page && figuresOf(page)
  const fullMeta = figures ? { ...meta, pagination: figures } : meta
  if (data instanceof JsonText)
    return `{"meta":${figures ? JSON.stringify(fullMeta) : plainMeta(meta)},"data":${data.text}}`
  return JSON.stringify({ meta: fullMeta, data })
}

export interface RefusedReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly error: ReplyError
  readonly body: string
}

/** What kind of token is needed; a sign-in that is too old is reported as in RFC 9470. */
const challengeOf = (name: RefusalName): string =>
  name === 'auth.sign_in_too_old'
    ? `Bearer error="insufficient_user_authentication", max_age="${freshSignInSeconds}"`
    : 'Bearer'

type FormReplies = Pick<Form, 'answers' | 'routes' | 'prefix'>

/** `reason`, in the body and in `Risiti-Reason`, lets a program distinguish two refusals with the same code. */
export function refusedReply(form: FormReplies, refusal: Refusal, meta: Meta, codeless = false): RefusedReply {
  const { status, code } = form.answers[refusal.refusal]
  const { retryAfterSeconds } = refusal
  const needsRetryAfter = retryAfterSeconds ?? (status === 503 ? 2 : undefined)
  const words = wordsOf(form, refusal)
  const error = { ...(codeless ? {} : { code }), ...words }
  return {
    status,
    headers: {
      'risiti-reason': refusal.refusal,
      ...(needsRetryAfter === undefined ? {} : { 'retry-after': String(needsRetryAfter) }),
      ...(status === 401 ? { 'www-authenticate': challengeOf(refusal.refusal) } : {}),
    },
    error,
    body: JSON.stringify({ meta, error: { ...(codeless ? {} : { code }), reason: refusal.refusal, ...words } }),
  }
}
