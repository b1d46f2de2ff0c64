import { notFound } from '../../../platform/core/problem.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import type { PromptRow } from '../record/tables.ts'
import type { Reading } from '../record/world.ts'

export async function messagesTo(
  { tables }: Reading,
  agentId: string,
  limits: PageLimits | null,
): Promise<Page<Message>> {
  const { items, total } = await tables.prompts.page({ where: { agent_id: agentId }, ...limits })
  return { items: items.map(toMessage), total }
}

export async function messageTo({ tables }: Reading, agentId: string, id: string): Promise<Message> {
  const prompt = await tables.prompts.find({ id, agent_id: agentId })
  if (!prompt) throw notFound('message', id)
  return toMessage(prompt)
}

function toMessage({ rank: _rank, policy: _policy, owner: _owner, status, ...prompt }: PromptRow): Message {
  // A failure reported by the agent has a result, even if empty.
  return { ...prompt, status: status === 'failed' && prompt.result === null ? 'lost' : status }
}
