import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, mapOf, orNull } from '../shapes.ts'

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'timed_out'] as const

/** Programs of a command that are recorded. */
export const MOST_PROGRAMS = 50

/** Recorded paths of each kind that a call reaches. */
export const MOST_PATHS = 50

/** Requests that one call decides. */
const MOST_ALIKE = 200

const ApprovalPolicy = closedObject({
  of: Type.Enum(['agent', 'workflow'], { description: 'Whose policy left the decision to a person' }),
  mode: Type.String(),
  name: orNull(
    Type.String(),
    'Named or built-in policy that the manifest of the agent or workflow refers to; null if it differs from the policy that decided',
  ),
  field: Type.Enum(['mode', 'ask', 'otherwise'], { description: 'Field of the policy that decided' }),
  entry: orNull(Type.String(), 'Entry of `ask` that matched'),
  managed_by: orNull(
    Type.Object({
      source: Type.String(),
      file: Type.String(),
      line: Type.Integer({
        description:
          'Line of `entry`, else of `field`, else of its nearest parent; of the resource if the file has changed',
      }),
    }),
    'Manifest of the named policy, else of the agent or workflow, when the agent asked; null if none set the policy that decided',
  ),
})

const paths = (description: string) => Type.Array(Type.String(), { description })

const CallEffects = closedObject({
  reads: paths(`First ${MOST_PATHS} paths that the call reads`),
  writes: paths(`First ${MOST_PATHS} paths that it may change`),
  complete: Type.Boolean({ description: 'False if it may reach other paths' }),
})
export type CallEffects = Type.Static<typeof CallEffects>

export const Approval = namedObject('Approval', {
  id: Type.String({ format: 'uuid' }),
  agent_id: Type.String({ format: 'uuid' }),
  agent_name: orNull(Type.String(), 'Name of the agent when it asked'),
  request_id: Type.String({ description: 'Request id of the agent' }),
  tool_name: Type.String(),
  tool_input: Type.Unknown(),
  finding: orNull(
    closedObject({ reason: Type.String(), part: Type.String() }),
    'Why the entries of the policy did not decide, and the part of the call; null if its mode asks for every call',
  ),
  policy: orNull(ApprovalPolicy, 'Policy when the agent asked; null for a request to an earlier version'),
  directory: orNull(Type.String(), 'Working directory of the agent'),
  dispatch_id: orNull(Type.String(), 'Dispatch that the agent worked on'),
  workflow: orNull(closedObject({ id: Type.String(), name: Type.String() }), 'Workflow of the dispatch'),
  turn_id: orNull(Type.String(), 'Message or task prompt that the agent worked on'),
  programs: orNull(
    Type.Array(orNull(Type.String())),
    `First ${MOST_PROGRAMS} programs of a command, as the policy parses it; null entries are unknown until it runs; null if it is no command or cannot be parsed`,
  ),
  effects: orNull(
    CallEffects,
    'Paths in the words of a command, or of a file tool; null for other tools, and if the call cannot be parsed',
  ),
  last_text: orNull(
    closedObject({ text: Type.String(), at: Type.String({ format: 'date-time' }) }),
    'Last text of the agent before the request, in the same turn',
  ),
  alike: orNull(
    Type.String(),
    'Equal for requests for the same tool, input and policy, in the same directory, all with or all without a sandbox; null for a request to an earlier version',
  ),
  status: Type.Enum([...APPROVAL_STATUSES]),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  decided_at: nullableText,
  decided_by: nullableText,
  reason: nullableText,
  delivered_at: orNull(
    Type.String({ format: 'date-time' }),
    'When the decision was sent to the connected agent, or the agent proved that it has it; if its process ended first, when it may have been sent',
  ),
})
export type Approval = Type.Static<typeof Approval>

/** Numbers of approvals by status, and of all of them. */
export const ApprovalCounts = closedObject({
  total: Type.Integer(),
  pending: Type.Integer(),
  approved: Type.Integer(),
  denied: Type.Integer(),
  timed_out: Type.Integer(),
})
export type ApprovalCounts = Type.Static<typeof ApprovalCounts>

/** An earlier decision of a person for the same tool, input and policy. */
export const SimilarDecision = namedObject('SimilarDecision', {
  id: Type.String({ format: 'uuid', description: 'Of the approval' }),
  agent_id: Type.String({ format: 'uuid' }),
  agent_name: nullableText,
  status: Type.Enum(['approved', 'denied']),
  scope: orNull(Type.Enum(['once', 'session'])),
  edited: Type.Boolean({ description: 'Approved with another input' }),
  decided_at: Type.String({ format: 'date-time' }),
  decided_by: Type.String(),
  reason: nullableText,
})
export type SimilarDecision = Type.Static<typeof SimilarDecision>

/** Maximum number of similar decisions of one answer. */
export const MOST_SIMILAR = 50

/** Optional body of approve and deny. `session` decides for the tool until the context is cleared. */
export const ApprovalDecision = namedObject('ApprovalDecision', {
  reason: Type.Optional(Type.String()),
  updated_input: Type.Optional(mapOf(Type.Unknown())),
  scope: Type.Optional(Type.Enum(['once', 'session'])),
})
export type ApprovalDecision = Type.Static<typeof ApprovalDecision>

/** One decision on several requests with the same `alike`. Never for the session: that would allow other calls too. */
export const AlikeDecision = namedObject('AlikeDecision', {
  verdict: Type.Enum(['approve', 'deny']),
  ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MOST_ALIKE,
    uniqueItems: true,
    description: 'Approvals with the same `alike`; others, also later ones, are not decided',
  }),
  reason: ApprovalDecision.properties.reason,
  updated_input: ApprovalDecision.properties.updated_input,
})
export type AlikeDecision = Type.Static<typeof AlikeDecision>

export const AlikeResult = namedObject('AlikeResult', {
  id: Type.String({ format: 'uuid' }),
  approval: orNull(Approval, 'The decided approval; null if it could not be decided'),
  problem: orNull(
    closedObject({ status: Type.Integer(), code: Type.String(), detail: Type.String() }),
    'Why it could not be decided',
  ),
})
export type AlikeResult = Type.Static<typeof AlikeResult>

export interface ApprovalFilter {
  status?: Approval['status']
  agentId?: string
}
