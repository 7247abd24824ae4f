import { type Fault, mostFaults } from '../../kernel/refusals.ts'

/** The keys in a path are the sender's own: a reply must not grow far beyond the request. */
const longestPath = 500

/** A path in a body: a field or an index, inside its parent. The body itself has an empty path. */
export interface FieldPath {
  readonly above: FieldPath | undefined
  readonly step: string | number
}

/** Built from the inside to the outside, up to the shown length. */
export function pathOf(place: FieldPath | undefined): string {
  const steps: (string | number)[] = []
  for (let at = place; at; at = at.above) steps.push(at.step)
  let path = ''
  for (let step = steps.pop(); step !== undefined && path.length < longestPath; step = steps.pop())
    path += typeof step === 'number' ? `[${step}]` : `${path === '' ? '' : '.'}${step.slice(0, longestPath)}`
  return path.slice(0, longestPath)
}

/**
 * A bounded list of faults. A body can contain a hundred thousand: collecting stops when the list is full, and a path is built only for
 * listed faults.
 */
export class Faults {
  readonly list: Fault[] = []

  get isFull(): boolean {
    return this.list.length >= mostFaults
  }

  add(place: FieldPath | undefined, rule: string, message: string): void {
    if (!this.isFull) this.list.push({ path: pathOf(place), rule, message })
  }

  take(fault: Fault): void {
    if (!this.isFull) this.list.push(fault)
  }
}
