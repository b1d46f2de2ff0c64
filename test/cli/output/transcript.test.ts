import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { TranscriptPage } from '../../../schemas/agent/transcript.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeEach(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name: 'planner',
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
  })
  await stand.connected()
})
afterEach(() => stand.close())

const transcript = (...args: string[]) => stand.agent(['transcript', 'planner', ...args])

test('shows the entries of an agent, with escapes visible', async () => {
  expect((await transcript()).stdout).toBe('No entries yet.\n')
  await stand.send(planner.id, 'Hello \u001b[31mthere')
  await stand.send(planner.id, 'USE_TOOL Bash echo yes')
  const shown = await eventually(async () => {
    const { stdout } = await transcript()
    return stdout.includes('TOOL_OK') && stdout
  })
  expect(shown).toMatch(/^\d\d:\d\d:\d\d prompt \(message, done\)\n {2}Hello \\u001b\[31mthere\n/m)
  expect(shown).toMatch(/^\d\d:\d\d:\d\d calls Bash\n {2}\{\n {4}"command": "echo yes",\n/m)
  expect(shown).toMatch(/^\d\d:\d\d:\d\d tool result\n {2}yes\n/m)
  expect(shown).toMatch(/\nkept since 20\S+Z\n$/)
})

test('prints a page with its cursors as JSON', async () => {
  await stand.send(planner.id, 'Hello')
  await eventually(async () => (await transcript()).stdout.includes('turn completed'))
  const { items, previous } = JSON.parse((await transcript('--last', '1', '-o', 'json')).stdout) as TranscriptPage
  expect(items).toMatchObject([{ type: 'result', repeats_text: true }])
  const { stdout } = await transcript('--before', previous!, '-o', 'json')
  expect((JSON.parse(stdout) as TranscriptPage).items.map(({ type }) => type)).toEqual(['turn', 'text'])
})
