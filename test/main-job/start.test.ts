import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'

let stage: DaemonStand
beforeAll(async () => {
  stage = await DaemonStand.create({ manifests: join(root, 'manifests') })
  await stage.startReady()
})
afterAll(() => stage.close())

test('prints created resources, duration and next commands on start', { timeout: 60_000 }, async () => {
  await eventually(() => /next, in another terminal\n(?: {2}\S.*\n){3}/.test(stage.output), 30_000)
  expect(stage.output).toMatch(/svc \d+\.\d+\.\d+ started in [\d.]+ m?s\n/)
  expect(stage.output).toMatch(
    /created\n {2}2 policies +ask-a-person, read-tools\n {2}1 room +lobby\n {2}1 document +handbook\n {2}1 repository +manifests\n {2}3 agents +builder, greeter, scribe\n {2}1 workflow +hello\n/,
  )
  expect(stage.output).toMatch(/next, in a browser\n {2}http:\/\/127\.0\.0\.1:\d+\/ui\/\n/)
  expect(stage.output).toMatch(
    /terminal\n {2}\.\/bin\/agent status\n {2}\.\/bin\/svc reconcile --dry-run\n {2}\.\/bin\/agent send greeter "hello" --wait\n/,
  )

  const status = await stage.agent(['status'])
  expect(status.code).toBe(0)
  for (const name of ['builder', 'greeter', 'scribe']) expect(status.stdout).toMatch(new RegExp(`${name}.*running`))
  const { agents } = JSON.parse((await stage.agent(['status', '--json'])).stdout) as { agents: AgentRecord[] }
  expect(
    agents
      .map(({ name, status: state, connected }) => [name, state, connected])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
  ).toEqual(['builder', 'greeter', 'scribe'].map((name) => [name, 'running', true]))

  const again = await stage.svc(['reconcile', '--dry-run', '--detailed-exitcode'])
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/no changes/i)])
})

test('streams the result of a tool call after its approval', { timeout: 60_000 }, async () => {
  const frames = await stage.listen()
  const id = await eventually(async () => {
    const { stdout } = await stage.agent(['orchestrator', 'list-approvals', '--status', 'pending', '--json'])
    return (JSON.parse(stdout) as { id: string; tool_name: string }[]).find((each) => each.tool_name === 'Bash')?.id
  })
  expect((await stage.agent(['orchestrator', 'list-approvals'])).stdout).toContain(id.slice(0, 8))
  expect(frames.filter((frame) => frame.type === 'result')).toEqual([])
  expect(await stage.agent(['orchestrator', 'approve', id])).toMatchObject({ code: 0 })
  const result = await eventually(() => frames.find((frame) => frame.type === 'result'))
  expect(result.content).toBe('TOOL_OK: hello from the builder')
})

test('keeps sessions on SIGTERM and ends them with svc down --agents', { timeout: 60_000 }, async () => {
  const before = await stage.panes()
  expect(Object.keys(before)).toHaveLength(3)
  expect(await stage.stopBy('SIGTERM')).toBe(0)
  expect(await stage.panes()).toEqual(before)

  const second = await stage.start()
  await stage.settled()
  expect(await stage.panes()).toEqual(before)
  const gone = once(second, 'exit')
  expect(await stage.svc(['down', '--agents'])).toMatchObject({ code: 0 })
  expect(await gone).toEqual([0, null])
  expect(await stage.panes()).toEqual({})
})
