import { readFileSync } from 'node:fs'

/** A page of `docs/`, which is also served. */
export interface Guide {
  /** the file without its ending, and the last part of the address */
  readonly name: string
  readonly title: string
  readonly markdown: string
}

const folder = new URL('../../../../docs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(`${name}.md`, folder), 'utf8')

/** The index of `docs/`, which lists the guides in their order. */
export const guideIndex = (): string => read('README')

/** All guides in the order of the index. They are part of the program, so a missing one is a defect. */
export function readGuides(): Guide[] {
  const names = [...guideIndex().matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, name]) => name as string)
  return [...new Set(names)].map((name) => {
    const markdown = read(name)
    return { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown }
  })
}
