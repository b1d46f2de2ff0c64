// Verbs on what an agent may use: its directories and its tools.
import { resolve } from 'node:path'
import { typed } from '../../command-line.ts'
import type { AgentRecord, DirectoryReply } from '../../../schemas/agent.ts'
import * as operations from '../../../schemas/operations/orchestrator/agent-limits.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { needsTools, POLICY_MODES } from '../../../schemas/tools/policy.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Word } from '../../verb.ts'
import { anAgent } from './subjects.ts'

const DIRECTORY: Word = { member: 'path', shown: '<dir>', help: 'the directory' }
const absolute = ({ path }: Record<string, any>) => ({ path: resolve(path) })

function directoriesLine(
  { additional_dirs, requires_restart }: DirectoryReply,
  { subject: { name } }: { subject: AgentRecord },
) {
  const restart = requires_restart ? ` from its next start (${typed`agent orchestrator restart-agent ${name}`})` : ''
  return `${name} may use ${additional_dirs.join(', ') || 'its working directory alone'}${restart}`
}

/** An empty list says something only where the mode has one. */
const policyRequest = ({ mode, tools }: Record<string, any>) => ({
  mode,
  ...(tools.length > 0 || needsTools(mode) ? { tools } : {}),
})

function managedNote({ managed_by: by }: AgentRecord): string {
  return by ? `\n${by.file}:${by.line} says otherwise unless you change it too (${typed`svc drift`})` : ''
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
  directoryVerb('add-dir', operations.addDirectory, 'let an agent use one more directory, from its next start'),
  directoryVerb('remove-dir', operations.removeDirectory, 'take a directory back, from the next start'),
  verb('get-policy', group, operations.getPolicy, {
    summary: 'show which tools an agent may use',
    subject: anAgent,
    examples: ['agent orchestrator get-policy planner'],
  }),
  verb('set-policy', group, operations.setPolicy, {
    summary: 'say which tools an agent may use, at once',
    subject: anAgent,
    args: [
      { member: 'mode', shown: '<mode>', help: 'the mode', choices: POLICY_MODES },
      { member: 'tools', shown: '[tools...]', help: 'tools of an allow_list or deny_list' },
    ],
    request: policyRequest,
    examples: [
      'agent orchestrator set-policy planner allow_list Read Grep "Bash(git log *)"',
      'agent orchestrator set-policy planner require_approval',
    ],
    done: ({ mode, tools }, { subject }) =>
      `${subject.name} is now under ${mode}${tools ? ` ${tools.join(', ') || '(empty)'}` : ''}${managedNote(subject)}`,
  }),
]
