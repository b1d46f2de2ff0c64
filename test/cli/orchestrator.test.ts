// Each verb of `agent orchestrator`: what it asks, what it shows, and that its JSON is the record.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApi, type Answer, type Api } from './api.ts'
import { agent } from './commands.ts'
import {
  AGENT_ID,
  agentRecord,
  APPROVAL_ID,
  approvalRecord,
  dispatchRecord,
  WORKFLOW_ID,
  workflowRecord,
} from './records.ts'

let api: Api
beforeEach(
  async () =>
    void (api = await startApi({
      'GET /agents': { json: [agentRecord()] },
      'GET /workflows': { json: [workflowRecord()] },
      'GET /approvals': { json: [approvalRecord()] },
    })),
)
afterEach(() => api.close())

const orchestrator = (args: string[], input?: string) =>
  agent(['orchestrator', ...args], { env: api.env, ...(input === undefined ? {} : { input }) })
const usage = {
  input_tokens: 1200,
  output_tokens: 34,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  total_cost_usd: 0.25,
  num_turns: 3,
  duration_ms: 61_000,
  duration_api_ms: 10,
  result_count: 2,
  started_at: null,
  ended_at: null,
}

interface Case {
  args: string[]
  input?: string
  asks: string
  body?: unknown
  answer: Answer & object
  shows: RegExp
}

