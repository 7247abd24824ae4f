import { benchAuthMe } from './auth-me.ts'
import { benchHotAccount } from './hot-account.ts'
import type { Row } from './measure.ts'
import { type Risiti, startRisiti } from './server-process.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, unit, ours, yardstick, yardstickName, goal }) => {
    const left = `| ${name} | ${Math.round(ours)} ${unit} | ${yardstickName}`
    if (yardstick === undefined) return `${left}: not installed | – | ≥ ${goal} | not measured |`
    const ratio = ours / yardstick
    return `${left}: ${Math.round(yardstick)} | ${ratio.toFixed(2)} | ≥ ${goal} | ${ratio >= goal ? 'yes' : 'NO'} |`
  })
  return [
    '| what | ours | yardstick | ratio | goal | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

async function withRisiti(measure: (risiti: Risiti) => Promise<Row>): Promise<Row> {
  const risiti = await startRisiti()
  try {
    return await measure(risiti)
  } finally {
    await risiti.stop()
  }
}

/** All of them, or those whose names are given: `npm run bench hot-account`. */
const benches: Readonly<Record<string, () => Promise<Row>>> = {
  'auth-me': () => withRisiti(benchAuthMe),
  'hot-account': () => benchHotAccount(say),
}
const wanted = process.argv.slice(2)
const chosen = Object.entries(benches).filter(([name]) => wanted.length === 0 || wanted.includes(name))

say('Measuring; this takes some minutes. Nothing else should run on the machine.')
const rows: Row[] = []
for (const [name, measure] of chosen) {
  say(`\n${name} …`)
  rows.push(await measure())
}
say(`\n${table(rows)}`)
if (rows.some(({ ours, yardstick, goal }) => yardstick !== undefined && ours / yardstick < goal)) process.exitCode = 1
