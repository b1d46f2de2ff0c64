// One record of a service for each kind of inbox item, and the item that it becomes.
import { ConductorItem, ConductorRun } from '../../../../schemas/conductor/run.ts'
import { Question } from '../../../../schemas/ask/question.ts'
import type { InboxItem, InboxKind } from '../../../../schemas/gateway/inbox.ts'
import { Notification } from '../../../../schemas/notify/notification.ts'
import { Drift, Resource } from '../../../../schemas/resource.ts'
import { Source } from '../../../../schemas/source.ts'
import { Approval } from '../../../../schemas/tools/approval.ts'
import type { Reads } from '../../../../services/gateway/inbox/reads.ts'
import type { TSchema, Static } from 'typebox'
import { sampleOf } from '../../../support/hostile-requests.ts'

/** Records by list. */
export type Records = {
  [List in keyof Reads]?: Awaited<ReturnType<Reads[List]>>['items']
}

interface Example {
  records: Records
  item: Pick<InboxItem, 'id'> & Partial<InboxItem>
  /** Words of the title and the detail; text of others in quotes. */
  text: string
  /** Ids of the linked operations. */
  operations: string[]
}

export const ID = '4b1f3c9a-0000-4000-8000-000000000001'
const OF_QUESTION = '4b1f3c9a-0000-4000-8000-000000000002'
const AT = '2030-01-01T10:00:00.000Z'
const DEADLINE = '2030-01-01T10:05:00.000Z'

const record = <S extends TSchema>(schema: S, members: Partial<Static<S>>): Static<S> =>
  Object.assign(sampleOf(schema, true) as object, members) as Static<S>

const source = (members: Partial<Source>): Records => ({
  sources: [
    record(Source, {
      name: 'team',
      suspended: false,
      orphaned: false,
      hold: null,
      held_back: null,
      revision: 'r1',
      applied_revision: 'r1',
      sync: { mode: 'auto', drift: 'report', prune: true, max_delete: '20%' },
      ...members,
    }),
  ],
})

const steps = { denied: [], unconfirmed: [], waiting: [], hash: null }

