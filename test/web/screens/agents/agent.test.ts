// The view of an agent, rendered: its conversation, its tabs and its errors.
import { describe, expect, test, vi } from 'vitest'
import { RequestProblem } from '../../../../web/client/problem.ts'
import { NOW, rendered, type Scene } from '../page.tsx'

const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

const agent = {
  id: 'a1',
  name: 'builder',
  status: 'running',
  activity: 'busy',
  connected: true,
  restarts: 0,
  last_error: null,
  warnings: [],
  managed_by: null,
  mux_session: 'svc-orch-a1',
  config: {
    runtime: 'scripted',
    interactive: false,
    working_dir: '/srv/shop',
    tool_policy: { mode: 'allow_list', tools: ['Read'], ask: ['Bash(git push *)'] },
  },
  created_at: iso(-60),
  updated_at: iso(-5),
}

async function page(tab: string, more: Partial<Scene> = {}): Promise<string> {
  const scene = { path: `/agents/a1/${tab}`, records: { agents: [agent], inbox: [] }, ...more }
  // The first rendering loads the part.
  await rendered(scene)
  await vi.dynamicImportSettled()
  return rendered(scene)
}

describe('an agent', () => {
  test('is shown with its facts, its queue and a composer', async () => {
    const queue = [['queue', 'a1', 'busy', agent.updated_at, null], 2] as const
    const html = await page('talk', { answers: [queue] })
    for (const part of ['builder', 'running, connected', '2 prompts queued', 'after its present turn and 2 queued'])
      expect(html).toContain(part)
  })

  test('is shown by its conversation at an unknown part', async () => {
    for (const tab of ['constructor', '__proto__', 'nothing']) expect(await page(tab)).toContain('Message to builder')
  })

  test('takes no message while the connection is lost', async () => {
    const html = await page('talk', { lostAt: NOW })
    expect(html).toContain('Not connected: a message can be written')
    expect(html).toContain('as of ')
    expect(html).not.toContain('taken after')
  })

  test('takes no message and no interrupt from a viewer', async () => {
    const html = await page('talk', { caller: { role: 'viewer', may: [] } })
    expect(html).toContain('sending takes the role operator')
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Interrupt/)
  })

  test('has its policy in the order in which it decides', async () => {
    const html = await page('policy')
    expect(html.indexOf('Bash(git push *)')).toBeLessThan(html.indexOf('Otherwise: deny'))
    expect(html).toContain('Test a call')
  })

  test('has the lines of its terminal with invisible characters as signs', async () => {
    const html = await page('terminal', { answers: [[['terminal', 'a1'], { lines: ['ls \u202e'], at: iso(-3) }]] })
    expect(html).toContain('RLO')
    expect(html).toContain('all lines')
    expect(html).toContain('3 s ago')
  })
})

describe('an agent that cannot be shown', () => {
  const heading = /<h1[^>]*>Agent<\/h1>/

  test('has a heading and a way back', async () => {
    for (const agents of [[], new RequestProblem(503, 'storage-unavailable', 'the database cannot be read')]) {
      const html = await rendered({ path: '/agents/gone/talk', records: { agents } })
      expect(html).toMatch(heading)
      expect(html).toContain('href="/agents"')
      expect(html).toContain(Array.isArray(agents) ? 'No agent has this id' : 'storage-unavailable')
    }
  })

  test('says who the caller is when it is denied', async () => {
    const agents = new RequestProblem(403, 'forbidden', 'not allowed')
    const html = await rendered({ path: '/agents/a1/talk', records: { agents }, caller: { role: 'viewer', may: [] } })
    expect(html).toMatch(heading)
    expect(html).toContain('viewer')
  })
})
