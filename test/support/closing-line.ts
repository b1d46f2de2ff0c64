// The run's last line: how many tests passed, failed and were skipped.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state as keyof typeof counts]++
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) counts.failed++
    }
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
