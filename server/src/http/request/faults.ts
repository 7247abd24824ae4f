import { type Fault, mostFaults } from '../../kernel/refusals.ts'

/** The keys in a path are the sender's own: an answer must not grow far beyond what was sent. */
const longestPath = 500

/** Where in a body something stands: a field or an index, inside what is above it. The body itself is nowhere. */
export interface Place {
  readonly above: Place | undefined
  readonly step: string | number
}

/** Spelled from the inside to the outside, and no further than it is shown. */
export function pathOf(place: Place | undefined): string {
  const steps: (string | number)[] = []
  for (let at = place; at; at = at.above) steps.push(at.step)
  let path = ''
  for (let step = steps.pop(); step !== undefined && path.length < longestPath; step = steps.pop())
    path += typeof step === 'number' ? `[${step}]` : `${path === '' ? '' : '.'}${step.slice(0, longestPath)}`
  return path.slice(0, longestPath)
}

/**
 * Faults, as many as an answer lists. A body can hold a hundred thousand of them: whoever collects stops when it is
 * full, and a path is spelled only for those that are kept.
 */
export class Faults {
  readonly list: Fault[] = []

  get isFull(): boolean {
    return this.list.length >= mostFaults
  }

  add(place: Place | undefined, rule: string, message: string): void {
    if (!this.isFull) this.list.push({ path: pathOf(place), rule, message })
  }

  take(fault: Fault): void {
    if (!this.isFull) this.list.push(fault)
  }
}
