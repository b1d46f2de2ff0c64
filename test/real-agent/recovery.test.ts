import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { approve, daemon, heardSince, model, otherModel, pending, usageOf } from './stand.ts'
import { commandLine } from './whole-daemon.ts'

test('leaves an agent with restart: never failed after kill -9', async () => {
  const agent = await daemon.agent({ restart: 'never' })
  const pid = await eventually(() => agent.processes()[0])
  process.kill(pid, 'SIGKILL')
  const failed = await eventually(async () => {
    const record = await agent.record()
    return record.status === 'failed' && record
  }, 30_000)
  expect(failed).toMatchObject({ connected: false, restarts: 0, last_error: expect.stringContaining('exit code 137') })
  await expect(agent.say('anybody there?')).rejects.toThrow('answered 400')
  expect(agent.processes()).toEqual([])
})

test('resumes conversation and open request of a restarted agent after kill -9', async () => {
  const agent = await daemon.agent({ restart: 'on-failure', tool_policy: { mode: 'require_approval' } })
  const session = ((await agent.turn('the word is marimba')).message as Record<string, string>)['session_id']!
  await agent.say('USE_TOOL Bash touch late.txt')
  const approval = await pending(agent)
  const pid = await eventually(() => agent.processes()[0])
  process.kill(pid, 'SIGKILL')
  await eventually(async () => {
    const record = await agent.record()
    return record.restarts === 1 && record.status === 'running' && record.connected
  }, 30_000)
  const next = await eventually(() => agent.processes()[0])
  expect(next).not.toBe(pid)
  expect(commandLine(next)).toContain(`--resume\0${session}`)
  expect(await daemon.ask('GET', `/approvals/${approval.id}`)).toMatchObject({ status: 'pending' })
  await expect(approve(approval)).rejects.toThrow('answered 409')
  const from = (await model.heard()).length
  const seen = agent.frames.length
  await agent.say('USE_TOOL Bash touch late.txt')
  await eventually(
    async () => (await daemon.ask('GET', `/approvals/${approval.id}`)).request_id !== approval.request_id,
    30_000,
  )
  await approve(approval)
  const again = await agent.next('result', seen)
  expect(again.content).toMatch(/^TOOL_OK/)
  expect(again.message).toMatchObject({ session_id: session })
  if (!otherModel) expect(await heardSince(from)).toContain('marimba')
  expect(existsSync(join(agent.project, 'late.txt'))).toBe(true)
  expect(await daemon.ask('GET', `/agents/${agent.id}/approvals`)).toHaveLength(1)
})

test('adopts the busy agent and its held tool by the next daemon', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch across.txt')
  const approval = await pending(agent)
  const processes = agent.processes()
  await daemon.replace()
  await agent.watch()
  await eventually(async () => (await agent.record()).connected, 30_000)
  expect(agent.processes()).toEqual(processes)
  expect(await pending(agent)).toMatchObject({ id: approval.id, request_id: approval.request_id })
  await approve(approval)
  expect((await agent.next('result')).content).toMatch(/^TOOL_OK/)
  expect(existsSync(join(agent.project, 'across.txt'))).toBe(true)
  // The result is sent before its usage is stored.
  await eventually(async () => (await usageOf(agent)).cumulative.result_count === 1)
  expect((await agent.turn('still there')).content).toMatch(/still there$/)
})
