import { countQueued } from '../record/prompt-store.ts'
import type { Prompt, PromptKind } from '../record/tables.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Reading, Writing } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'

export async function describeWork(
  record: Writing,
  agent: AgentRow,
  session: AgentSession | undefined,
): Promise<string | null> {
  if (!session || agent.status !== 'running') return null
  const waiting = await countQueued(record, agent.id)
  if (!session.busy) return waiting > 0 ? `${waiting} queued prompt${waiting === 1 ? '' : 's'}` : null
  const behind = waiting > 0 ? `, ${waiting} queued` : ''
  const { prompt } = session
  if (!prompt) return `an unprompted turn${behind}`
  const sent = (await record.tables.prompts.find(prompt.id))?.sent_at
  const since = sent ? `, since ${duration(record.clock.now() - Date.parse(sent))}` : ''
  return `${await describePrompt(record, prompt)}${since}${behind}`
}

const IN_WORDS: Record<Exclude<PromptKind, 'dispatch'>, string> = {
  message: 'a message',
  initial: 'its initial prompt',
  clear: 'a context clear',
}

async function describePrompt({ tables }: Reading, { kind, dispatch_id }: Prompt): Promise<string> {
  if (kind === 'dispatch' && dispatch_id === null) return 'an abandoned attempt'
  if (kind !== 'dispatch' || dispatch_id === null) return IN_WORDS[kind as keyof typeof IN_WORDS]
  const dispatch = await tables.dispatches.find(dispatch_id)
  const workflow = dispatch && (await tables.workflows.find(dispatch.workflow_id))
  return `dispatch ${dispatch_id.slice(0, 4)} of workflow ${workflow?.name ?? '(deleted)'}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}
