import { notFound } from '../../../platform/core/problem.ts'
import type { Listed, Part } from '../../../platform/store/page.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import { messageStatus } from '../record/prompt-store.ts'
import type { PromptRow } from '../record/tables.ts'
import type { Reading } from '../record/world.ts'

export function messagesTo<P extends Part>({ tables }: Reading, agentId: string, part: P): Promise<Listed<Message, P>> {
  return tables.prompts.listed({ where: { agent_id: agentId } }, part, toMessage)
}

export async function messageTo({ tables }: Reading, agentId: string, id: string): Promise<Message> {
  const prompt = await tables.prompts.find({ id, agent_id: agentId })
  if (!prompt) throw notFound('message', id)
  return toMessage(prompt)
}

function toMessage({ rank: _rank, policy: _policy, owner: _owner, ...prompt }: PromptRow): Message {
  return { ...prompt, status: messageStatus(prompt) }
}
