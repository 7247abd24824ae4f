import type { RefusalName } from '../kernel/refusals.ts'

/** The status and code with which a form answers a refusal of the core. */
export interface Answer {
  readonly status: number
  readonly code: string
}

/** A form's map is total: a new refusal does not compile until every form has an answer for it. */
export type Answers = Readonly<Record<RefusalName, Answer>>

const answer = (status: number, code: string): Answer => ({ status, code })

/** What both forms answer alike. Each form spreads this and adds its own. */
export const sharedAnswers = {
  'request.invalid': answer(400, 'VAL001'),
  'request.malformed': answer(400, 'VAL001'),
  'request.not_json': answer(415, 'VAL002'),
  'request.too_large': answer(413, 'VAL002'),
  'request.headers_too_large': answer(431, 'VAL002'),
  'request.too_slow': answer(408, 'VAL002'),
  'route.not_found': answer(404, 'RES001'),
  'route.elsewhere': answer(404, 'RES001'),
  'route.method_not_allowed': answer(405, 'RES001'),
  'resource.not_found': answer(404, 'RES001'),
  'version.stale': answer(409, 'RES003'),
  'state.changed': answer(409, 'RES004'),
  'idempotency.body_differs': answer(409, 'BIZ107'),
  'limit.exceeded': answer(429, 'RATE001'),
  'dependency.unavailable': answer(503, 'DEP001'),
  'internal.failure': answer(500, 'SYS001'),
  'auth.token_missing': answer(401, 'AUTH001'),
  'auth.token_invalid': answer(401, 'AUTH001'),
  'auth.token_outdated': answer(401, 'AUTH001'),
  'auth.email_unverified': answer(403, 'AUTH004'),
  'auth.capability_missing': answer(403, 'PERM001'),
  'auth.users_only': answer(403, 'PERM002'),
  'auth.keys_only': answer(403, 'PERM002'),
  'credentials.wrong': answer(401, 'AUTH002'),
  'credentials.second_factor_needed': answer(401, 'AUTH003'),
  'code.wrong': answer(401, 'AUTH002'),
  'session.ended': answer(401, 'AUTH001'),
  'totp.already_on': answer(409, 'BIZ004'),
  'totp.not_enrolled': answer(409, 'BIZ004'),
  'totp.not_on': answer(409, 'BIZ004'),
  'live_mode.not_allowed': answer(403, 'PERM003'),
  'live_mode.session_needed': answer(403, 'PERM003'),
  'organisation.duplicate': answer(409, 'RES002'),
  'onboarding.incomplete': answer(409, 'BIZ004'),
  'phone.code_wrong': answer(400, 'VAL001'),
  'member.above_own': answer(403, 'PERM001'),
  'member.last_owner': answer(409, 'BIZ004'),
  'member.is_you': answer(409, 'BIZ004'),
  'member.exists': answer(409, 'RES002'),
  'transfer.not_fit': answer(409, 'BIZ004'),
  'role.above_own': answer(403, 'PERM001'),
  'role.is_system': answer(403, 'PERM001'),
  'role.name_taken': answer(409, 'RES002'),
  'role.in_use': answer(409, 'BIZ004'),
  'invitation.exists': answer(409, 'RES002'),
  'invitation.not_pending': answer(409, 'BIZ004'),
  'invitation.unknown': answer(404, 'RES001'),
  'invitation.account_exists': answer(409, 'RES002'),
  'key.not_usable': answer(409, 'BIZ004'),
  'key.already_rotating': answer(409, 'BIZ004'),
  'key.too_many': answer(409, 'BIZ004'),
  'billing.not_provisioned': answer(404, 'RES101'),
  'billing.mode_not_own': answer(403, 'BIZ108'),
  'checkout.currency_not_routed': answer(422, 'BIZ101'),
  'notification.not_signed': answer(401, 'AUTH001'),
  'subscription.exists': answer(409, 'BIZ004'),
  'subscription.not_overdue': answer(409, 'BIZ004'),
  'subscription.not_cancellable': answer(409, 'BIZ004'),
  'subscription.already_paid': answer(409, 'BIZ004'),
  'subscription.not_cancelled': answer(409, 'BIZ004'),
} as const satisfies Partial<Answers>
