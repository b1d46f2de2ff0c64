// The run's last line: how many tests passed, failed and were skipped. Where a second try is allowed (SVC_TEST_TRIES),
// a test that needed it is named above and counted in it, for it is a defect, only not one that ends the run.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const retried: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        counts[test.result().state as keyof typeof counts]++
        if (test.diagnostic()?.flaky) retried.push(`${module.relativeModuleId} > ${test.fullName}`)
      }
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) counts.failed++
    }
    for (const name of retried) process.stdout.write(`passed at the second try only: ${name}\n`)
    const second = retried.length > 0 ? `, ${retried.length} at the second try` : ''
    process.stdout.write(`${counts.passed} passed${second}, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
