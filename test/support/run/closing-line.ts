// The run's last line: how many tests passed, failed and were skipped; before it what is no part of the run. The files
// that failed are written where SVC_TEST_FAILED_FILES says, for who runs them again.
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state as keyof typeof counts]++
      // A file that could not be loaded, or whose preparation failed, ran no test that could fail.
      if (module.state() === 'failed' && !states.includes('failed')) counts.failed++
    }
    const failed = modules.filter((module) => module.state() === 'failed').map((module) => module.relativeModuleId)
    if (process.env.SVC_TEST_FAILED_FILES)
      writeFileSync(process.env.SVC_TEST_FAILED_FILES, failed.map((file) => `${file}\n`).join(''))
    if (process.env.SVC_TEST_APART) process.stdout.write(`${process.env.SVC_TEST_APART}\n`)
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
