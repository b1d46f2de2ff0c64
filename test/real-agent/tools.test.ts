import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { approve, daemon, deny, heardSince, idle, model, pending } from './stand.ts'

test('runs allowed tools, denies others with the reason, and applies policy changes', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'deny_all' } })
  const pid = await eventually(() => agent.processes()[0])
  const denied = await agent.turn('USE_TOOL Bash touch first.txt')
  expect(denied.content).toBe("TOOL_ERR: Tool 'Bash' is not allowed by policy 'deny_all'")
  await daemon.ask('PUT', `/agents/${agent.id}/policy`, { mode: 'allow_list', tools: ['Bash(touch *)'] })
  expect((await agent.turn('USE_TOOL Bash touch second.txt')).content).toMatch(/^TOOL_OK/)
  const from = (await model.heard()).length
  expect((await agent.turn('USE_TOOL Bash echo hello > third.txt')).content).toBe(
    "TOOL_ERR: Tool 'Bash' is not allowed by policy 'allow_list': no entry covers it: echo hello > third.txt",
  )
  expect(await heardSince(from)).toContain("Tool 'Bash' is not allowed by policy 'allow_list'")
  expect(['first.txt', 'second.txt', 'third.txt'].filter((name) => existsSync(join(agent.project, name)))).toEqual([
    'second.txt',
  ])
  expect(agent.processes()).toEqual([pid])
})

test('applies the policy even to tools that the program considers harmless', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'deny_list', tools: ['Read'] } })
  writeFileSync(join(agent.project, 'plain.txt'), 'the secret of the house')
  expect((await agent.turn(`USE_TOOL Read ${join(agent.project, 'plain.txt')}`)).content).toBe(
    "TOOL_ERR: Tool 'Read' is not allowed by policy 'deny_list': an entry names the tool: Read",
  )
  expect(await model.heard()).not.toContain('the secret of the house')
})

test('does not run a denied held tool and tells the model why', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch held.txt')
  const approval = await pending(agent)
  expect(approval).toMatchObject({
    tool_name: 'Bash',
    tool_input: { command: 'touch held.txt' },
    status: 'pending',
    decided_by: null,
  })
  expect(await agent.next('pending_approval')).toMatchObject({ approval: { id: approval.id } })
  expect((await agent.record()).activity).toBe('busy')
  expect(await deny(approval, { reason: 'not on a Friday' })).toMatchObject({
    status: 'denied',
    decided_by: 'tester',
    reason: 'not on a Friday',
  })
  expect((await agent.next('result')).content).toBe("TOOL_ERR: Tool 'Bash' denied by tester: not on a Friday")
  expect(await model.heard()).toContain("Tool 'Bash' denied by tester: not on a Friday")
  expect(existsSync(join(agent.project, 'held.txt'))).toBe(false)
})

test('runs an approved held tool with the person’s input', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash echo asked > asked.txt')
  const approval = await pending(agent)
  expect(existsSync(join(agent.project, 'asked.txt'))).toBe(false)
  expect(await approve(approval, { updated_input: { command: 'echo approved > approved.txt' } })).toMatchObject({
    status: 'approved',
    decided_by: 'tester',
  })
  expect((await agent.next('result')).content).toMatch(/^TOOL_OK/)
  expect(readFileSync(join(agent.project, 'approved.txt'), 'utf8')).toBe('approved\n')
  expect(existsSync(join(agent.project, 'asked.txt'))).toBe(false)
  expect(await agent.next('approval_decided')).toMatchObject({ approval: { id: approval.id, status: 'approved' } })
  await expect(approve(approval)).rejects.toThrow('answered 409')
})

test('withdraws the held tool and ends the turn on an interrupt', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch never.txt')
  const approval = await pending(agent)
  await daemon.ask('POST', `/agents/${agent.id}/interrupt`)
  expect((await agent.next('result')).message).toMatchObject({ subtype: 'error_during_execution', is_error: true })
  expect(
    await eventually(
      async () =>
        (await daemon.ask('GET', `/approvals/${approval.id}`)).status !== 'pending' &&
        daemon.ask('GET', `/approvals/${approval.id}`),
    ),
  ).toMatchObject({
    status: 'timed_out',
    reason: 'the agent withdrew the request',
  })
  await idle(agent)
  expect((await agent.turn('go on')).message).toMatchObject({ is_error: false })
  expect(existsSync(join(agent.project, 'never.txt'))).toBe(false)
})
