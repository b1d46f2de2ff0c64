import { resolve } from 'node:path'
import { typed } from '../../command-line.ts'
import type { AgentRecord, DirectoryReply } from '../../../schemas/agent.ts'
import * as operations from '../../../schemas/operations/orchestrator/agent-limits.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { needsTools, POLICY_MODES, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Word } from '../../verb.ts'
import { anAgent } from './subjects.ts'
import { answerOptions } from './tool-policy-options.ts'

const DIRECTORY: Word = { member: 'path', shown: '<dir>', help: 'Directory' }
const absolute = ({ path }: Record<string, any>) => ({ path: resolve(path) })

function directoriesLine(
  { additional_dirs, requires_restart }: DirectoryReply,
  { subject: { name } }: { subject: AgentRecord },
) {
  const restart = requires_restart ? ` from its next start (${typed`agent orchestrator restart-agent ${name}`})` : ''
  return `${name} may use ${additional_dirs.join(', ') || 'only its working directory'}${restart}`
}

/** Sends an empty list only if the mode uses a list. */
const policyRequest = ({ mode, tools, ...answers }: Record<string, any>) => ({
  ...answers,
  mode,
  ...(tools.length > 0 || needsTools(mode) ? { tools } : {}),
})

function policyText({ mode, tools, ask, deny, otherwise }: ToolPolicy): string {
  const parts = [
    ...(tools ? [tools.join(', ') || '(empty)'] : []),
    ...(ask ? [`ask ${ask.join(', ')}`] : []),
    ...(deny ? [`deny ${deny.join(', ')}`] : []),
    ...(otherwise ? [`otherwise ${otherwise}`] : []),
  ]
  return parts.length > 0 ? `${mode} ${parts.join('; ')}` : mode
}

function managedNote({ managed_by: by }: AgentRecord): string {
  return by ? `\ndrift from ${by.file}:${by.line} until it is changed there (${typed`svc drift`})` : ''
}

type DirectoryOperation = typeof operations.addDirectory | typeof operations.removeDirectory

const directoryVerb = (name: string, operation: DirectoryOperation, summary: string): CommandEntry =>
  verb(name, group, operation, {
    summary,
    subject: anAgent,
    args: [DIRECTORY],
    request: absolute,
    examples: [`agent orchestrator ${name} planner ../docs`],
    done: directoriesLine,
  })

export const limitVerbs: readonly CommandEntry[] = [
  directoryVerb('add-dir', operations.addDirectory, 'Add a directory that an agent may use from its next start'),
  directoryVerb('remove-dir', operations.removeDirectory, 'Remove a directory from an agent, from its next start'),
  verb('get-policy', group, operations.getPolicy, {
    summary: 'Show the tool policy of an agent',
    subject: anAgent,
    examples: ['agent orchestrator get-policy planner'],
  }),
  verb('set-policy', group, operations.setPolicy, {
    summary: 'Set the tool policy of an agent, effective immediately',
    subject: anAgent,
    args: [
      { member: 'mode', shown: '<mode>', help: 'Policy mode', choices: POLICY_MODES },
      { member: 'tools', shown: '[tools...]', help: 'Tools of an allow_list or deny_list' },
    ],
    options: answerOptions(),
    request: policyRequest,
    examples: [
      'agent orchestrator set-policy planner allow_list Read Grep "Bash(git log *)" --ask "Bash(git push *)"',
      'agent orchestrator set-policy planner require_approval',
    ],
    done: (policy, { subject }) => `${subject.name} now has the policy ${policyText(policy)}${managedNote(subject)}`,
  }),
]
