export interface RowsOwner {
  readonly organisationId: string
}

const mostKnown = 10_000
/** An operator may split a shard. */
const keptMs = 60_000

/**
 * Tells whether the rows of two organisations are in one shard. Remembers shards; the first question about an organisation lets `find` ask
 * the database, and gets false.
 */
export function knownShards(
  find: (organisationId: string) => Promise<bigint>,
): (one: RowsOwner, other: RowsOwner) => boolean {
  const shards = new Map<string, bigint | undefined>()
  let forgetAtMs = 0

  function shardOf({ organisationId }: RowsOwner): bigint | undefined {
    const nowMs = performance.now()
    if (nowMs > forgetAtMs || shards.size >= mostKnown) {
      shards.clear()
      forgetAtMs = nowMs + keptMs
    }
    if (!shards.has(organisationId)) {
      shards.set(organisationId, undefined)
      find(organisationId).then(
        (shard) => shards.set(organisationId, shard),
        () => shards.delete(organisationId),
      )
    }
    return shards.get(organisationId)
  }

  return (one, other) => {
    const [shard, otherShard] = [shardOf(one), shardOf(other)]
    return shard !== undefined && shard === otherShard
  }
}
