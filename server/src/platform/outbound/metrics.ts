import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureName } from './failures.ts'

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** An answer by the first digit of its status, or the name of the failure. */
export type MeasuredOutcome = FailureName | '2xx' | '3xx' | '4xx' | '5xx' | 'other'

export const measuredStatus = (status: number): MeasuredOutcome =>
  (['2xx', '3xx', '4xx', '5xx'] as const)[Math.floor(status / 100) - 2] ?? 'other'

/** What is measured of one party. */
export interface PartyMetrics {
  began(): void
  ended(outcome: MeasuredOutcome, seconds: number): void
  connected(): void
}

export interface OutboundMetrics {
  of(party: string): PartyMetrics
  /** as Prometheus reads it */
  text(): Promise<string>
}

export function createOutboundMetrics(): OutboundMetrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'risiti_outbound_requests_total',
    help: 'Requests to outside parties, by what became of them',
    labelNames: ['party', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'risiti_outbound_request_seconds',
    help: 'Time to an answer or a failure, waiting for a connection included',
    labelNames: ['party'],
    buckets: bounds,
    registers,
  })
  const inFlight = new Gauge({
    name: 'risiti_outbound_in_flight',
    help: 'Requests without an answer yet, those that wait for a connection included',
    labelNames: ['party'],
    registers,
  })
  const connections = new Counter({
    name: 'risiti_outbound_connections_total',
    help: 'Connections made',
    labelNames: ['party'],
    registers,
  })
  return {
    of(party) {
      const [time, flight, made] = [seconds.labels(party), inFlight.labels(party), connections.labels(party)]
      // Finding a counter by its labels costs more than counting.
      const known = new Map<MeasuredOutcome, Counter.Internal>()
      const counterOf = (outcome: MeasuredOutcome): Counter.Internal => {
        const counter = known.get(outcome) ?? requests.labels(party, outcome)
        known.set(outcome, counter)
        return counter
      }
      return {
        began: () => flight.inc(),
        ended(outcome, took) {
          flight.dec()
          time.observe(took)
          counterOf(outcome).inc()
        },
        connected: () => made.inc(),
      }
    },
    text: () => registry.metrics(),
  }
}
