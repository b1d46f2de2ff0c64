// Prints the slowest files, SVC_TEST_NOTE and the counts at the end. Appends failed tests to the file SVC_TEST_FAILED.
import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap(failuresOf)
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (wanted: string) => states.filter((state) => state === wanted).length
    const { SVC_TEST_FAILED, SVC_TEST_NOTE } = process.env
    if (SVC_TEST_FAILED && failed.length > 0)
      appendFileSync(SVC_TEST_FAILED, failed.map((line) => `${line}\n`).join(''))
    if (modules.length > SHOWN) process.stdout.write(slowestOf(modules))
    if (SVC_TEST_NOTE) process.stdout.write(`${SVC_TEST_NOTE}\n`)
    process.stdout.write(`${count('passed')} passed, ${failed.length} failed, ${count('skipped')} skipped\n`)
  }
}

/** One line per failed test, or per file that could not be loaded or prepared. */
function failuresOf(module: TestModule): string[] {
  const tests = [...module.children.allTests('failed')]
  if (tests.length === 0 && module.state() !== 'failed') return []
  if (tests.length === 0) return [`${module.relativeModuleId}: ${firstLine(module.errors())}`]
  return tests.map((test) => `${module.relativeModuleId} > ${test.fullName}: ${firstLine(test.result().errors)}`)
}

const firstLine = (errors: readonly { message: string }[] = []) => errors[0]?.message.split('\n')[0] ?? 'failed'

function slowestOf(modules: readonly TestModule[]): string {
  const timed = modules.map((module) => {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    return { file: module.relativeModuleId, seconds: (collectDuration + setupDuration + duration) / 1000 }
  })
  const slowest = timed.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}\n`)
  return `slowest files:\n${lines.join('')}`
}
