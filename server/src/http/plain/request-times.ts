const bounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const name = 'risiti_http_request_seconds'

interface Series {
  readonly labels: string
  /** how many took at most as long as the bound of the same place, and no shorter one; the last took longer */
  readonly counts: number[]
  sum: number
}

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

/**
 * How long answers took, as a histogram for Prometheus. Kept by hand: it is noted for every request, and a library's
 * checks of its labels would be a good part of what a small request costs.
 */
export class RequestTimes {
  /** by route, method and status, which are the same values for every request: a key made of them would have to be made each time */
  readonly #series = new Map<string, Map<string, Map<number, Series>>>()

  note(method: string, route: string, status: number, seconds: number): void {
    const series = this.#series.get(route)?.get(method)?.get(status) ?? this.#begin(method, route, status)
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    series.counts[at] = (series.counts[at] as number) + 1
    series.sum += seconds
  }

  #begin(method: string, route: string, status: number): Series {
    const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`
    const series = { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
    const ofRoute = kept(this.#series, route, () => new Map<string, Map<number, Series>>())
    kept(ofRoute, method, () => new Map<number, Series>()).set(status, series)
    return series
  }

  text(): string {
    const lines = [`# HELP ${name} Time to answer, by route and status`, `# TYPE ${name} histogram`]
    const all = [...this.#series.values()].flatMap((ofRoute) =>
      [...ofRoute.values()].flatMap((each) => [...each.values()]),
    )
    for (const { labels, counts, sum } of all) {
      let below = 0
      counts.forEach((count, at) => {
        below += count
        lines.push(`${name}_bucket{le="${bounds[at] ?? '+Inf'}",${labels}} ${below}`)
      })
      lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`)
    }
    return `${lines.join('\n')}\n`
  }
}
