// `agent orchestrator add-dir`: one more directory for an agent, from its next start.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { DirectoryReply } from '../../../schemas/agent.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  command.argument('<agent>', 'id, or name where unique').argument('<dir>', 'the directory')
  withExamples(withUrl(withOutput(command)), 'agent orchestrator add-dir planner ../docs').action(changeDirectories)
}

async function changeDirectories(word: string, directory: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  const reply = await client.post<DirectoryReply>(`/agents/${agent.id}/dirs`, { path: resolve(directory) })
  const restart = reply.requires_restart ? ` from its next start (agent orchestrator restart-agent ${agent.name})` : ''
  show(
    reply,
    options,
    `${agent.name} may use ${reply.additional_dirs.join(', ') || 'its working directory alone'}${restart}`,
  )
}
