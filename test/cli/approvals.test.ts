import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  for (const name of ['planner', 'careful'])
    await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
      name,
      working_dir: stand.home,
      shell: 'bash',
      runtime: 'scripted',
      tool_policy: { mode: name === 'careful' ? 'require_approval' : 'allow_all' },
    })
  await stand.connected()
})
afterEach(async () => {
  for (const { id } of await of<Approval[]>('/approvals?status=pending')) await shown(['deny', id])
})
afterAll(() => stand.close())

const of = <T = any>(path: string) => stand.get<T>(`${stand.orchestrator}${path}`)

/** Standard output of a successful command. */
async function shown(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await stand.agent(['orchestrator', ...args], { env })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await shown([...args, '--json'])) as unknown

/** Creates a pending tool request. */
async function held(command: string): Promise<Approval> {
  const { id } = await stand.agentNamed('careful')
  await eventually(async () => (await stand.agentNamed('careful')).activity === 'idle')
  await stand.send(id, `USE_TOOL Bash ${command}`)
  return eventually(async () => (await of<Approval[]>('/approvals?status=pending'))[0])
}

test('lists tool requests by agent and status', async () => {
  const approval = await held('echo listed')
  const short = approval.id.slice(0, 8)
  const words = ['list-approvals', '--agent-id', 'careful', '--status', 'pending']
  expect(await shown(words)).toMatch(
    new RegExp(
      `^${short}  careful wants Bash  \\(asked .* ago, expires in .*\\)\n  command:\n  \\| echo listed\n  description:\n  \\| Run a command\n  agent approve ${short}   or   agent deny ${short}\n$`,
    ),
  )
  expect(await json(...words)).toEqual([approval])
  expect(await shown(['list-approvals', '--agent-id', 'planner'])).toBe('No approvals.\n')
  await shown(['deny', approval.id])
  expect(await shown(['list-approvals'])).toMatch(
    /careful\s+Bash\s+denied\s+tester\s.*\{"command":"echo listed",.*\}\n$/,
  )
})

test('shows a tool request completely in a narrow terminal', async () => {
  const command = `printf '${'many  words '.repeat(60)}' && rm -rf "$HOME/every thing"`
  const approval = await held(command)
  for (const width of ['40', '80', '140']) {
    const text = await shown(['get-approval', approval.id.slice(0, 8)], { COLUMNS: width })
    const barred = text
      .split('\n  description:')[0]!
      .split('\n')
      .filter((line) => /^  [|:] /.test(line))
    expect(barred.map((line) => line.slice(4)).join('')).toBe(command)
    expect(barred.filter((line) => line.startsWith('  | '))).toHaveLength(1)
    expect(Math.max(...barred.map((line) => line.length))).toBeLessThanOrEqual(Number(width))
  }
  await shown(['deny', approval.id])
})

test.each([
  ['the direction of text', 'echo \u202egnp.exe\u2066', 'echo \\u202egnp.exe\\u2066'],
  ['a terminal', 'echo \u001b[2Kls \u009b1A\u0008', 'echo \\u001b[2Kls \\u009b1A\\u0008'],
  ['a line', 'echo a\rb\u2028c\u2029d', 'echo a\\u000db\\u2028c\\u2029d'],
  ['marks without a width', 'r\u200bm -rf \u{e0041}\u00ad/', 'r\\u200bm -rf \\u{e0041}\\u00ad/'],
  ['blanks that are no space', 'ls\u00a0-l\u3000x', 'ls\\u00a0-l\\u3000x'],
])('escapes characters that would change %s, in lists and decisions', async (_, command, seen) => {
  const approval = await held(command)
  expect(approval.tool_input).toMatchObject({ command })
  for (const words of [
    ['list-approvals', '--status', 'pending'],
    ['get-approval', approval.id],
    ['deny', approval.id],
  ])
    expect(await shown(words)).toContain(`  | ${seen}\n`)
})

test('denies a tool request and records the reason', async () => {
  const approval = await held('echo denied')
  const record = await json('deny', approval.id, '--reason', 'not today')
  expect(record).toMatchObject({ id: approval.id, status: 'denied', reason: 'not today', decided_by: 'tester' })
  const { delivered_at: _, ...decided } = record as Approval
  expect(await of(`/approvals/${approval.id}`)).toMatchObject(decided)
  expect(await shown(['get-approval', approval.id])).toMatch(/wanted \(denied\) Bash .*decided by tester: not today\)/)
})

test('approves by id prefix, optionally per session, and shows the input', async () => {
  const approval = await held('echo approved')
  expect(await shown(['approve', approval.id.slice(0, 8), '--scope', 'session'])).toBe(
    `Bash is approved for careful (${approval.id.slice(0, 8)})\n  command:\n  | echo approved\n  description:\n  | Run a command\n`,
  )
  expect(await of(`/approvals/${approval.id}`)).toMatchObject({ status: 'approved', decided_by: 'tester' })
  const { id } = await stand.agentNamed('careful')
  const frames = await stand.listen(id)
  await eventually(async () => (await stand.agentNamed('careful')).activity === 'idle')
  await stand.send(id, 'USE_TOOL Bash echo approved')
  await eventually(() => frames.some(({ type, content }) => type === 'result' && content === 'TOOL_OK: approved'))
  await eventually(async () => (await stand.agentNamed('careful')).activity === 'idle')
  await request('POST', `${stand.orchestrator}/agents/${id}/clear-context`)
})

