// Commands name the agents that run without a sandbox, and why.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unsandboxedLine } from '../../../cli/output/unsandboxed.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
const agent = (name: string, more: string) => `name: ${name}\nshell: bash\nruntime: scripted\n${more}`

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/usual.yml', agent('usual', 'working_dir: .\n'))
  stand.write('agents/wide.yml', agent('wide', 'working_dir: /\n'))
  stand.write('agents/free.yml', agent('free', 'working_dir: .\nsandbox: off\n'))
  await stand.start()
  await eventually(async () => {
    const agents = await stand.agents()
    return agents.length === 3 && agents.every(({ status }) => status === 'running')
  }, 60_000)
}, 90_000)
afterAll(() => stand.close())

const WIDE = '/ contains a home directory: choose a project folder'

test('status names agents without a sandbox in one line, but for those where it is off', async () => {
  const { stdout } = await stand.agent(['status'])
  expect(stdout).toContain(`1 agent runs without a sandbox: wide (${WIDE})`)
})

test('get-agent shows the sandbox and its counts', async () => {
  const { stdout } = await stand.agent(['orchestrator', 'get-agent', 'usual', '--json'])
  expect((JSON.parse(stdout) as AgentRecord).sandbox?.summary).toMatch(/^on \(write 1, hidden \d+, network all\)$/)
})

test('doctor checks sandboxes and names agents without one', async () => {
  const { stdout } = await stand.svc(['doctor', '--json'])
  const findings = JSON.parse(stdout) as { check: string; status: string; detail: string }[]
  const found = new Map(findings.map(({ check, status, detail }) => [check, `${status}: ${detail}`]))
  expect(found.get('sandbox')).toMatch(/^ok: bubblewrap \d/)
  expect(found.get('system calls in sandboxes')).toMatch(/^ok: filtered on /)
  expect(found.get('sandbox of wide')).toBe(`warn: none: ${WIDE}`)
  expect(found.get('sandbox of free')).toMatch(/^ok: off: /)
  expect(found.has('sandbox of usual')).toBe(false)
  expect(found.has('OS user of agents')).toBe(process.getuid?.() === 0)
})

test('a resource has the condition Sandboxed if its agent runs without one', async () => {
  const conditionOf = async (name: string) => {
    const { conditions } = await stand.get(`${stand.controller}/resources/agents/${name}`)
    return (conditions as { type: string }[]).find(({ type }) => type === 'Sandboxed')
  }
  const found = await eventually(() => conditionOf('wide'), 20_000)
  expect(found).toMatchObject({ status: 'False', reason: 'NoSandbox', message: `off: ${WIDE}` })
  expect(await conditionOf('usual')).toBeUndefined()
  expect(await conditionOf('free')).toBeUndefined()
})

const record = (name: string, sandbox: object | null) =>
  ({ name, status: 'running', sandbox }) as unknown as AgentRecord
const off = (reason: string) => ({ state: 'off', code: 'sandbox-unavailable', reason })
const older = { state: 'unknown', code: 'sandbox-older', reason: 'its process is older' }

test('names the common reason, or else the command that has them', () => {
  expect(unsandboxedLine([record('a', null), record('b', { state: 'on', code: null })])).toBeNull()
  expect(unsandboxedLine([record('b', off('x')), record('a', off('x'))])).toBe(
    '2 agents run without a sandbox: a, b (x)',
  )
  expect(unsandboxedLine([record('a', off('x')), record('b', older)])).toContain('svc doctor')
})
