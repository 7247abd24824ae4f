/** The metrics of ours that a text of rules or panels names. Series of a histogram count as their histogram. */
export const metricsNamedIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\brisiti_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')))].sort()

/** The headings of a Markdown page as addresses inside it. */
export const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

export interface AlertRule {
  readonly name: string
  readonly runbook: string | undefined
  readonly severity: string | undefined
  readonly summary: string | undefined
}

/** The alerts of a rules file of Prometheus, which has one block for each. */
export const alertsIn = (rules: string): AlertRule[] =>
  rules
    .split(/^ +- alert: /m)
    .slice(1)
    .map((block) => ({
      name: /^\w+/.exec(block)?.[0] ?? '',
      runbook: /^ +runbook: docs\/runbooks\.md#(\S+)$/m.exec(block)?.[1],
      severity: /severity: (page|ticket)\b/.exec(block)?.[1],
      summary: /^ +summary: '(.+)'$/m.exec(block)?.[1],
    }))
