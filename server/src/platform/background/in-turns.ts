import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { oneByOne, type Watch } from '../jobs/failing-items.ts'
import { inBatches } from './in-batches.ts'

interface Owner {
  readonly organisationId: OrganisationId
  readonly mode?: Mode
}

interface Sweep<Whose extends Owner> {
  /** the log name of a failure for one owner */
  readonly problem: string
  /** a page of owners with due rows, in a fixed order, after a given one */
  findAfter(last: Whose | undefined): Promise<readonly Whose[]>
  /** takes a batch of one owner's due rows; returns whether there may be more */
  takeBatch(whose: Whose): Promise<boolean>
}

/**
 * Takes due rows from one owner after the other, each in its own transaction. Each owner gets one batch before any gets a second. The walk
 * only goes forward: an owner that is locked or fails is skipped until the next sweep. Returns for how many owners it failed.
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
