// The corpus of everyday calls, judged for a program in a sandbox: there, paths that a call may reach are left to the
// sandbox.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PRESETS } from '../../../schemas/tools/presets/index.ts'
import { canonicalPolicy } from '../../../schemas/tools/policy.ts'
import { judge, type Decision } from '../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from '../../services/orchestrator/policy/closed-under.ts'

interface Call {
  id: string
  frequency: 'very-common' | 'common' | 'rare'
  tool: string
  /** `{app}`, `{home}`, `{tmp}` and `{outside}` are folders of the test. */
  input: unknown
  want: Record<string, Decision>
}

const corpus = new URL('../policy/everyday/calls.json', import.meta.url)
const calls = JSON.parse(readFileSync(corpus, 'utf8')) as Call[]
/** Of the calls to allow: the share that may be blocked, and the number of very common ones. Null: printed only. */
const MOST_BLOCKED: Record<string, { all: number | null; veryCommon: number | null }> = {
  reviewer: { all: 0.05, veryCommon: 0 },
  builder: { all: 0.05, veryCommon: 0 },
  open: { all: 0.05, veryCommon: 0 },
  careful: { all: 0.1, veryCommon: null },
  releaser: { all: 0.1, veryCommon: null },
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-everyday-')))
for (const folder of ['app/src', 'home', 'tmp', 'outside']) mkdirSync(join(root, folder), { recursive: true })
afterAll(() => rmSync(root, { recursive: true }))
const home = join(root, 'home')
const place = {
  workingDir: join(root, 'app'),
  home,
  additionalDirs: [join(root, 'tmp')],
  closed: closedUnder(home),
  isSandboxed: true,
}
const filled = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input).replace(/\{(app|home|tmp|outside)\}/g, (_, name: string) => join(root, name)))

test('has a limit for every preset', () => {
  expect(PRESETS.map(({ name }) => name).sort()).toEqual(Object.keys(MOST_BLOCKED).sort())
})

test.each(PRESETS.map((preset) => [preset.name, canonicalPolicy(preset, 'allow_all')] as const))(
  '%s lets everyday calls of a sandboxed program pass',
  (name, policy) => {
    const toAllow = calls.filter(({ want }) => want[name] === 'allow')
    const blocked = toAllow.filter(({ tool, input }) => judge(policy, tool, filled(input), place).decision !== 'allow')
    const veryCommon = blocked.filter(({ frequency }) => frequency === 'very-common').map(({ id }) => id)
    const share = blocked.length / toAllow.length
    console.log(
      `everyday in a sandbox: ${name} blocks ${blocked.length} of ${toAllow.length} calls (${(share * 100).toFixed(1)} %), ${veryCommon.length} of them very common`,
    )
    const most = MOST_BLOCKED[name]!
    if (most.all !== null) expect(share).toBeLessThan(most.all)
    if (most.veryCommon !== null) expect(veryCommon).toHaveLength(most.veryCommon)
  },
)
