// Prompts in the shape of the API: what an agent was given, and the outcome.
import { notFound } from '../../../platform/core/problem.ts'
import type { Page, PageLimits } from '../../../platform/store/page.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import type { PromptRow } from '../record/tables.ts'
import type { Reading } from '../record/world.ts'

/** Newest first: a page, or all. */
export async function messagesTo(
  { tables }: Reading,
  agentId: string,
  limits: PageLimits | null,
): Promise<Page<Message>> {
  const { items, total } = await tables.prompts.page({ where: { agent_id: agentId }, ...limits })
  return { items: items.map(toMessage), total }
}

/** Throws 404 where the agent was given no such. */
export async function messageTo({ tables }: Reading, agentId: string, id: string): Promise<Message> {
  const prompt = await tables.prompts.find({ id, agent_id: agentId })
  if (!prompt) throw notFound('message', id)
  return toMessage(prompt)
}

function toMessage({ rank: _rank, policy: _policy, status, ...prompt }: PromptRow): Message {
  // A failure that the agent told of has its answer, if only an empty one.
  return { ...prompt, status: status === 'failed' && prompt.result === null ? 'lost' : status }
}
