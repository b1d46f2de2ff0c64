import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

export const WRAP_AGENT_TYPES = ['alpha-code', 'beta', 'gamma-code', 'delta', 'general'] as const
export type WrapAgentType = (typeof WRAP_AGENT_TYPES)[number]
export const LAYOUT_TYPES = ['single', 'horizontal', 'vertical', 'tiled'] as const

const LONGEST = 4096
export const MOST_PANES = 16

export const Layout = closedObject({
  type: Type.Enum([...LAYOUT_TYPES]),
  panes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_PANES, description: 'Default: 1 for single, 4 for tiled, otherwise 2' }),
  ),
})
export type Layout = Type.Static<typeof Layout>

const text = (description: string) => Type.String({ minLength: 1, maxLength: LONGEST, description })

export const LaunchRequest = namedObject('LaunchRequest', {
  project_name: text('Name of the session and of the project'),
  project_path: text('Absolute path of the project’s directory'),
  agent_type: Type.Enum([...WRAP_AGENT_TYPES], { description: 'Agent program; general starts a shell' }),
  model_provider: text('Model provider, for agent types with a choice; none with general'),
  model_name: text('Model; none with general'),
  layout: Type.Optional(orNull(Layout)),
})
export type LaunchRequest = Type.Static<typeof LaunchRequest>

export const LaunchReply = namedObject('LaunchReply', {
  success: Type.Boolean(),
  session_name: nullableText,
  message: Type.String(),
  error: nullableText,
})
export type LaunchReply = Type.Static<typeof LaunchReply>

export const WrapSession = namedObject('WrapSession', {
  name: Type.String(),
  launched: Type.Boolean({ description: 'Launched by this service, and so can be ended by it' }),
  panes: Type.Integer(),
  attached: Type.Boolean({ description: 'Whether a terminal is attached' }),
  project_path: nullableText,
  agent_type: orNull(Type.Enum([...WRAP_AGENT_TYPES])),
  model_provider: nullableText,
  model_name: nullableText,
  created_at: Type.String({ format: 'date-time' }),
})
export type WrapSession = Type.Static<typeof WrapSession>

const USUAL_PANES = { single: 1, horizontal: 2, vertical: 2, tiled: 4 } as const

export const panesOf = ({ type, panes }: Layout): number => (type === 'single' ? 1 : (panes ?? USUAL_PANES[type]))
