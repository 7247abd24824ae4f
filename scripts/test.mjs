// Runs all tests, then repeats the failed files alone. A test that fails twice has failed. A test can time out on a
// busy machine, so a test that passes the second time is named for repair.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mostLookedAtAgain = 4

const beganAt = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'risiti-test-'))
/** The counts of a run, or `undefined` if the run did not finish. */
const run = (name, args) => {
  const counts = join(folder, name)
  spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env: { ...process.env, TEST_COUNTS: counts } })
  try {
    return JSON.parse(readFileSync(counts, 'utf8'))
  } catch {
    return undefined
  }
}

const first = run('first', process.argv.slice(2))
const failing = first?.files.filter(({ failed }) => failed > 0) ?? []
let [passed, failed] = [first?.passed ?? 0, first?.failed ?? 1]
const failedInFiles = failing.reduce((sum, file) => sum + file.failed, 0)
if (failing.length > 0 && failing.length <= mostLookedAtAgain && failedInFiles === failed) {
  const names = failing.map(({ file }) => file)
  const listed = names.map((name) => `  ${name}\n`).join('')
  process.stdout.write(`\nFailed beside others, looked at once more:\n${listed}`)
  const second = run('second', ['--maxWorkers=1', '--maxConcurrency=1', ...names])
  if (second) {
    passed += second.passed - failing.reduce((sum, file) => sum + file.passed, 0)
    failed = second.failed
    if (failed === 0)
      process.stdout.write(`\nThey pass only by themselves: find out what they did not wait for.\n${listed}`)
    const seconds = Math.round((performance.now() - beganAt) / 1000)
    process.stdout.write(`\nBoth runs took ${seconds} s.\n${passed} passed, ${failed} failed\n`)
  }
}
rmSync(folder, { recursive: true })
process.exitCode = failed > 0 ? 1 : 0
