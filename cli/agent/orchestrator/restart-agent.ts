// `agent orchestrator restart-agent`: a new process for the same agent.
import type { Command } from 'commander'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { agentLine, show, warningLines } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<agent>', 'id, or name where unique'))),
    'agent orchestrator restart-agent planner',
  ).action(restartAgent)
}

async function restartAgent(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await client.post<AgentRecord>(`/agents/${(await findAgent(client, word)).id}/restart`)
  show(agent, options, agentLine(agent) + warningLines(agent.warnings))
  if (agent.status === 'failed') process.exitCode = 1
}
