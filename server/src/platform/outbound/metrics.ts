import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureName } from './failures.ts'

/** An answer by the first digit of its status, or the name of the failure. */
export type MeasuredOutcome = FailureName | '2xx' | '3xx' | '4xx' | '5xx' | 'other'

export const measuredStatus = (status: number): MeasuredOutcome =>
  (['2xx', '3xx', '4xx', '5xx'] as const)[Math.floor(status / 100) - 2] ?? 'other'

/** Measures the requests to one party. */
export interface PartyMetrics {
  began(): void
  ended(outcome: MeasuredOutcome, seconds: number): void
  connected(): void
}

export interface OutboundMetrics {
  of(party: string): PartyMetrics
  text(): Promise<string>
}

export function createOutboundMetrics(): OutboundMetrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'risiti_outbound_requests_total',
    help: 'Requests to outside parties, by outcome.',
    labelNames: ['party', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'risiti_outbound_request_seconds',
    help: 'Time until a reply or a failure, including the wait for a connection.',
    labelNames: ['party'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const inFlight = new Gauge({
    name: 'risiti_outbound_in_flight',
    help: 'Requests without a reply yet, including those that wait for a connection.',
    labelNames: ['party'],
    registers,
  })
  const connections = new Counter({
    name: 'risiti_outbound_connections_total',
    help: 'Connections that were opened.',
    labelNames: ['party'],
    registers,
  })
  function measure(party: string): PartyMetrics {
    const labels = { party }
    // A party shows up before its first request.
    seconds.zero(labels)
    inFlight.set(labels, 0)
    connections.inc(labels, 0)
    return {
      began: () => inFlight.inc(labels),
      ended(outcome, took) {
        inFlight.dec(labels)
        requests.inc({ party, outcome })
        seconds.observe(labels, took)
      },
      connected: () => connections.inc(labels),
    }
  }
  const parties = new Map<string, PartyMetrics>()
  return {
    of(party) {
      const measured = parties.get(party) ?? measure(party)
      parties.set(party, measured)
      return measured
    },
    text: () => registry.metrics(),
  }
}
