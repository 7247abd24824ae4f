import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends the run with how long it took, and then one summary line. A skipped test counts as failed. `TEST_COUNTS` names a file for the counts of
 * each test file.
 */
class ClosingLineReporter implements Reporter {
  readonly #beganAt = performance.now()

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const files = modules.map((module) => {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      const passed = states.filter((state) => state === 'passed').length
      const failedAsAWhole = states.length === 0 || (module.state() === 'failed' && passed === states.length)
      return { file: module.moduleId, passed, failed: states.length - passed + (failedAsAWhole ? 1 : 0) }
    })
    const passed = files.reduce((sum, file) => sum + file.passed, 0)
    const failed = files.reduce((sum, file) => sum + file.failed, unhandled.length)
    if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify({ files, passed, failed }))
    if (failed > 0) process.exitCode = 1
    const seconds = Math.round((performance.now() - this.#beganAt) / 1000)
    process.stdout.write(`\nThe run took ${seconds} s.\n${passed} passed, ${failed} failed\n`)
  }
}

export default ClosingLineReporter
