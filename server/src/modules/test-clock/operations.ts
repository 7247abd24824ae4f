/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { moveClock } from './move-clock.ts'
export { getClockMove, getTestClock, listClockMoves } from './read-clock.ts'
