import type { FailureName } from './failures.ts'

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** An answer by the first digit of its status, or the name of the failure. */
export type MeasuredOutcome = FailureName | '2xx' | '3xx' | '4xx' | '5xx' | 'other'

export const measuredStatus = (status: number): MeasuredOutcome =>
  (['2xx', '3xx', '4xx', '5xx'] as const)[Math.floor(status / 100) - 2] ?? 'other'

/** What is measured of one party. Kept by hand: a library's checks of its labels would cost several times what counting does. */
export class PartyMetrics {
  readonly outcomes = new Map<MeasuredOutcome, number>()
  /** how many took at most as long as the bound of the same place, and no shorter one; the last took longer */
  readonly counts = Array<number>(bounds.length + 1).fill(0)
  seconds = 0
  inFlight = 0
  connections = 0

  began(): void {
    this.inFlight++
  }

  ended(outcome: MeasuredOutcome, seconds: number): void {
    this.inFlight--
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    this.counts[at] = (this.counts[at] as number) + 1
    this.seconds += seconds
  }

  connected(): void {
    this.connections++
  }
}

export interface OutboundMetrics {
  of(party: string): PartyMetrics
  /** as Prometheus reads it */
  text(): string
}

type Series = (party: string, measured: PartyMetrics) => string[]

const told: readonly { name: string; help: string; type: string; series: Series }[] = [
  {
    name: 'risiti_outbound_requests_total',
    help: 'Requests to outside parties, by what became of them',
    type: 'counter',
    series: (party, { outcomes }) =>
      [...outcomes].map(([outcome, count]) => `{party="${party}",outcome="${outcome}"} ${count}`),
  },
  {
    name: 'risiti_outbound_request_seconds',
    help: 'Time to an answer or a failure, waiting for a connection included',
    type: 'histogram',
    series(party, { counts, seconds }) {
      let below = 0
      const buckets = counts.map((count, at) => {
        below += count
        return `_bucket{le="${bounds[at] ?? '+Inf'}",party="${party}"} ${below}`
      })
      return [...buckets, `_sum{party="${party}"} ${seconds}`, `_count{party="${party}"} ${below}`]
    },
  },
  {
    name: 'risiti_outbound_in_flight',
    help: 'Requests without an answer yet, those that wait for a connection included',
    type: 'gauge',
    series: (party, { inFlight }) => [`{party="${party}"} ${inFlight}`],
  },
  {
    name: 'risiti_outbound_connections_total',
    help: 'Connections made',
    type: 'counter',
    series: (party, { connections }) => [`{party="${party}"} ${connections}`],
  },
]

export function createOutboundMetrics(): OutboundMetrics {
  const parties = new Map<string, PartyMetrics>()
  return {
    of(party) {
      const label = party.replace(/[\\"\n]/g, ' ')
      const measured = parties.get(label) ?? new PartyMetrics()
      parties.set(label, measured)
      return measured
    },
    text() {
      const lines = told.flatMap(({ name, help, type, series }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...[...parties].flatMap(([party, measured]) => series(party, measured)).map((line) => `${name}${line}`),
      ])
      return `${lines.join('\n')}\n`
    },
  }
}
