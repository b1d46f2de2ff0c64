import { expect, test } from 'vitest'
import { SCREENS } from '../../../../web/routes.ts'
import { NOW, rendered, type Scene } from '../page.tsx'

const RLO = '\u202e'
const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const mail = { queue_name: 'mail', pending: 1, processing: 0, completed: 0, dead: 1, oldest_pending_secs: 720 }
const task = {
  queue_name: 'mail',
  body: '',
  priority: 0,
  retry_count: 0,
  max_retries: 3,
  error: null,
  created_at: iso(-720),
}
const dead = {
  ...task,
  id: 'a3310f7e-0000-4000-8000-000000000001',
  status: 'dead',
  title: `Newsletter <b>bounce</b> ${RLO}5.7.1`,
  body: 'mail body',
  retry_count: 3,
  error: 'no result in 300 s',
}
const pending = {
  ...task,
  id: '0b77e2d1-0000-4000-8000-000000000001',
  status: 'pending',
  title: 'Where is my order',
  priority: 9,
}
const workflow = {
  id: 'w1',
  name: 'triage',
  agent_id: 'a1',
  enabled: true,
  trigger_config: { type: 'queue', queue_name: 'mail' },
  last_fired_at: iso(-60),
  updated_at: iso(-900),
}
const pageOf = (items: readonly object[], next: string | null = null) => ({
  pages: [{ items, next, previous: null }],
  pageParams: [''],
})
const scene = (more: Partial<Scene> = {}): Scene => ({
  path: '/queues/mail',
  records: { workflows: [workflow], agents: [] },
  answers: [
    [['queues'], { queues: [mail, { ...mail, queue_name: 'index', dead: 0 }], at: iso(-4) }],
    [['queue-tasks', 'mail', 'dead'], pageOf([dead], 'more')],
    [['queue-tasks', 'mail', 'pending'], pageOf([pending])],
  ],
  ...more,
})

test('shows the tasks of a queue, dead ones with the reason', async () => {
  const html = await rendered(scene())
  for (const part of [
    'Newsletter &lt;b&gt;bounce',
    'RLO',
    'no result in 300 s',
    '3 of 3 attempts failed',
    'mail body',
    'Where is my order',
    'attempt 1 of 3',
    'Show more',
    'Redrive all 1…',
  ])
    expect(html).toContain(part)
  expect(html).not.toContain(RLO)
  expect(html.indexOf('Dead letters')).toBeLessThan(html.indexOf('Pending, in the order'))
})

test('shows counts, readers and the age of the read', async () => {
  const html = await rendered(scene())
  for (const part of ['read by', 'triage', 'oldest 12 m', '1 dead', '4 s ago', 'href="/workflows/w1"', 'no reader'])
    expect(html).toContain(part)
})

test('says what would be here without a queue', async () => {
  const html = await rendered(scene({ path: '/queues', answers: [[['queues'], { queues: [], at: iso(0) }]] }))
  expect(html).toContain(SCREENS.find(({ title }) => title === 'Queues')!.empty.what)
})

test('shows grey rows while the queues are read', async () => {
  expect(await rendered(scene({ answers: [] }))).toContain('aria-label="Loading"')
})

test('says that a queue has no tasks', async () => {
  expect(await rendered(scene({ path: '/queues/gone' }))).toContain('The queue gone has no tasks.')
})

test('disables redrive and purge for a viewer and while disconnected', async () => {
  const isOff = (html: string) =>
    ['Redrive all', 'Purge…'].every((label) => new RegExp(`<button[^>]*disabled=""[^>]*>${label}`).test(html))
  const viewer = await rendered(scene({ caller: { role: 'viewer', may: [] } }))
  expect([isOff(viewer), viewer.includes('This takes the role operator.')]).toEqual([true, true])
  const lost = await rendered(scene({ lostAt: NOW }))
  expect([isOff(lost), lost.includes('as of ')]).toEqual([true, true])
  expect(lost).toContain('Where is my order')
})

test('offers no redrive without dead tasks', async () => {
  const html = await rendered(scene({ path: '/queues/index' }))
  expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Redrive all 0/)
})
