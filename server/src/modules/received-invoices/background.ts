import { consumerFor } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { followNewcomerJob } from './feeds/feed.ts'
import { sendFromOutside } from './feeds/send-from-outside.ts'
import { receivedMetrics } from './reading/received-metrics.ts'
import {
  acknowledgeForTenant,
  checkPaymentsOfTenant,
  followEveryFeed,
  followNewcomer,
  followOneFeed,
  receiveForTenant,
} from './receiving/follow-feeds.ts'

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [
    followEveryFeed(runner),
    followOneFeed(runtime, runner),
    followNewcomer(runner),
    receiveForTenant(runtime, runner),
    acknowledgeForTenant(runtime, runner),
    checkPaymentsOfTenant(runtime, runner),
  ],
  consumers: [consumerFor(followNewcomerJob)],
  exchanges: [sendFromOutside],
  metrics: ({ db }) => receivedMetrics(db),
}