const AGENT = `/agents/${AGENT_ID}`
const WORKFLOW = `/workflows/${WORKFLOW_ID}`
const cases: Record<string, Case> = {
  'list-agents by status': {
    args: ['list-agents', '--status', 'running'],
    asks: 'GET /agents?status=running',
    answer: { json: [agentRecord()] },
    shows: /planner\s+running\s+idle\s+scripted\s+allow_all/,
  },
  'get-agent by id': {
    args: ['get-agent', AGENT_ID],
    asks: `GET ${AGENT}`,
    answer: { json: agentRecord({ last_error: 'exit code 3' }) },
    shows: /name: planner[\s\S]*working_dir: \/work[\s\S]*last_error: exit code 3/,
  },
  'create-agent': {
    args: [
      'create-agent',
      '--name',
      'helper',
      '--working-dir',
      '/tmp',
      '--runtime',
      'scripted',
      '--policy',
      'allow_list',
      '--tools',
      'Read',
      'Bash(git log *)',
      '--env',
      'A=b=c',
      '--add-dir',
      '/usr',
      '--worktree',
      '--prompt',
      'Hi',
    ],
    asks: 'POST /agents',
    body: {
      name: 'helper',
      working_dir: '/tmp',
      runtime: 'scripted',
      prompt: 'Hi',
      worktree: true,
      additional_dirs: ['/usr'],
      env: { A: 'b=c' },
      tool_policy: { mode: 'allow_list', tools: ['Read', 'Bash(git log *)'] },
    },
    answer: { status: 201, body: agentRecord({ name: 'helper', warnings: ['zsh is not installed: bash is used'] }) },
    shows: /agent helper is running \(1111.*\)\nwarning: zsh is not installed/,
  },
  'delete-agent': {
    args: ['delete-agent', 'planner'],
    asks: `DELETE ${AGENT}`,
    answer: { json: agentRecord({ status: 'stopped' }) },
    shows: /agent planner is stopped/,
  },
  'delete-agent with its record': {
    args: ['delete-agent', 'planner', '--purge'],
    asks: `DELETE ${AGENT}?purge=true`,
    answer: { status: 204, body: undefined },
    shows: /agent planner is gone/,
  },
  'restart-agent': {
    args: ['restart-agent', 'planner'],
    asks: `POST ${AGENT}/restart`,
    answer: { json: agentRecord() },
    shows: /agent planner is running/,
  },
  'send-message': {
    args: ['send-message', 'planner', 'What', 'is next?'],
    asks: `POST ${AGENT}/message`,
    body: { content: 'What is next?' },
    answer: { json: { status: 'sent', agent_id: AGENT_ID } },
    shows: /sent to planner; watch the answer with: agent orchestrator stream planner/,
  },
  'send-message from standard input': {
    args: ['send-message', 'planner', '--stdin'],
    input: 'two\nlines\n',
    asks: `POST ${AGENT}/message`,
    body: { content: 'two\nlines\n' },
    answer: { json: { status: 'queued', agent_id: AGENT_ID } },
    shows: /queued: planner is busy/,
  },
  logs: {
    args: ['logs', 'planner', '--lines', '5'],
    asks: `GET ${AGENT}/logs?lines=5`,
    answer: { json: { lines: 'one\ntwo\u001b[31m' } },
    shows: /^one\ntwo\\u001b\[31m\n$/,
  },
  usage: {
    args: ['usage', 'planner'],
    asks: `GET ${AGENT}/usage`,
    answer: { json: { agent_id: AGENT_ID, current_session: usage, cumulative: usage, session_count: 2 } },
    shows: /SESSION 2\s+ALL\ninput tokens\s+1200\s+1200[\s\S]*\$0\.2500[\s\S]*1 min/,
  },
  'clear-context': {
    args: ['clear-context', 'planner'],
    asks: `POST ${AGENT}/clear-context`,
    answer: { json: { agent_id: AGENT_ID, session_usage: usage, new_session_number: 3 } },
    shows: /planner begins session 3; the last one took 1200 tokens in, 34 out/,
  },
  interrupt: {
    args: ['interrupt', 'planner'],
    asks: `POST ${AGENT}/interrupt`,
    answer: { status: 202, body: undefined },
    shows: /planner was asked to stop/,
  },
  'add-dir': {
    args: ['add-dir', 'planner', '/usr'],
    asks: `POST ${AGENT}/dirs`,
    body: { path: '/usr' },
    answer: { json: { agent_id: AGENT_ID, additional_dirs: ['/usr'], requires_restart: true } },
    shows: /planner may use \/usr from its next start/,
  },
  'remove-dir': {
    args: ['remove-dir', 'planner', '/usr'],
    asks: `DELETE ${AGENT}/dirs`,
    body: { path: '/usr' },
    answer: { json: { agent_id: AGENT_ID, additional_dirs: [], requires_restart: true } },
    shows: /its working directory alone/,
  },
  'get-policy': {
    args: ['get-policy', 'planner'],
    asks: `GET ${AGENT}/policy`,
    answer: { json: { mode: 'allow_list', tools: ['Read'] } },
    shows: /mode: allow_list\ntools: Read/,
  },
  'set-policy': {
    args: ['set-policy', 'planner', 'deny_list', 'Bash'],
    asks: `PUT ${AGENT}/policy`,
    body: { mode: 'deny_list', tools: ['Bash'] },
    answer: { json: { mode: 'deny_list', tools: ['Bash'] } },
    shows: /planner is now under deny_list Bash/,
  },
  'set-policy with an empty list': {
    args: ['set-policy', 'planner', 'allow_list'],
    asks: `PUT ${AGENT}/policy`,
    body: { mode: 'allow_list', tools: [] },
    answer: { json: { mode: 'allow_list', tools: [] } },
    shows: /allow_list \(empty\)/,
  },
  'list-approvals of an agent': {
    args: ['list-approvals', '--agent-id', 'planner', '--status', 'pending'],
    asks: `GET ${AGENT}/approvals?status=pending`,
    answer: { json: [approvalRecord()] },
    shows: /planner\s+Bash\s+\{"command":"ls"\}\s+pending/,
  },
  'approve by the first characters': {
    args: ['approve', '44444444', '--scope', 'session'],
    asks: `POST /approvals/${APPROVAL_ID}/approve`,
    body: { scope: 'session' },
    answer: { json: approvalRecord({ status: 'approved' }) },
    shows: /Bash is approved/,
  },
  'deny with a reason': {
    args: ['deny', APPROVAL_ID, '--reason', 'not today'],
    asks: `POST /approvals/${APPROVAL_ID}/deny`,
    body: { reason: 'not today' },
    answer: { json: approvalRecord({ status: 'denied' }) },
    shows: /Bash is denied/,
  },
  'create-workflow': {
    args: [
      'create-workflow',
      '--name',
      'nightly',
      '--agent',
      'planner',
      '--trigger',
      'cron',
      '--set',
      'expression=0 9 * * 1-5',
      '--set',
      'catch_up=last',
      '--template',
      'Go',
      '--poll-interval',
      '30',
      '--disabled',
    ],
    asks: 'POST /workflows',
    body: {
      name: 'nightly',
      agent_id: AGENT_ID,
      trigger_config: { type: 'cron', expression: '0 9 * * 1-5', catch_up: 'last' },
      prompt_template: 'Go',
      poll_interval_secs: 30,
      enabled: false,
    },
    answer: {
      status: 201,
      body: workflowRecord({ name: 'nightly', enabled: false, warnings: ['unknown variable "x"'] }),
    },
    shows: /workflow nightly is disabled \(.*\)\nwarning: unknown variable "x"/,
  },
  'list-workflows': {
    args: ['list-workflows'],
    asks: 'GET /workflows',
    answer: { json: [workflowRecord()] },
    shows: /triage\s+planner\s+manual\s+yes\s+auto/,
  },
  'get-workflow by name': {
    args: ['get-workflow', 'triage'],
    asks: 'GET /workflows',
    answer: { json: [workflowRecord()] },
    shows: /prompt_template: Look at \{\{title\}\}/,
  },
  'update-workflow': {
    args: ['update-workflow', 'triage', '--disable', '--set', 'labels=["bug"]', '--policy', 'auto'],
    asks: `PATCH ${WORKFLOW}`,
    body: { enabled: false, trigger_config: { labels: ['bug'] }, tool_policy: { mode: 'auto' } },
    answer: { json: workflowRecord({ enabled: false }) },
    shows: /workflow triage is disabled/,
  },
  'delete-workflow': {
    args: ['delete-workflow', 'triage'],
    asks: `DELETE ${WORKFLOW}`,
    answer: { status: 204, body: undefined },
    shows: /workflow triage is gone/,
  },
  'trigger-workflow': {
    args: ['trigger-workflow', 'triage', '--title', 'T', '--metadata', 'area=auth'],
    asks: `POST ${WORKFLOW}/trigger`,
    body: { title: 'T', metadata: { area: 'auth' } },
    answer: { json: dispatchRecord() },
    shows: /dispatch 2222.* is pending/,
  },
  'workflow-history': {
    args: ['workflow-history', 'triage'],
    asks: `GET ${WORKFLOW}/history`,
    answer: { json: [dispatchRecord({ status: 'failed', error: 'agent gone' })] },
    shows: /22222222\s+failed\s+manual:1\s+1\s+.*agent gone/,
  },
  'dispatch-history': {
    args: ['dispatch-history', 'triage'],
    asks: `GET ${WORKFLOW}/history`,
    answer: { json: [] },
    shows: /No dispatch yet\./,
  },
  health: {
    args: ['health'],
    asks: 'GET /health',
    answer: { json: { status: 'ok', service: 'svc-orchestrator', agents_active: 2 } },
    shows: /agents_active: 2/,
  },
}

test.each(Object.entries(cases))('%s', async (_title, { args, input, asks, body, answer, shows }) => {
  api.routes[asks] = answer
  const { code, stdout, stderr } = await orchestrator(args, input)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(shows)
  const request = api.asked.find((asked) => `${asked.method} ${asked.path}` === asks)
  expect(request).toBeDefined()
  if (body !== undefined) expect(request!.body).toEqual(body)
})

test.each(
  Object.entries(cases).filter(([, { answer }]) => 'json' in answer || ('body' in answer && answer.body !== undefined)),
)('%s as JSON is the record', async (_title, { args, input, asks, answer }) => {
  api.routes[asks] = answer
  const { stdout } = await orchestrator([...args.filter((word) => word !== '--json'), '--json'], input)
  const record = 'json' in answer ? answer.json : (answer as { body: unknown }).body
  const printed: unknown = JSON.parse(stdout)
  if (args[0] === 'logs') expect(printed).toEqual({ agent_id: AGENT_ID, lines: 'one\ntwo\u001b[31m' })
  else expect(printed).toEqual(args[0] === 'get-workflow' ? (record as unknown[])[0] : record)
})

test.each([
  [['create-agent'], "required option '--name <name>' not specified"],
  [['create-agent', '--name', 'x', '--tools', 'Read'], '--tools needs a list mode'],
  [['create-agent', '--name', 'x', '--env', 'A'], 'has no name and value'],
  [['send-message', 'planner'], 'the message is empty'],
  [['send-message', 'planner', 'x', '--stdin'], 'exclude each other'],
  [['stream'], 'which agent?'],
  [['stream', 'planner', '--all'], 'exclude each other'],
  [['update-workflow', 'triage'], 'nothing to change'],
  [['update-workflow', 'triage', '--enable', '--disable'], 'exclude each other'],
  [['create-workflow', '--name', 'x', '--agent', 'planner'], 'the prompt template is missing'],
  [['set-policy', 'planner', 'allow'], 'Allowed choices are allow_all'],
  [['trigger-workflow', 'triage', '--metadata', 'x'], 'has no key and value'],
])('%j is wrong use and asks for no change', async (args, what) => {
  const { code, stderr } = await orchestrator(args)
  expect(stderr).toContain(what)
  expect(code).toBe(64)
  expect(api.asked.filter((asked) => asked.method !== 'GET')).toEqual([])
})

test('an env value never shows in an error about it', async () => {
  expect((await orchestrator(['create-agent', '--name', 'x', '--env', '=hush'])).stderr).not.toContain('hush')
})

test('attach prints the exact session on the daemon’s own socket', async () => {
  const { stdout } = await agent(['orchestrator', 'attach', 'planner', '--print'], {
    env: { ...api.env, SVC_MUX_SOCKET: 'mine' },
  })
  expect(stdout).toBe(`tmux -L mine attach -t =svc-orch-${AGENT_ID}\n`)
})

test('attach to an agent that has no terminal says how to start it', async () => {
  api.routes['GET /agents'] = { json: [agentRecord({ status: 'failed' })] }
  const { code, stderr } = await orchestrator(['attach', 'planner'])
  expect([code, stderr]).toEqual([
    1,
    'error: agent planner is failed: it has no terminal\nhint: start it with: agent orchestrator restart-agent planner\n',
  ])
})

describe('stream', () => {
  const at = '2030-01-01T10:20:30.000Z'
  const frames = [
    { agent_id: AGENT_ID, type: 'keep_alive', content: '', timestamp: at, message: {} },
    { agent_id: AGENT_ID, type: 'assistant', content: 'Hello \u001b[31mthere', timestamp: at, message: {} },
    { agent_id: AGENT_ID, type: 'result', content: 'Hello \u001b[31mthere', timestamp: at, message: {} },
    {
      agent_id: AGENT_ID,
      type: 'pending_approval',
      content: '',
      timestamp: at,
      message: null,
      approval: approvalRecord(),
    },
    {
      agent_id: AGENT_ID,
      type: 'approval_decided',
      content: '',
      timestamp: at,
      message: null,
      approval: approvalRecord({ status: 'denied', decided_by: 'alice', reason: 'no' }),
    },
    {
      agent_id: AGENT_ID,
      type: 'agent_status',
      content: '',
      timestamp: at,
      message: null,
      status: 'running',
      activity: 'busy',
    },
    {
      agent_id: AGENT_ID,
      type: 'dispatch',
      content: '',
      timestamp: at,
      message: null,
      dispatch: dispatchRecord({ status: 'completed' }),
    },
  ]
  beforeEach(() => void (api.frames = frames))

  test('shows what people want to read, and how to decide what waits', async () => {
    const { code, stdout } = await agent(['orchestrator', 'stream', 'planner'], {
      env: api.env,
      until: (text) => text.includes('completed'),
    })
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        '10:20:30 planner assistant: Hello \\u001b[31mthere',
        '10:20:30 planner pending_approval: wants Bash {"command":"ls"}',
        '  agent orchestrator approve 44444444   or   deny 44444444',
        '10:20:30 planner approval_decided: Bash denied by alice: no',
        '10:20:30 planner agent_status: running, busy',
        '10:20:30 planner dispatch: 22222222 completed',
        '',
      ].join('\n'),
    )
    expect(api.asked.at(-1)).toMatchObject({
      method: 'WS',
      path: `/stream/${AGENT_ID}`,
      headers: { 'x-svc-actor': 'tester' },
    })
  })

  test('--json passes the frames through untouched, of every agent with --all', async () => {
    const { stdout } = await agent(['orchestrator', 'stream', '--all', '--json'], {
      env: api.env,
      until: (text) => text.includes('completed'),
    })
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(frames)
    expect(api.asked.at(-1)!.path).toBe('/stream')
  })

  test('ends with an error when the daemon goes away', async () => {
    const leaveWhenSeen = (text: string) => {
      if (text.includes('completed')) void api.close()
      return false
    }
    const watching = agent(['orchestrator', 'stream', 'planner', '--json'], { env: api.env, until: leaveWhenSeen })
    const { code, stderr } = await watching
    expect([code, /error: (the stream ended|no daemon answers)/.test(stderr)]).toEqual([1, true])
    api = await startApi()
  })
})

