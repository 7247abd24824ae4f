import { measureHouse } from '../test/structure/house.ts'
import { readTree } from '../test/structure/source-tree.ts'

/** Prints the structure figures and their goals. `npm run house -- circles` also lists what one figure counts. */
const [asked] = process.argv.slice(2)
for (const { name, value, goal, found } of measureHouse(readTree())) {
  process.stdout.write(
    `${name.padEnd(44)} ${String(value).padStart(6)}   goal ${goal}${value > goal ? '   not reached' : ''}\n`,
  )
  if (asked !== undefined && name.includes(asked)) for (const one of found ?? []) process.stdout.write(`  ${one}\n`)
}
