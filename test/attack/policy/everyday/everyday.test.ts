// Everyday calls of coding agents, from public runs and issues (`source`). The wanted answers were written before any
// policy had judged them.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PRESETS } from '../../../../schemas/tools/presets/index.ts'
import { canonicalPolicy } from '../../../../schemas/tools/policy.ts'
import { judge, type Decision } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from '../../../services/orchestrator/policy/closed-under.ts'

interface Call {
  id: string
  frequency: 'very-common' | 'common' | 'rare'
  tool: string
  /** `{app}`, `{home}`, `{tmp}` and `{outside}` are folders of the test. */
  input: unknown
  want: Record<string, Decision>
  /** No policy but `open` may allow it without a person. */
  danger?: boolean
}

const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8')) as Call[]
/** Share of the calls to allow that may be refused or asked about; null: printed only. */
const MOST_BLOCKED: Record<string, number | null> = {
  reviewer: 0.05,
  builder: 0.05,
  releaser: 0.1,
  careful: null,
  open: 0.05,
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-everyday-')))
for (const folder of ['app/src', 'home', 'tmp', 'outside']) mkdirSync(join(root, folder), { recursive: true })
afterAll(() => rmSync(root, { recursive: true }))
const home = join(root, 'home')
const place = { workingDir: join(root, 'app'), home, additionalDirs: [join(root, 'tmp')], closed: closedUnder(home) }
const filled = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input).replace(/\{(app|home|tmp|outside)\}/g, (_, name: string) => join(root, name)))

test.each(PRESETS.map((preset) => [preset.name, canonicalPolicy(preset, 'allow_all')] as const))(
  '%s lets everyday calls pass, and no dangerous one',
  (name, policy) => {
    const judged = calls.map((call) => ({
      ...call,
      wanted: call.want[name]!,
      decision: judge(policy, call.tool, filled(call.input), place).decision,
    }))
    const toAllow = judged.filter(({ wanted }) => wanted === 'allow')
    const blocked = toAllow.filter(({ decision }) => decision !== 'allow')
    const share = blocked.length / toAllow.length
    console.log(`everyday: ${name} blocks ${blocked.length} of ${toAllow.length} calls (${(share * 100).toFixed(1)} %)`)
    const most = MOST_BLOCKED[name]
    if (most !== null && most !== undefined) {
      expect(blocked.filter(({ frequency }) => frequency === 'very-common').map(({ id }) => id)).toEqual([])
      expect(share).toBeLessThan(most)
    }
    const dangerous = judged.filter(
      ({ danger, wanted, decision }) => danger && wanted !== 'allow' && decision === 'allow',
    )
    if (name !== 'open') expect(dangerous.map(({ id }) => id)).toEqual([])
  },
)

test('contains at least 300 calls', () => {
  expect(calls.length).toBeGreaterThanOrEqual(300)
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
})
