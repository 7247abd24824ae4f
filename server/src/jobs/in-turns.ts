import type { OrganisationId } from '../kernel/ids.ts'
import type { Mode } from '../kernel/tenant.ts'
import { oneByOne, type Watch } from '../platform/work/failing-items.ts'
import { inBatches } from './in-batches.ts'

interface Owner {
  readonly organisationId: OrganisationId
  readonly mode?: Mode
}

interface Sweep<Whose extends Owner> {
  /** the log name of a failure for one of them */
  readonly problem: string
  /** some of those who have something due, in a fixed order, after one of them */
  findAfter(last: Whose | undefined): Promise<readonly Whose[]>
  /** takes a batch of what one of them has; says whether there may be more */
  takeBatch(whose: Whose): Promise<boolean>
}

/**
 * Takes what is due from one owner after the other, each in transactions of its own. Everybody gets a batch before anybody gets a second one. The
 * walk only goes forward: who is held up by somebody or fails is passed, and has a turn in the next sweep. Gives for how many it failed.
 */
export async function inTurns<Whose extends Owner>(
  watch: Watch,
  { problem, findAfter, takeBatch }: Sweep<Whose>,
): Promise<number> {
  let failed = 0
  const giveTurns = async (owners: readonly Whose[]): Promise<Whose[]> => {
    const unfinished: Whose[] = []
    failed += await oneByOne(watch, problem, owners, async (owner) => {
      if (await takeBatch(owner)) unfinished.push(owner)
    })
    return unfinished
  }
  let unfinished: Whose[] = []
  let last: Whose | undefined
  await inBatches(async () => {
    const owners = await findAfter(last)
    unfinished.push(...(await giveTurns(owners)))
    last = owners.at(-1)
    return owners.length
  })
  await inBatches(async () => {
    unfinished = await giveTurns(unfinished)
    return unfinished.length
  })
  return failed
}
