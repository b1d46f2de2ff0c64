// The launch file: how the orchestrator tells the bridge what to run. Mode 0600; it holds secrets.
import * as Type from 'typebox'
import { RUNTIMES } from './members.ts'
import { namedObject, nullableText } from '../shapes.ts'

export const Launch = namedObject('Launch', {
  agent_id: Type.String(),
  agent_name: Type.String(),
  /** `ws://127.0.0.1:17006/ws/<agent_id>` */
  url: Type.String(),
  orchestrator_url: Type.String(),
  /** `http://127.0.0.1:17008/mcp`: where the tools over documents, memories and the team are. */
  tools_url: Type.String(),
  /** The agent's own secret, sent as `Authorization: Bearer`. */
  token: Type.String(),
  /** What the agent's program asks the tools and other services with, as the agent: a bearer token too. */
  tools_token: Type.String(),
  runtime: Type.Enum([...RUNTIMES]),
  interactive: Type.Boolean(),
  /** Program and its first arguments; for claude-code the program alone, the adapter adds its flags. */
  command: Type.Array(Type.String()),
  directory: Type.String(),
  additional_dirs: Type.Array(Type.String()),
  env: Type.Record(Type.String(), Type.String()),
  model: nullableText,
  system_prompt: nullableText,
  /** The conversation to go on with after a crash, if any. */
  resume_session: nullableText,
})
export type Launch = Type.Static<typeof Launch>
