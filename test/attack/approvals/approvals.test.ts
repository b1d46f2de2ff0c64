import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { TestMachine, type TestOrchestrator } from '../../services/orchestrator/harness.ts'
import { times } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import type { Reply } from '../../support/http.ts'
import { numbers } from '../../support/random.ts'
import { Played } from './stand.ts'
import { STEP_NAMES, takeStep } from './steps.ts'

/** The first 25 interleavings contain each step. */
const INTERLEAVINGS = times(50, 25)
const STEPS_EACH = 20

describe('approvals of a daemon', () => {
  let stand: DaemonStand
  beforeEach(async () => {
    stand = await DaemonStand.create()
    writeFileSync(join(stand.project, 'asker.mjs'), ASKER)
    await stand.start()
  })
  afterEach(() => stand.close())

  const api = <T = any>(method: string, path: string, body?: unknown): Promise<Reply<T>> =>
    stand.ask<T>(method, `${stand.orchestrator}${path}`, body)
  const approvals = async (status?: string) =>
    (await api<Approval[]>('GET', `/approvals${status ? `?status=${status}` : ''}`)).body
  const waiting = (count = 1) => eventually(async () => (await approvals('pending'))[count - 1], 30_000)

  async function asker(more: object = {}): Promise<string> {
    const { body } = await api('POST', '/agents', {
      name: 'asker',
      working_dir: stand.project,
      shell: 'bash',
      runtime: 'command',
      command: [process.execPath, join(stand.project, 'asker.mjs')],
      tool_policy: { mode: 'require_approval' },
      ...more,
    })
    await stand.connected()
    return body.id as string
  }

  const ask = (id: string, request: object) => stand.send(id, JSON.stringify(request))
  const results = (frames: { type: string; content: string }[], count: number) =>
    eventually(() => frames.filter(({ type }) => type === 'result')[count - 1]?.content, 30_000)

  test('does not apply an approval to an equal id after a restart', async () => {
    const id = await asker()
    const frames = await stand.listen(id)
    await ask(id, { id: 'req-1', tool: 'Read', input: { file_path: 'a' } })
    expect((await api('POST', `/approvals/${(await waiting()).id}/approve`)).status).toBe(200)
    expect(await results(frames, 1)).toBe('allow {"file_path":"a"}')
    expect((await api('POST', `/agents/${id}/restart`)).status).toBe(200)
    await api('PUT', `/agents/${id}/policy`, { mode: 'deny_all' })
    await stand.connected()
    await ask(id, { id: 'req-1', tool: 'Bash', input: { command: 'rm -rf build' } })
    expect(await results(frames, 2)).toBe("deny Tool 'Bash' is not allowed by policy 'deny_all'")
    await api('PUT', `/agents/${id}/policy`, { mode: 'require_approval' })
    await ask(id, { id: 'req-1', tool: 'Bash', input: { command: 'rm -rf build' } })
    expect(await waiting()).toMatchObject({ request_id: 'req-1', tool_name: 'Bash' })
  })

  test.each(['terminate', 'restart', 'kill -9 of the daemon, then terminate', 'death of the process'])(
    'refuses approval of a request whose process is gone: %s',
    async (end) => {
      const id = await asker()
      await ask(id, { id: 'req-1', tool: 'Bash', input: { command: 'make' } })
      const { id: approval } = await waiting()
      if (end.startsWith('kill')) {
        await stand.stopBy('SIGKILL')
        await stand.start()
        await stand.connected()
        expect(await waiting()).toMatchObject({ id: approval })
      }
      if (end === 'restart') await api('POST', `/agents/${id}/restart`)
      else if (end.endsWith('terminate')) await api('DELETE', `/agents/${id}`)
      else {
        process.kill(Number(Object.values(await stand.panes())[0]), 'SIGKILL')
        await eventually(async () => (await api('GET', `/agents/${id}`)).body.status === 'failed', 30_000)
      }
      const { status, body } = await api('POST', `/approvals/${approval}/approve`)
      expect([status, body.code]).toEqual([409, end.startsWith('death') ? 'process-gone' : 'already-decided'])
      const { status: left } = (await api('GET', `/approvals/${approval}`)).body
      expect(left).toBe(end.startsWith('death') ? 'pending' : 'timed_out')
      if (end.startsWith('death')) expect((await api('POST', `/approvals/${approval}/deny`)).status).toBe(200)
    },
  )

  test('refuses approval of a forbidden request, with or without another input', async () => {
    const id = await asker()
    const frames = await stand.listen(id)
    await ask(id, { id: 'req-1', tool: 'Bash', input: { command: 'make' } })
    const { id: approval } = await waiting()
    const approve = (body?: object) => api('POST', `/approvals/${approval}/approve`, body)
    await api('PUT', `/agents/${id}/policy`, { mode: 'deny_all' })
    expect(await approve()).toMatchObject({ status: 409, body: { code: 'policy-forbids' } })
    await api('PUT', `/agents/${id}/policy`, { mode: 'deny_list', tools: ['Bash(rm *)'] })
    const rm = await approve({ updated_input: { command: 'rm -rf build' } })
    expect(rm).toMatchObject({ status: 409, body: { code: 'policy-forbids' } })
    expect((await approve({ updated_input: { command: 'make -n' } })).status).toBe(200)
    expect(await results(frames, 1)).toBe('allow {"command":"make -n"}')
  })
})

