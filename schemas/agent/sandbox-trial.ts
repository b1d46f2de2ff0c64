// What `agent sandbox` needs to make the sandbox of an agent. Values of variables are not part of it: they are secret.
import * as Type from 'typebox'
import { LaunchSandbox } from '../sandbox/sandbox.ts'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'
import { RUNTIMES } from './members.ts'

export const SandboxTrial = namedObject('SandboxTrial', {
  agent_id: Type.String(),
  agent_name: Type.String(),
  start: Type.Enum(['current', 'next'], { description: 'current: of the running process; next: of the next start' }),
  sandbox: orNull(LaunchSandbox, 'Null: the agent has none'),
  reason: orNull(closedObject({ code: Type.String(), message: Type.String() }), 'Why it has none'),
  runtime: Type.Enum([...RUNTIMES]),
  interactive: Type.Boolean(),
  command: Type.Array(Type.String()),
  directory: Type.String({ description: 'Working directory, or its place in the worktree' }),
  variables: Type.Array(Type.String(), { description: 'Names in env of the agent' }),
  user: orNull(Type.String(), 'OS user of the agent; null for the user of the daemon'),
  uid: orNull(Type.Integer(), 'Of the daemon; null if the system has none'),
  home: nullableText,
})
export type SandboxTrial = Type.Static<typeof SandboxTrial>
