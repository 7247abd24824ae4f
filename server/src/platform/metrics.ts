import { Counter, Gauge, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** A metric with the values that it has now: one, or one for each set of labels. */
export interface Metric {
  readonly name: string
  readonly help: string
  /** `gauge` unless given */
  readonly type?: 'gauge' | 'counter'
  readonly values: number | readonly (readonly [labels: Labels, value: number])[]
}

/** The text of these metrics in the format of Prometheus. */
export async function metricsText(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry()
  for (const { name, help, type, values } of metrics) {
    const labelled = typeof values === 'number' ? [[{}, values] as const] : values
    const options = { name, help, labelNames: Object.keys(labelled[0]?.[0] ?? {}), registers: [registry] }
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
    for (const [labels, value] of labelled) metric.inc(labels, value)
  }
  return await registry.metrics()
}