describe('validate-template', () => {
  test.each([
    ['Look at {{title}}', [], 0, /^valid; variables: title\n$/],
    ['Look at {{ticket}}', [], 0, /1:9: warning: unknown variable "ticket"/],
    ['Look at {{ticket}}', ['--strict'], 1, /warning/],
    ['{{delivery_id}}', ['--trigger', 'webhook', '--strict'], 0, /valid/],
    ['Line one\nLook at {{title', [], 1, /2:9: error: the placeholder "\{\{" is not closed/],
    ['  ', [], 1, /error: the template is empty/],
  ])('%j with %j ends with %i', async (template, flags, code, shows) => {
    const result = await agent(['validate-template', template, ...flags])
    expect(result.stdout).toMatch(shows)
    expect(result.code).toBe(code)
  })

  test('reads a file, which stands in its messages, and standard input; both without a daemon', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-template-')))
    writeFileSync(join(folder, 'prompt.md'), '{{oops')
    expect(
      (await agent(['orchestrator', 'validate-template', '--file', 'prompt.md'], { cwd: folder })).stdout,
    ).toContain('prompt.md:1:1: error')
    expect(
      JSON.parse((await agent(['validate-template', '--file', '-', '--json'], { input: '{{title}}' })).stdout),
    ).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      variables: ['title'],
    })
    expect((await agent(['validate-template', '--file', 'nope.md'])).stderr).toContain('the template cannot be read')
    rmSync(folder, { recursive: true })
  })
})
