/** Lines that only one text has. Committed lines have a minus. A change of order is reported too. */
export function textDiff(committed: string, generated: string): string[] {
  if (committed === generated) return []
  const [before, after] = [committed.split('\n'), generated.split('\n')]
  const changes = [
    ...leftOver(before, after).map((line) => `- ${line}`),
    ...leftOver(after, before).map((line) => `+ ${line}`),
  ]
  if (changes.length > 0) return changes
  return [`the same lines in another order, from line ${before.findIndex((line, at) => line !== after[at]) + 1}`]
}

function leftOver(lines: readonly string[], taken: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of taken) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
}