export const examples: Record<InboxKind, Example> = {
  approval: {
    records: {
      approvals: [
        record(Approval, {
          id: ID,
          agent_name: 'builder',
          tool_name: 'Bash',
          tool_input: { command: 'make deploy', description: 'Deploy' },
          alike: '00ff',
          created_at: AT,
          expires_at: DEADLINE,
        }),
      ],
    },
    item: { id: `approval/${ID}`, deadline: DEADLINE, since: AT, alike: '00ff', service: 'orchestrator' },
    text: `'builder' requests 'Bash'; 'make deploy' of agent:builder`,
    operations: [
      `POST /api/orchestrator/approvals/${ID}/approve`,
      `POST /api/orchestrator/approvals/${ID}/deny`,
      'POST /api/orchestrator/approvals/decide',
      `GET /api/orchestrator/approvals/${ID}`,
      `GET /api/orchestrator/approvals/${ID}/similar`,
    ],
  },
  question: {
    records: {
      questions: [
        record(Question, {
          question_id: ID,
          check_type: 'mux',
          question: 'Start a mux session?',
          asked_at: AT,
          expires_at: DEADLINE,
        }),
      ],
    },
    item: { id: `question/${ID}`, deadline: DEADLINE, since: AT, service: 'ask' },
    text: `The check 'mux' asks; 'Start a mux session?' of ask`,
    operations: [`POST /api/ask/answer {"question_id":"${ID}"}`, `GET /api/ask/questions/${ID}`],
  },
  notification: {
    records: {
      notifications: [
        record(Notification, {
          id: ID,
          source: 'System',
          owner: 'builder',
          lifetime: { Ephemeral: { expires_at: DEADLINE } },
          title: 'Which branch?',
          message: 'main or next',
          requires_response: true,
          created_at: AT,
        }),
        record(Notification, { requires_response: false, source: 'System' }),
        record(Notification, { id: OF_QUESTION, requires_response: true, owner: 'builder' }),
      ],
      questions: [record(Question, { question_id: ID, notification_id: OF_QUESTION })],
    },
    item: { id: `notification/${ID}`, deadline: DEADLINE, since: AT, service: 'notify' },
    text: `'builder' asks for an answer; 'Which branch?' of builder: 'main or next' of builder`,
    operations: [`PUT /api/notify/notifications/${ID}`, `GET /api/notify/notifications/${ID}`],
  },
  deletions: {
    records: source({
      held_back: {
        since: AT,
        deletions: {
          deletes: 2,
          owned: 5,
          max_delete: '20%',
          allowed: 1,
          hash: 'abc',
          resources: ['rooms/a', 'rooms/b'],
        },
        steps: null,
      },
    }),
    item: { id: 'deletions/team/abc', since: AT, service: 'controller' },
    text: `Source 'team' holds back 2 deletions; 2 of 5 resources, above the budget of 20%: 'rooms/a', 'rooms/b'`,
    operations: [
      'POST /api/controller/sources/team/sync {"prune_override":"abc"}',
      'POST /api/controller/plan {"source":"team"}',
      'POST /api/controller/sources/team/suspend',
    ],
  },
  confirmation: {
    records: source({
      held_back: { since: AT, deletions: null, steps: { ...steps, unconfirmed: ['agents/a'], hash: 'def' } },
    }),
    item: { id: 'confirmation/team/def', since: AT },
    text: `Source 'team' needs confirmation of 1 step; 'agents/a'`,
    operations: [
      'POST /api/controller/sources/team/sync {"confirm":"def"}',
      'POST /api/controller/plan {"source":"team"}',
      'POST /api/controller/sources/team/suspend',
    ],
  },
  'denied-steps': {
    records: source({
      held_back: {
        since: AT,
        deletions: null,
        steps: { ...steps, denied: Array.from({ length: 22 }, (_, at) => `agents/${at}`) },
      },
    }),
    item: { id: 'denied-steps/team', since: AT },
    text: `Policies deny 22 steps of source 'team'; ${Array.from({ length: 20 }, (_, at) => `'agents/${at}'`).join(', ')} and 2 more`,
    operations: ['POST /api/controller/plan {"source":"team"}', 'GET /api/controller/sources/team'],
  },
  sync: {
    records: source({
      revision: 'r2',
      sync: { mode: 'manual', drift: 'report', prune: true, max_delete: '20%' },
    }),
    item: { id: 'sync/team/r2', since: null },
    text: `Source 'team' waits for a sync; Revision 'r2' is not applied`,
    operations: ['POST /api/controller/plan {"source":"team"}', 'GET /api/controller/sources/team'],
  },
  orphan: {
    records: source({ orphaned: true, owned: 3 }),
    item: { id: 'orphan/team', since: null },
    text: `Source 'team' is no longer configured; It owns 3 resources`,
    operations: ['POST /api/controller/sources/team/adopt', 'POST /api/controller/sources/team/release'],
  },
  contest: {
    records: {
      contested: [
        record(Resource, {
          kind: 'agents',
          name: 'greeter',
          id: 'agents/greeter',
          contested: { paths: ['prompt', 'model'], actors: ['mia', 'jon'], since: AT },
        }),
      ],
      drift: [record(Drift, { kind: 'agents', name: 'greeter', path: 'prompt' })],
    },
    item: { id: 'contest/agents/greeter', since: AT },
    text: `'agents/greeter' is contested: nothing is written to it; 'prompt, model' keeps being changed by 'mia, jon'`,
    operations: [
      'POST /api/controller/resources/agents/greeter/resume',
      'POST /api/controller/resources/agents/greeter/suspend',
      'GET /api/controller/resources/agents/greeter',
    ],
  },
  drift: {
    records: {
      drift: [
        record(Drift, { kind: 'rooms', name: 'x', path: 'topic', actor: 'mia', first_seen: DEADLINE }),
        record(Drift, { id: ID, kind: 'rooms', name: 'x', path: 'type', actor: 'mia', first_seen: AT }),
      ],
    },
    item: { id: 'drift/rooms/x', since: AT },
    text: `'rooms/x' has drifted; 'type' differs from the last applied value, by 'mia', and 1 more field`,
    operations: [
      `POST /api/controller/drift/${ID}/plan`,
      'POST /api/controller/drift/rooms/x/accept',
      'POST /api/controller/resources/rooms/x/suspend',
      'GET /api/controller/resources/rooms/x',
    ],
  },
  gate: {
    records: {
      runs: [
        run('2030-01-01T10:30:00.000Z', ['gate', 'eligible']),
        run('2030-01-01T10:20:00.000Z', ['gate', 'gate']),
        run(AT, ['gate']),
        run('2030-01-01T09:00:00.000Z', ['checks-pending']),
        run('2030-01-01T08:00:00.000Z', ['gate']),
        { ...run('2030-01-01T07:00:00.000Z', []), repository: 'acme/other' },
      ],
    },
    item: { id: 'gate/acme/shop/1', since: AT, service: 'conductor' },
    text: `Pull request 'acme/shop#1' waits at a gate; 'Change 1' of acme/shop: 'label human-gate' of conductor`,
    operations: ['POST /api/conductor/runs {"repository":"acme/shop"}', `GET /api/conductor/runs/${ID}`],
  },
}

/** The situations of pull requests 1, 2 and so on. */
function run(started_at: string, situations: NonNullable<ConductorItem['situation']>[]): ConductorRun {
  const items = situations.map((situation, at) =>
    record(ConductorItem, {
      number: at + 1,
      title: `Change ${at + 1}`,
      situation,
      rules: [{ rule: 'gate', holds: situation !== 'gate', reason: 'label human-gate' }],
    }),
  )
  return record(ConductorRun, { id: ID, repository: 'acme/shop', started_at, items })
}
