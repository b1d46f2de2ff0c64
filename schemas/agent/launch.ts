// The launch file, with which the orchestrator starts the bridge. Mode 0600; contains secrets.
import * as Type from 'typebox'
import { RUNTIMES } from './members.ts'
import { namedObject, nullableText, mapOf } from '../shapes.ts'

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
  /** Bearer token with which the agent's program calls tools and services. */
  tools_token: Type.String(),
  runtime: Type.Enum([...RUNTIMES]),
  interactive: Type.Boolean(),
  /** Program and first arguments; for claude-code only the program, the adapter adds flags. */
  command: Type.Array(Type.String()),
  directory: Type.String(),
  additional_dirs: Type.Array(Type.String()),
  env: mapOf(Type.String()),
  model: nullableText,
  system_prompt: nullableText,
  /** Conversation to resume after a crash, if any. */
  resume_session: nullableText,
})
export type Launch = Type.Static<typeof Launch>
