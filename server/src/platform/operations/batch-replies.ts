import type { MakeReply, Member } from './batch-members.ts'

/** An attempt that makes no reply costs as much as a long reply. Otherwise one turn of the event loop could make any number of them. */
const bytesOfNone = 4_096

/**
 * Makes the reply that is stored with a plan. A member without a reply goes to the fallback, and a member that throws fails alone. The
 * batch is written without either.
 */
function withReply(member: Member, makeReply: MakeReply): Member | undefined {
  const { planned } = member
  try {
    const keyed = makeReply(planned.plan)
    if (keyed) return { ...member, planned: { ...planned, keyed }, makeReply: undefined }
    member.wrote(undefined)
  } catch (error) {
    member.failed(error)
  }
  return undefined
}

/**
 * Makes the replies of a batch, up to a number of bytes for each turn of the event loop. Made together they cost far less than one by one,
 * because the CPU caches stay warm (docs/performance.md). The limit exists because the process serves no other request meanwhile.
 */
export function createReplyMaker(mostBytesInTurn: number) {
  /** the bytes left in this turn; the first spender schedules the refill at the end of the turn */
  let bytesLeft = mostBytesInTurn
  function spend(bytes: number): void {
    if (bytesLeft === mostBytesInTurn)
      setImmediate(() => {
        bytesLeft = mostBytesInTurn
      })
    bytesLeft -= bytes
  }

  const hasRoom = (): boolean => bytesLeft > 0

  /**
   * Divides the members of a batch into those that can be written and those that wait for the next turn. Members without a reply were
   * already settled and are in neither list.
   */
  function makeFor(taken: readonly Member[]): { readonly made: readonly Member[]; readonly left: readonly Member[] } {
    const made: Member[] = []
    for (const [at, member] of taken.entries()) {
      if (!member.makeReply) {
        made.push(member)
        continue
      }
      if (!hasRoom()) return { made, left: taken.slice(at) }
      const ready = withReply(member, member.makeReply)
      if (ready) made.push(ready)
      spend(ready?.planned.keyed?.answer.length ?? bytesOfNone)
    }
    return { made, left: [] }
  }

  return { hasRoom, makeFor }
}
