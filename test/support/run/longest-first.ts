// Runs long test files first, so that none is left at the end.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../root.ts'

/** Small files that run long. All others are sorted by size. */
const LONG = [
  'services/services.test.ts',
  'browser/scale.test.ts',
  'main-job/equal-answers.test.ts',
  'services/orchestrator/workflows/triggers/triggers.test.ts',
  'cli/gitops/isolation.test.ts',
  'cli/gitops/rollback.test.ts',
  'cli/serve.test.ts',
  'services/orchestrator/workflows/triggers/cron.test.ts',
  'campaigns/simulation.test.ts',
  'cli/gitops/policy-in-force.test.ts',
  'cli/gitops/windows.test.ts',
  'scripts/ready.test.ts',
].map((file) => join(root, 'test', file))

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((file) => !existsSync(file))
    if (gone.length > 0) throw new Error(`test/support/run/longest-first.ts names missing files: ${gone.join(', ')}`)
    const others = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => (LONG.indexOf(moduleId) + LONG.length + 1) % (LONG.length + 1)
    return others.sort((one, other) => place(one) - place(other))
  }
}
