import { measureHouse, publishedMeasures } from '../test/structure/house.ts'
import { readCommitted, readTree } from '../test/structure/source-tree.ts'

/** Prints the structure figures and their goals. `npm run house -- circles` also lists what one figure counts. */
const [asked] = process.argv.slice(2)
const tree = readTree()
const documents = ['form-a', 'form-b'].map((name) => JSON.parse(readCommitted(`openapi/${name}.json`)))
for (const { name, value, goal, found } of [...measureHouse(tree), ...publishedMeasures(tree, documents)]) {
  process.stdout.write(
    `${name.padEnd(44)} ${String(value).padStart(6)}   goal ${goal}${value > goal ? '   not reached' : ''}\n`,
  )
  if (asked !== undefined && name.includes(asked)) for (const one of found ?? []) process.stdout.write(`  ${one}\n`)
}
