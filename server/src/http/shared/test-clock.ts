import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import { clockMoves } from '../../modules/test-clock/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Uuid,
} from '../definitions/fields.ts'
import { testClockRoutes as routes } from '../routes/test-clock.ts'

const Count = Type.Integer({ minimum: 0 })

const MoveView = Named('TestClockMove', {
  id: means('Unique identifier of the move (UUIDv7).', Uuid),
  status: means(
    '`advancing`: the move is under way. `ready`: the sandbox has the new time. `stopped`: the move kept failing, and the sandbox has the time of `reachedAt`.',
    OneOf(...clockMoves.moveStatuses),
  ),
  fromAt: means('The time of the sandbox before the move.', Instant),
  toAt: means('The time at which the move ends.', Instant),
  reachedAt: means('How far the move has come, in the time of the sandbox.', Instant),
  steps: means('The number of moments between the two times at which something was due.', Count),
  happened: means(
    'How many events of the sandbox happened during the move, by type. Types are named as in the audit log.',
    Type.Array(
      Named('TestClockHappened', {
        type: means('The type of the events, such as `recurring_schedule.invoice_made`.', Type.String()),
        count: means('The number of events.', Count),
      }),
    ),
  ),
  createdAt: means('When the move began, in real time.', Instant),
  endedAt: means('When the move ended, in real time. Null while it is under way.', Maybe(Instant)),
})

const toMove = ({ id, status, fromAt, toAt, reachedAt, steps, happened, createdAt, endedAt }: clockMoves.Move) => ({
  id,
  status,
  fromAt: fromAt.toISOString(),
  toAt: toAt.toISOString(),
  reachedAt: reachedAt.toISOString(),
  steps,
  happened: Object.entries(happened)
    .map(([type, count]) => ({ type, count }))
    .sort((one, other) => (one.type < other.type ? -1 : 1)),
  createdAt: createdAt.toISOString(),
  endedAt: isoOrNull(endedAt),
})

const unit = (name: keyof typeof clockMoves.mostOfUnit, more = '') =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: clockMoves.mostOfUnit[name], description: `The number of ${name}${more}.` }),
  )

/** A rule that a schema cannot express: the end is named in one way. */
function checkEnd(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  if ('to' in body && 'by' in body) return [{ path: 'by', rule: 'unwanted', message: 'must be left out if to is sent' }]
  return 'to' in body || 'by' in body
    ? []
    : [{ path: 'to', rule: 'required', message: 'is required, unless by is sent' }]
}

const MoveById = Fields({ id: means('The id of the move (UUIDv7).', Uuid) })

export const testClock = {
  get: describeRoute(routes.get, {
    status: 200,
    reply: Named('SandboxTime', {
      now: means('The time of the sandbox: the date of a document that you would create now.', Instant),
      realNow: means('The real time, by the clock of the server.', Instant),
      aheadSeconds: means('How far the sandbox is ahead of the real time, in seconds. 0 if it was never moved.', Count),
      move: means('The move under way, or else the last one. Null if the sandbox was never moved.', Maybe(MoveView)),
    }),
    decode: () => undefined,
    encode: ({ now, realNow, move }) => ({
      now: now.toISOString(),
      realNow: realNow.toISOString(),
      aheadSeconds: Math.round((now.getTime() - realNow.getTime()) / 1000),
      move: move ? toMove(move) : null,
    }),
  }),
  move: describeRoute(routes.move, {
    status: 202,
    body: Named('NewTestClockMove', {
      to: Type.Optional(means('The time at which the move ends. Leave it out if you send `by`.', Instant)),
      by: Type.Optional(
        means(
          'How far the move goes from the time of the sandbox. The parts are added up.',
          Named('TestClockSpan', {
            months: unit('months', ', by the calendar in UTC. A month without the day ends on its last day'),
            weeks: unit('weeks'),
            days: unit('days', ' of 24 hours'),
            hours: unit('hours'),
            minutes: unit('minutes'),
          }),
        ),
      ),
    }),
    checkBody: checkEnd,
    reply: MoveView,
    decode: ({ body }) => ({ to: body.to === undefined ? undefined : new Date(body.to), by: body.by }),
    encode: toMove,
    location: ({ id }) => `/n/v1/test-clock/moves/${id}`,
  }),
  listMoves: describeRoute(routes.listMoves, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(MoveView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toMove),
    pagination: (page) => page,
  }),
  getMove: describeRoute(routes.getMove, {
    status: 200,
    params: MoveById,
    reply: MoveView,
    decode: ({ params }) => ({ id: params.id as clockMoves.MoveId }),
    encode: toMove,
  }),
}
