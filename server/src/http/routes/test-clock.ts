import { testClockOperations } from '../../modules/test-clock/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const clock = '/n/v1/test-clock'

export const testClockRoutes = {
  get: defineRoute('GET', clock, 'token', testClockOperations.getTestClock, {
    summary: 'Get the time of your sandbox',
    description: 'With the move under way, or else the last one. Live mode has the real time.',
  }),
  move: defineRoute('POST', `${clock}/moves`, 'token', testClockOperations.moveClock, {
    summary: 'Move the time of your sandbox forward',
    description:
      'Everything that waits for time happens in order, as if the time had passed. Recurring invoices are made on their days, deadlines come near and pass, and invoices become overdue. Live mode and other organisations are not touched. Time never goes backwards. One move goes at most 366 days forward, and a sandbox is at most 731 days ahead. The move runs in the background and takes at least two seconds. Requests that you send meanwhile still have the time before the move.',
  }),
  listMoves: defineRoute('GET', `${clock}/moves`, 'token', testClockOperations.listClockMoves, {
    summary: 'List the moves of the last 90 days, newest first',
  }),
  getMove: defineRoute('GET', `${clock}/moves/{id}`, 'token', testClockOperations.getClockMove, {
    summary: 'Get the progress of a move',
    description: 'Poll it about once a second until its status is no longer `advancing`.',
  }),
}
