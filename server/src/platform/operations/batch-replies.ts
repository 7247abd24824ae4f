import type { MakeReply, Member } from './batch-members.ts'

/** An attempt that gives no answer counts like a long answer; otherwise one turn could make any number of them. */
const bytesOfNone = 4_096

/**
 * Makes the answer that is to be kept with a plan. Whoever has none goes step by step, and whoever fails at it fails alone: neither is written with
 * the group.
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
 * Makes answers that are to be kept, so many bytes of them in one turn of the process. One after the other they cost it far less than each in the turn of its
 * request, when other work has emptied the caches (docs/performance.md); but as long as it makes them, nobody else is served.
 */
export function createReplyMaker(mostBytesInTurn: number) {
  /** of this turn; the first who spends of it has it filled again when the turn ends */
  let bytesLeft = mostBytesInTurn
  function spend(bytes: number): void {
    if (bytesLeft === mostBytesInTurn)
      setImmediate(() => {
        bytesLeft = mostBytesInTurn
      })
    bytesLeft -= bytes
  }

  const hasRoom = (): boolean => bytesLeft > 0

  /** Of those who were taken for a group: who can be written, and who is left because this turn has no more room. Whoever got no answer was told, and is neither. */
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
