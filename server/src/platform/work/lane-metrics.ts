import type { LaneName } from './jobs.ts'
import type { LaneCounts } from './lanes.ts'

/** What this process has done in each lane, as Prometheus reads it. */
export function laneMetrics(counts: Readonly<Record<LaneName, LaneCounts>>): string {
  const lines = Object.entries(counts).flatMap(([lane, { done, failed, retried }]) =>
    Object.entries({ done, failed, retried }).map(
      ([outcome, count]) => `risiti_lane_attempts_total{lane="${lane}",outcome="${outcome}"} ${count}`,
    ),
  )
  return [
    '# HELP risiti_lane_attempts_total Attempts at pieces of work by how they ended; those that are tried again count as failed too',
    '# TYPE risiti_lane_attempts_total counter',
    ...lines,
  ].join('\n')
}
