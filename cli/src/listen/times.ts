export interface ListenTimes {
  /** how long the service waits for the next event */
  readonly waitSeconds: number
  /** how much later the reply may come, before the connection counts as lost */
  readonly graceMs: number
  /** pauses after a failure: the first, and the longest */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** time for the program to reply */
  readonly replyMs: number
  /** how long it is quiet until a line says so */
  readonly quietMs: number
}

export const usualTimes: ListenTimes = {
  waitSeconds: 25,
  graceMs: 10_000,
  firstPauseMs: 250,
  longestPauseMs: 5_000,
  replyMs: 30_000,
  quietMs: 60_000,
}
