/**
 * Distributes an amount in proportion to weights, in whole units that add up exactly. Each weight gets its share
 * rounded down. The rest goes, one unit each, to the largest remainders; among equal ones, to the earlier. If all
 * weights are zero, the first gets everything.
 */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (weights.length === 0) return []
  if (total === 0n) return weights.map((_, at) => (at === 0 ? amount : 0n))
  const shares = weights.map((weight) => (amount * weight) / total)
  let left = amount - shares.reduce((sum, share) => sum + share, 0n)
  const byRemainder = weights
    .map((weight, at) => ({ at, remainder: (amount * weight) % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder) {
    if (left === 0n) break
    shares[at] = (shares[at] as bigint) + 1n
    left--
  }
  return shares
}
