// The launch file of the bridge, written by the orchestrator. Mode 0600; contains secrets.
import * as Type from 'typebox'
import { RUNTIMES } from './members.ts'
import { LaunchSandbox } from '../sandbox/sandbox.ts'
import { namedObject, nullableText, mapOf, orNull } from '../shapes.ts'

export const Launch = namedObject('Launch', {
  agent_id: Type.String(),
  agent_name: Type.String(),
  /** `ws://127.0.0.1:17006/ws/<agent_id>` */
  url: Type.String(),
  orchestrator_url: Type.String(),
  /** `http://127.0.0.1:17008/mcp`: MCP tools for documents, memories and the team. */
  tools_url: Type.String(),
  /** The agent's own secret, sent as `Authorization: Bearer`. */
  token: Type.String(),
  /** Bearer token of the agent's program for tools and services. */
  tools_token: Type.String(),
  runtime: Type.Enum([...RUNTIMES]),
  interactive: Type.Boolean(),
  /** Program and first arguments; the adapter adds the flags of claude-code. */
  command: Type.Array(Type.String()),
  directory: Type.String(),
  additional_dirs: Type.Array(Type.String()),
  env: mapOf(Type.String()),
  model: nullableText,
  system_prompt: nullableText,
  /** Conversation to resume after a crash, if any. */
  resume_session: nullableText,
  /** Null: the program runs without a sandbox. */
  sandbox: orNull(LaunchSandbox),
})
export type Launch = Type.Static<typeof Launch>