describe('approvals in any order of events', () => {
  const machine = new TestMachine({ clock: new TestClock() })
  let daemon: TestOrchestrator
  beforeAll(async () => {
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  test(`justifies every allow in ${INTERLEAVINGS} interleavings`, { timeout: 900_000 }, async () => {
    const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: INTERLEAVINGS }, (_, i) => i + 1)
    const taken = new Map(STEP_NAMES.map((name) => [name, 0]))
    const totals = { allows: 0, denials: 0 }
    for (const seed of seeds) {
      const agent = await Played.create(machine, daemon)
      const next = numbers(seed)
      try {
        for (let step = 0; step < STEPS_EACH; step++) {
          const name = await takeStep(agent, next)
          taken.set(name, taken.get(name)! + 1)
        }
      } catch (error) {
        throw new Error(`SEED=${seed}:\n${agent.history.join('\n')}\n${(error as Error).message}`, { cause: error })
      }
      daemon = agent.daemon
      await daemon.orchestrator.agents.purge(agent.id, { actor: 'test', requestId: 'end', endpoint: 'TEST' })
      totals.allows += agent.allows
      totals.denials += agent.denials
    }
    const steps = [...taken.values()].reduce((sum, count) => sum + count, 0)
    counted('approvals: interleavings', seeds.length)
    counted('approvals: steps', steps)
    counted('approvals: justified allows', totals.allows)
    counted('approvals: denials', totals.denials)
    for (const [name, count] of taken) counted(`approvals: step: ${name}`, count)
    expect(totals.allows).toBeGreaterThan(0)
    if (seeds.length > 1) expect([...taken].filter(([, count]) => count === 0)).toEqual([])
  })
})

/** Requests the tool in its prompt and returns the decision. */
const ASKER = `
import { createInterface } from 'node:readline'
const put = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n')
const result = (text) => put({ type: 'result', subtype: 'success', is_error: false, result: text, session_id: 'asker', num_turns: 1, total_cost_usd: 0, usage: {}, uuid: crypto.randomUUID() })
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, request_id, request, message, response } = JSON.parse(line)
  if (type === 'user') {
    const { id, tool, input } = JSON.parse(message.content)
    put({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', tool_name: tool, input } })
  }
  if (type === 'control_request') put({ type: 'control_response', response: { subtype: 'success', request_id, response: request.subtype === 'initialize' ? { current_permission_mode: 'default' } : {} } })
  if (type === 'control_response') {
    const { behavior, message: reason, updatedInput } = response.response
    result(behavior === 'allow' ? 'allow ' + JSON.stringify(updatedInput) : 'deny ' + reason)
  }
})
`
