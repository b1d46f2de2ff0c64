// Text of others in the output of commands: it must not control the terminal.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const HARM = 'x\u001b]0;owned\u0007\u001b[2J\r\u009b1A\u202eend'
// Titles reject control characters.
const TITLE = 'owned \u202eend'
const AGENT = 'name: worker\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy: {mode: deny_all}\n'

let stand: DaemonStand
let ids: { agent: string; memory: string; notification: string; document: string }
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/worker.yml', AGENT)
  await stand.startReadyInside()
  const { docstore, notify } = stand.urls
  const made = async (url: string, body: object) => {
    const { status, body: reply } = await stand.ask('POST', url, body)
    expect(status, JSON.stringify(reply)).toBe(201)
    return reply
  }
  const memory = await made(`${docstore}/memories`, { content: HARM, created_by: 'tester', tags: [HARM] })
  const { document } = await made(`${docstore}/v1/documents`, { title: TITLE, content: HARM, created_by: TITLE })
  const notification = await made(`${notify}/notifications`, {
    title: HARM,
    message: HARM,
    source: 'System',
    priority: 'Normal',
    lifetime: 'Persistent',
    requires_response: true,
  })
  const agent = await made(`${stand.orchestrator}/agents`, {
    name: HARM,
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
  })
  await stand.connected()
  ids = { agent: agent.id, memory: memory.id, notification: notification.id, document: document.id }
  await stand.send((await stand.agentNamed('worker')).id, HARM)
  await eventually(async () => (await stand.agent(['logs', 'worker'])).stdout.includes('owned'))
}, 60_000)
afterAll(() => stand.close())

test.each([
  ['memory list', () => ['memory', 'list']],
  ['memory get', () => ['memory', 'get', ids.memory]],
  ['memory search', () => ['memory', 'search', 'owned']],
  ['memory share', () => ['memory', 'share', ids.memory, '--visibility', 'shared', '--shared-with', HARM]],
  ['doc list', () => ['doc', 'list']],
  ['doc search', () => ['doc', 'search', 'owned']],
  ['doc history', () => ['doc', 'history', ids.document]],
  ['doc update', () => ['doc', 'update', ids.document, '--title', TITLE]],
  ['notify list', () => ['notify', 'list']],
  ['notify get', () => ['notify', 'get', ids.notification]],
  ['notify respond', () => ['notify', 'respond', ids.notification, HARM]],
  ['interrupt', () => ['orchestrator', 'interrupt', ids.agent]],
  ['clear-context', () => ['orchestrator', 'clear-context', ids.agent]],
  ['delete-agent', () => ['orchestrator', 'delete-agent', ids.agent, '--purge']],
  ['logs', () => ['logs', 'worker']],
] as [string, () => string[]][])('is escaped by agent %s', async (_what, words) => {
  const { code, stdout, stderr } = await stand.agent(words())
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('end')
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
})
