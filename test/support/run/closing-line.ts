// The end of a run's output: the slowest files, a note on what the run leaves out, and the counts as the last line.
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state as keyof typeof counts]++
      // A file that could not be loaded, or whose preparation failed, has no failed test.
      if (module.state() === 'failed' && !states.includes('failed')) counts.failed++
    }
    if (modules.length > SHOWN) process.stdout.write(slowestOf(modules))
    if (process.env.SVC_TEST_NOTE) process.stdout.write(`${process.env.SVC_TEST_NOTE}\n`)
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}

function slowestOf(modules: readonly TestModule[]): string {
  const timed = modules.map((module) => {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    return { file: module.relativeModuleId, seconds: (collectDuration + setupDuration + duration) / 1000 }
  })
  const slowest = timed.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}\n`)
  return `slowest files:\n${lines.join('')}`
}
