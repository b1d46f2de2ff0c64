import { expect, test } from 'vitest'
import { answersOfRoutes, ask, ID, refusalsOfRoutes } from '../stand.ts'
import { serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

answersOfRoutes([
  ['GET /workflows', undefined, 200, [{ name: 'w' }]],
  [
    'POST /workflows',
    { name: 'w', agent_id: ID, source_config: { type: 'manual' }, prompt_template: 'do {{title}}' },
    201,
    { id: ID },
  ],
  [`GET /workflows/${ID}`, undefined, 200, { id: ID }],
  [`PATCH /workflows/${ID}`, { source: { source_workflow_id: ID } }, 200, { id: ID }],
  [`PUT /workflows/${ID}`, { enabled: false }, 200, { id: ID }],
  [`DELETE /workflows/${ID}`, undefined, 204, null],
  [`GET /workflows/${ID}/history`, undefined, 200, [{ status: 'completed' }]],
  [`POST /workflows/${ID}/trigger`, undefined, 200, { status: 'pending' }],
  [`POST /workflows/${ID}/trigger`, { title: 't', metadata: { a: 'b' } }, 200, { status: 'pending' }],
  ['GET /in-flight', undefined, 200, [{ kind: 'message' }]],
  ['POST /drain', { for_secs: 30 }, 200, { draining: true }],
  ['POST /templates/validate', { template: 'do {{title}}' }, 200, { valid: true, variables: ['title'] }],
])

refusalsOfRoutes({
  'a workflow without trigger': [
    'POST /workflows',
    { name: 'w', agent_id: ID, prompt_template: 'x' },
    'trigger_config',
  ],
  'a workflow with two triggers': [
    'POST /workflows',
    {
      name: 'w',
      agent_id: ID,
      prompt_template: 'x',
      trigger_config: { type: 'manual' },
      source_config: { type: 'manual' },
    },
    'source_config',
  ],
  'an interval that a database cannot store': [
    'POST /workflows',
    { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'manual' }, poll_interval_secs: 1e30 },
    'poll_interval_secs',
  ],
  'an unknown trigger type': [
    'POST /workflows',
    { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'croon' } },
    'trigger_config.type',
  ],
  'an unknown lifecycle event': [
    'POST /workflows',
    { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'agent_lifecycle', event: 'born' } },
    'trigger_config.event',
  ],
  'an agent_id that is not a UUID': [
    'POST /workflows',
    { name: 'w', agent_id: '7', prompt_template: 'x', trigger_config: { type: 'manual' } },
    'agent_id',
  ],
  'a trigger type that is a name of Object.prototype': [
    'POST /templates/validate',
    { template: 'x', trigger_type: '__proto__' },
    'trigger_type',
  ],
  'metadata that is not text': [`POST /workflows/${ID}/trigger`, { metadata: { a: 1 } }, 'metadata.a'],
})

test('validates a template with many faults to its last line', async () => {
  const answer = await ask('POST /templates/validate', { template: '\n{{'.repeat(200_000) })
  expect(answer.body).toMatchObject({ valid: false })
  expect(answer.body.errors.at(-1)).toEqual({ message: 'the placeholder "{{" is not closed', line: 200_001, column: 1 })
})
