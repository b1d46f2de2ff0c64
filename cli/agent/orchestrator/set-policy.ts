// `agent orchestrator set-policy`: says which tools an agent may use, at once.
import { type Command, Argument } from 'commander'
import { POLICY_MODES, type ToolPolicy } from '../../../schemas/tool-policy.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  command
    .argument('<agent>', 'id, or name where unique')
    .addArgument(new Argument('<mode>', 'the mode').choices(POLICY_MODES))
    .argument('[tools...]', 'tools of an allow_list or deny_list')
  withExamples(
    withUrl(withOutput(command)),
    'agent orchestrator set-policy planner allow_list Read Grep "Bash(git log *)"',
    'agent orchestrator set-policy planner require_approval',
  ).action(setPolicy)
}

async function setPolicy(
  word: string,
  mode: ToolPolicy['mode'],
  tools: string[],
  options: UrlOption & OutputOption,
): Promise<void> {
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  const policy = await client.put<ToolPolicy>(`/agents/${agent.id}/policy`, {
    mode,
    ...(tools.length > 0 || mode.endsWith('_list') ? { tools } : {}),
  })
  const managed = agent.managed_by
    ? `; ${agent.managed_by.file}:${agent.managed_by.line} says otherwise unless you change it too (svc drift)`
    : ''
  show(
    policy,
    options,
    `${agent.name} is now under ${policy.mode}${policy.tools ? ` ${policy.tools.join(', ') || '(empty)'}` : ''}${managed}`,
  )
}
