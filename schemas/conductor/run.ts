// A run of the pipeline conductor: its actions, and its judgement of each pull request.
import * as Type from 'typebox'
import { RoomLock } from '../communicate/message.ts'
import { namedObject, nullableText, orNull } from '../shapes.ts'

export const RUN_STATUSES = ['done', 'stopped', 'deferred', 'failed'] as const
export const HEALTHS = ['ok', 'degraded', 'blocked'] as const
export type Health = (typeof HEALTHS)[number]

export const ACTION_NAMES = [
  'add-label',
  'remove-label',
  'comment',
  'post',
  'lock',
  'unlock',
  'restack',
  'retarget',
  'merge',
  'delete-branch',
  'update-branch',
  'remember',
] as const
export type ActionName = (typeof ACTION_NAMES)[number]

export const OUTCOMES = ['planned', 'done', 'unchanged', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const ROOMS = ['engineering', 'operations'] as const
export type RoomName = (typeof ROOMS)[number]

/** Subjects of messages, by room. */
export const SUBJECTS = {
  engineering: [
    'nudge',
    'rebase-conflict',
    'conflicting',
    'checks-failing',
    'rework-stale',
    'queue-blocked',
    'no-pull-request',
    'gate',
  ],
  operations: ['checks-failed', 'review-needed', 'changes-requested', 'no-linked-issue', 'stale', 'merged', 'digest'],
} as const
export type Subject = (typeof SUBJECTS)[RoomName][number]

export const SITUATIONS = [
  'changes-requested',
  'held',
  'draft',
  'queued',
  'parent-open',
  'conflicting',
  'checks-failed',
  'no-approvals',
  'unknown',
  'checks-pending',
  'gate',
  'behind',
  'eligible',
] as const
export type Situation = (typeof SITUATIONS)[number]

export const RULES = ['label', 'reviews', 'checks', 'mergeable', 'clear', 'stack', 'draft', 'gate'] as const
export type Rule = (typeof RULES)[number]

export const PROBLEM_CODES = [
  'forge-unreachable',
  'forge-limited',
  'forge-refused',
  'forge-unreadable',
  'forge-unsupported',
  'git-failed',
  'room-missing',
  'room-refused',
  'memory-unavailable',
  'memory-unreadable',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

const nullableNumber = orNull(Type.Integer())
const count = Type.Integer({ minimum: 0 })

export const ConductorAction = namedObject('ConductorAction', {
  step: Type.Integer({ minimum: 0, maximum: 10, description: '0 before the first step' }),
  action: Type.Enum([...ACTION_NAMES]),
  number: orNull(Type.Integer(), 'Issue or pull request'),
  label: nullableText,
  room: orNull(Type.Enum([...ROOMS])),
  about: orNull(Type.Enum(Object.values(SUBJECTS).flat()), 'Subject of a message'),
  mention: nullableText,
  onto: orNull(Type.String(), 'Branch that a restack rebases onto'),
  base: orNull(Type.String(), 'New base branch, or base of a merge'),
  branch: nullableText,
  sha: orNull(Type.String(), 'Head that the action refers to'),
  outcome: Type.Enum([...OUTCOMES], { description: 'planned: of a dry run' }),
  reason: nullableText,
})
export type ConductorAction = Type.Static<typeof ConductorAction>

export const JudgedRule = namedObject('JudgedRule', {
  rule: Type.Enum([...RULES]),
  holds: orNull(Type.Boolean(), 'null: not known yet'),
  reason: nullableText,
})
export type JudgedRule = Type.Static<typeof JudgedRule>

export const ConductorItem = namedObject('ConductorItem', {
  number: Type.Integer(),
  title: Type.String(),
  labels: Type.Array(Type.String()),
  situation: orNull(Type.Enum([...SITUATIONS]), 'null without merge-ready'),
  rules: Type.Array(JudgedRule),
})
export type ConductorItem = Type.Static<typeof ConductorItem>

export const ConductorCounts = namedObject('ConductorCounts', {
  needs_triage: count,
  merge_queue: count,
  in_review: count,
  needs_rework: count,
  active_branches: count,
})
export type ConductorCounts = Type.Static<typeof ConductorCounts>

export const Stop = namedObject('Stop', {
  step: Type.Integer(),
  number: nullableNumber,
  code: Type.String(),
  reason: Type.String(),
})
export type Stop = Type.Static<typeof Stop>

export const ConductorProblem = namedObject('ConductorProblem', {
  code: Type.Enum([...PROBLEM_CODES]),
  detail: Type.String(),
})
export type ConductorProblem = Type.Static<typeof ConductorProblem>

export const ConductorRun = namedObject('ConductorRun', {
  id: Type.String({ format: 'uuid' }),
  repository: Type.String({ description: 'owner/name' }),
  dry_run: Type.Boolean(),
  status: Type.Enum([...RUN_STATUSES]),
  health: Type.Enum([...HEALTHS]),
  forge_time: orNull(Type.String({ format: 'date-time' }), 'Time of the snapshot by the clock of the forge'),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: Type.String({ format: 'date-time' }),
  requests: Type.Integer({ minimum: 0, description: 'Requests to the forge' }),
  stopped: orNull(Stop),
  waiting_for: orNull(RoomLock, 'Lock of another participant that deferred the run'),
  actions: Type.Array(ConductorAction),
  items: Type.Array(ConductorItem, { description: 'Pull requests open at the beginning' }),
  counts: ConductorCounts,
  problems: Type.Array(ConductorProblem),
})
export type ConductorRun = Type.Static<typeof ConductorRun>
