import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mends } from './mends.ts'

const root = new URL('../../', import.meta.url)

test.each(mends.flatMap(({ name, changes }) => changes.map((change) => ({ name, ...change }))))(
  'the code that the walk removes is still in its file: $name ($file)',
  ({ file, mended }) => {
    expect(readFileSync(new URL(file, root), 'utf8').split(mended)).toHaveLength(2)
  },
)