test('shows pending tool requests at the top of the status', async () => {
  const line = '1 tool request is pending: agent orchestrator list-approvals\n\n'
  const approval = await held('echo waiting')
  for (const status of [await stand.agent(['status']), await stand.svc(['status'])])
    expect(status.stdout.startsWith(line)).toBe(true)
  for (const status of [await stand.agent(['status', '--json']), await stand.svc(['status', '--json'])])
    expect(JSON.parse(status.stdout)).toMatchObject({ approvals_waiting: 1 })
  await shown(['deny', approval.id])
  for (const status of [await stand.agent(['status']), await stand.svc(['status'])])
    expect(status.stdout).not.toContain('waits for a person')
})

test('shows why the policy left the decision to a person, on one line', async () => {
  const { id } = await stand.agentNamed('planner')
  const policy = await shown(['set-policy', 'planner', 'allow_list', 'Read', '--otherwise', 'ask', '--ask', 'Bash'])
  expect(policy).toMatch(/^planner now has the policy allow_list Read; ask Bash; otherwise ask\n/)
  await stand.send(id, 'USE_TOOL Bash echo why')
  const approval = await eventually(async () => (await of<Approval[]>('/approvals?status=pending'))[0])
  expect(await shown(['get-approval', approval.id])).toMatch(
    /\n {2}policy: an entry names the tool: Bash\n {2}command:\n/,
  )
  await shown(['deny', approval.id])
  await shown(['set-policy', 'planner', 'allow_all'])
})

test('shows the rule, programs, directory, work and delivery of a tool request', async () => {
  const approval = await held('echo facts && true')
  const lines = (text: string) =>
    text.split('\n').filter((line) => /^  (rule|programs|reads|may change|directory|work|delivered): /.test(line))
  const facts = [
    '  rule: require_approval, policy of the agent',
    '  programs: echo, true',
    `  directory: ${stand.home}`,
    `  work: message ${approval.turn_id}`,
  ]
  expect(lines(await shown(['get-approval', approval.id]))).toEqual(facts)
  await shown(['deny', approval.id])
  await eventually(async () => (await of<Approval>(`/approvals/${approval.id}`)).delivered_at !== null)
  const [delivery, ...others] = lines(await shown(['get-approval', approval.id])).reverse()
  expect(others.reverse()).toEqual(facts)
  expect(delivery).toMatch(/^  delivered: .* ago$/)
  expect(await json('get-approval', approval.id)).toEqual(await of(`/approvals/${approval.id}`))
})

test('lists earlier decisions on an equal tool request', async () => {
  const first = await held('echo similar')
  expect(await shown(['similar-approvals', first.id])).toBe('No earlier decisions.\n')
  await shown(['deny', first.id, '--reason', 'not yet'])
  const second = await held('echo similar')
  expect(await shown(['similar-approvals', second.id.slice(0, 8)])).toMatch(
    new RegExp(`\n${first.id}\\s+careful\\s+denied\\s+once\\s+tester\\s.*not yet\\n$`),
  )
  expect(await json('similar-approvals', second.id)).toEqual(await of(`/approvals/${second.id}/similar`))
  await shown(['deny', second.id])
})

test('shows a pending tool request in the inbox, with its text in quotes', async () => {
  const approval = await held('echo inbox \u202e')
  const { code, stdout, stderr } = await stand.agent(['inbox', '--kind', 'approval'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('"careful" requests "Bash"')
  expect(stdout).toContain('"echo inbox \\u202e"')
  expect(stdout).toContain(`approval/${approval.id}`)
  const { stdout: json } = await stand.agent(['inbox', '--kind', 'approval', '--json'])
  expect(JSON.parse(json)).toMatchObject({ items: [{ id: `approval/${approval.id}` }], missing: [] })
  await shown(['deny', approval.id])
  expect((await stand.agent(['inbox', '--kind', 'approval'])).stdout).toBe('Nothing is waiting for you.\n')
})

test('decides alike requests by id prefix, and fails if one cannot be decided', async () => {
  const approval = await held('echo alike')
  const words = ['orchestrator', 'decide', 'deny', approval.id.slice(0, 8), '--reason', 'not now']
  const first = await stand.agent(words)
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/careful +denied/)])
  expect(await of(`/approvals/${approval.id}`)).toMatchObject({ status: 'denied', reason: 'not now' })
  const second = await stand.agent(words)
  expect([second.code, second.stdout]).toEqual([1, expect.stringMatching(/not decided +.*already denied/)])
})

test('withdraws a decision that the agent does not have, and no other', async () => {
  const delivered = await held('echo delivered')
  await shown(['deny', delivered.id])
  await eventually(async () => (await of<Approval>(`/approvals/${delivered.id}`)).delivered_at !== null)
  const refused = await stand.agent(['orchestrator', 'withdraw', delivered.id])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot be withdrawn: it was sent')])
  const { id } = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name: 'mortal',
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
    tool_policy: { mode: 'require_approval' },
  })
  await stand.connected()
  await stand.send(id, 'USE_TOOL Bash echo left')
  const left = await eventually(async () => (await of<Approval[]>(`/approvals?status=pending&agent=${id}`))[0])
  process.kill(Number((await stand.panes())[`svc-orch-${id}`]), 'SIGKILL')
  await eventually(async () => (await stand.agentNamed('mortal')).status === 'failed')
  await shown(['deny', left.id])
  expect(await shown(['withdraw', left.id.slice(0, 8)])).toMatch(
    new RegExp(`^${left.id.slice(0, 8)}  mortal wants Bash  \\(asked .* ago, expires in .*\\)\n`),
  )
  await shown(['deny', left.id])
  const again = await json('withdraw', left.id)
  expect(again).toMatchObject({ id: left.id, status: 'pending', decided_by: null })
  expect(again).toEqual(await of(`/approvals/${left.id}`))
})
