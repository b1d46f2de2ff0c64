import { expect, test } from 'vitest'
import { NOW, rendered } from '../page.tsx'

const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const step = { kind: 'agents', name: 'greeter', action: 'update', status: 'done', live_id: null, error: null }
const run = {
  id: 'e41f7b02',
  source: 'default',
  status: 'succeeded',
  revision: '4f2c1a9d00',
  actor: 'controller',
  started_at: iso(-60),
  ended_at: iso(-59),
  steps: [
    { ...step, started_at: iso(-60), ended_at: iso(-59) },
    {
      ...step,
      name: 'api',
      action: 'restart',
      status: 'failed',
      error: 'no <b>tmux</b>',
      started_at: null,
      ended_at: null,
    },
  ],
  error: null,
  diagnostics: [],
  summary: { unchanged: 210 },
}

test('shows the steps of a run with results, errors and times', async () => {
  const html = await rendered({ path: '/runs/e41f7b02', records: { runs: [run] } })
  for (const part of [
    'Run e41f7b02',
    'updated',
    'restart: failed',
    'no &lt;b&gt;tmux',
    '1.0 s',
    '1 of 2 steps done, 1 failed',
  ])
    expect(html).toContain(part)
})

test('reads a run that the list no longer has', async () => {
  const html = await rendered({
    path: '/runs/old',
    records: { runs: [run] },
    answers: [[['run', 'old'], { ...run, id: 'old12345-0' }]],
  })
  expect(html).toContain('Run old12345')
})
