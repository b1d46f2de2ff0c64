import { expect, test } from 'vitest'
import { approve, daemon, model, pending } from './stand.ts'

const create = (title: string) =>
  `USE_TOOL mcp__svc__doc_create ${JSON.stringify({ title, content: '# Kept by an agent', created_by: 'worker' })}`

test('lets an agent store and read a document', async () => {
  const agent = await daemon.agent()
  expect((await agent.turn(create('From the agent'))).content).toContain('TOOL_OK')
  const read = await agent.turn('USE_TOOL mcp__svc__doc_read {"id": "from-the-agent"}')
  expect(read.content).toContain('# Kept by an agent')
  expect(await model.heard()).toContain('from-the-agent')
})

test('applies the agent’s policy to document tools', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'deny_list', tools: ['mcp__svc__doc_delete'] } })
  const denied = await agent.turn('USE_TOOL mcp__svc__doc_delete {"id": "from-the-agent"}')
  expect(denied.content).toContain("TOOL_ERR: Tool 'mcp__svc__doc_delete' is not allowed by policy 'deny_list'")
  const asked = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await asked.say(create('Asked for'))
  const approval = await pending(asked)
  expect(approval.tool_name).toBe('mcp__svc__doc_create')
  await approve(approval)
  expect((await asked.next('result')).content).toContain('TOOL_OK')
})
