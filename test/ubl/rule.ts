import type { Element } from './tree.ts'

/** A published rule: whether a document keeps it. */
export interface Rule {
  readonly id: string
  readonly holds: (root: Element) => boolean
}

export const rule = (id: string, holds: (root: Element) => boolean): Rule => ({ id, holds })

/** A rule that applies to each element of some kind. */
export const ruleOfEach = (
  id: string,
  contexts: (root: Element) => readonly Element[],
  holds: (context: Element, root: Element) => boolean,
): Rule => ({ id, holds: (root) => contexts(root).every((context) => holds(context, root)) })
