// Each screen at three widths, light and dark: nothing overflows, and axe finds nothing serious.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { DaemonStand } from '../support/daemon.ts'
import { cutEnds, graveFindings, overflows, photograph } from './support/inspection.ts'
import { addWorkflows, deadIn, push, runWorkflow, workflowNamed } from './support/flows.ts'
import { test } from './support/page-test.ts'
import { addressOf, driftByHand, live, pendingOf, startTeam } from './support/team.ts'

const LONG = `git push --force-with-lease origin ${'feature/'.repeat(12)}end && ./scripts/publish.sh --channel stable`

interface Place {
  name: string
  path(stand: DaemonStand): string | Promise<string>
  /** Text that shows that the records are there. */
  shows: string
}

const agentPath = (tab: string) => async (stand: DaemonStand) =>
  `/agents/${(await stand.agentNamed('builder')).id}/${tab}`

const workflowPath = (name: string) => async (stand: DaemonStand) =>
  `/workflows/${(await workflowNamed(stand, name)).id}`

const PLACES: readonly Place[] = [
  { name: 'inbox', path: () => '/inbox', shows: 'builder' },
  {
    name: 'request',
    path: async (stand) => `/inbox/approval%2F${(await pendingOf(stand, 'builder')).id}`,
    shows: 'Why',
  },
  { name: 'drift-item', path: () => '/inbox/drift%2Fagents%2Fgreeter', shows: 'Show the resource' },
  { name: 'state', path: () => '/state', shows: 'greeter' },
  { name: 'resource', path: () => '/state/agents/greeter', shows: 'system_prompt' },
  { name: 'plan', path: () => '/plan', shows: 'greeter' },
  { name: 'plan-of-source', path: () => '/plan/default', shows: 'unchanged' },
  { name: 'drift', path: () => '/drift', shows: 'agents/greeter' },
  { name: 'runs', path: () => '/runs', shows: 'default' },
  {
    name: 'run',
    path: async (stand) => `/runs/${(await stand.get(`${stand.controller}/runs`))[0].id}`,
    shows: 'resources unchanged',
  },
  { name: 'agents', path: () => '/agents', shows: 'builder' },
  { name: 'agent-talk', path: agentPath('talk'), shows: 'Calling a tool' },
  { name: 'agent-terminal', path: agentPath('terminal'), shows: 'Read again' },
  { name: 'agent-policy', path: agentPath('policy'), shows: 'require_approval' },
  { name: 'agent-usage', path: agentPath('usage'), shows: 'output tokens' },
  { name: 'agent-state', path: agentPath('state'), shows: 'scripted' },
  { name: 'workflows', path: () => '/workflows', shows: 'nightly-deps' },
  { name: 'workflow', path: workflowPath('nightly-deps'), shows: 'Update the dependencies of' },
  { name: 'workflow-of-queue', path: workflowPath('triage'), shows: 'no answer to' },
  { name: 'queues', path: () => '/queues', shows: 'thumbnails' },
  { name: 'queue', path: () => '/queues/mail', shows: 'attempts failed' },
]

const sizeFaults = async (page: Page) => [...(await overflows(page)), ...(await cutEnds(page))]

describe('the layout', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ builder: LONG, 'an-agent-with-a-name-of-some-length': 'make', tester: 'make' })
    await driftByHand(stand, 'greeter', 'be brief, and answer in one sentence of at most twelve words')
    await addWorkflows(stand)
    await runWorkflow(stand, 'nightly-deps', 'shop')
    await push(stand, 'mail', { title: 'Invoice 2288, second reminder of a bill', body: 'Dear all,\nwhere is it?' })
    await push(stand, 'thumbnails', { title: 'Draw a cat that sits on a chain of workflows', priority: 9 })
    await deadIn(stand, 'mail')
  })
  afterAll(() => stand?.close())

  for (const { name, path, shows } of PLACES)
    test(`fits ${name} into every window without serious findings of axe`, async ({ openTab }) => {
      const address = addressOf(stand, await path(stand))
      const found: string[] = []
      for (const width of [360, 1280, 2560]) {
        const page = await live(await openTab(address, { width }))
        await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor()
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme })
          const view = `${name}-${width}-${scheme}`
          await photograph(page, view)
          const faults = [...(scheme === 'light' ? await sizeFaults(page) : []), ...(await graveFindings(page))]
          found.push(...faults.map((fault) => `${view}: ${fault}`))
        }
        await page.close()
      }
      expect(found).toEqual([])
    })

  test('keeps the name of a tool on one line beside a long call', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, await agentPath('talk')(stand))))
    const call = page.getByRole('button', { name: /Bash.*stable/, expanded: true })
    const { height } = (await call.locator('b').boundingBox())!
    expect(height).toBeLessThan(24)
  })
})
