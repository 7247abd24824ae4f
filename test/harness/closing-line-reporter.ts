import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line; a skipped test counts as failed. */
class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0
    let failed = unhandled.length
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) test.result().state === 'passed' ? passed++ : failed++
      if (
        tests.length === 0 ||
        (module.state() === 'failed' && tests.every((test) => test.result().state === 'passed'))
      )
        failed++
    }
    if (failed > 0) process.exitCode = 1
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}

export default ClosingLineReporter
