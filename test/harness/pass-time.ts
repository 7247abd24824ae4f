let aheadMs = 0

/**
 * Puts the monotonic clock of this process ahead, as if it had stood still for so long. Timers and the wall clock stay as
 * they are. Nothing undoes it, because a monotonic clock never goes back.
 */
export function passTime(ms: number): void {
  if (aheadMs === 0) {
    const now = performance.now.bind(performance)
    performance.now = () => now() + aheadMs
  }
  aheadMs += ms
}
