// Tables at 80 columns cut no name, state or id.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../cli/svc/policy/recorded-calls.ts'
import { runCommand } from '../../support/command.ts'
import { root } from '../../support/root.ts'
import { sampleReplies, type Samples } from './sample-replies.ts'

const ID = '1f3c9a2b-7d4e-4f0a-9c1b-2e5d8a6b3c4f'
const WIDTH = 80
const LONG = 'a-name-of-more-than-fifty-characters-for-one-in-the-team'

/** Commands by the file of their table. */
const TABLES: Record<string, string[]> = {
  'cli/agent/status.ts': ['agent status'],
  'cli/agent/wrap/index.ts': ['agent wrap list'],
  'cli/agent/orchestrator/sessions.ts': [`agent orchestrator messages ${ID}`],
  'cli/agent/orchestrator/usage.ts': [`agent orchestrator usage ${ID}`, 'agent orchestrator usage'],
  'cli/agent/orchestrator/workflows.ts': [
    'agent orchestrator list-workflows',
    `agent orchestrator workflow-history ${ID}`,
  ],
  'cli/agent/orchestrator/firings.ts': [`agent orchestrator workflow-firings ${ID}`],
  'cli/agent/orchestrator/approvals.ts': ['agent orchestrator list-approvals'],
  'cli/agent/orchestrator/queues.ts': [
    'agent orchestrator queue-list',
    'agent orchestrator queue-peek jobs',
    'agent orchestrator queue-tasks jobs',
  ],
  'cli/agent/orchestrator/agents.ts': ['agent orchestrator list-agents'],
  'cli/agent/doc/index.ts': ['agent doc list', 'agent doc history plan'],
  'cli/agent/notify/index.ts': ['agent notify list', 'agent notify deliveries', 'agent notify sinks'],
  'cli/agent/ask/index.ts': ['agent ask list'],
  'cli/agent/conductor/run-text.ts': ['agent conductor runs'],
  'cli/agent/gateway/inbox.ts': ['agent inbox'],
  'cli/agent/monitor/index.ts': ['agent monitor history'],
  'cli/agent/monitor/figures.ts': ['agent monitor agents'],
  'cli/agent/code-index/results.ts': ['agent index list-repos'],
  'cli/agent/communicate/index.ts': [
    'agent communicate rooms',
    `agent communicate participants ${ID}`,
    `agent communicate locks ${ID}`,
  ],
  'cli/agent/memory/index.ts': ['agent memory list'],
  'cli/svc/live/source-table.ts': ['svc sources'],
  'cli/output/triggers.ts': ['svc status'],
  'cli/svc/live/history.ts': ['svc history'],
  'cli/svc/live/get.ts': ['svc get all'],
  'cli/svc/live/blame.ts': ['svc blame agents/planner'],
  'cli/svc/live/drift.ts': ['svc drift'],
  'cli/svc/settings.ts': ['svc settings'],
}
/** Columns that a terminal without room leaves out. */
const EXTRAS: Record<string, readonly string[]> = {
  'agent orchestrator list-agents': ['RUNTIME', 'POLICY'],
  'agent orchestrator list-workflows': ['POLICY'],
  'agent orchestrator workflow-firings': ['TRIGGER', 'STATUS'],
  'svc get all': ['SOURCE'],
  'svc sources': ['DRIFT'],
  'svc status': ['DRIFT'],
}
/** Without a request of the daemon. */
const TESTED_BELOW = ['cli/svc/policy/recorded-calls.ts', 'cli/svc/token.ts']

let samples: Samples
beforeAll(async () => void (samples = await sampleReplies()))
afterAll(() => samples.close())

test('every file with a table is listed here', () => {
  const files = readdirSync(join(root, 'cli'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'output/table.ts')
    .map((path) => join('cli', path))
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('renderTable('))
  expect(files.toSorted()).toEqual([...Object.keys(TABLES), ...TESTED_BELOW].toSorted())
})

/** Prefixes of ids are shown if they are as long as commands accept. */
const shownIn = (text: string, id: string): boolean => text.includes(id) || text.includes(`${id.slice(0, 8)} `)

/** Values of these columns in a table whose columns are separated by two spaces. */
function valuesOf(table: string, titles: readonly string[]): string[] {
  const [head = '', ...rows] = table.split('\n').map((line) => line.split(/ {2,}/))
  return rows.flatMap((cells) => cells.filter((_cell, at) => titles.includes(head[at] ?? '')))
}

async function output(line: string, env: Record<string, string>): Promise<string> {
  const [program, ...words] = line.split(' ')
  const { stdout, stderr } = await runCommand(program as 'svc' | 'agent', words, { env: { ...samples.env, ...env } })
  if (stdout === '') throw new Error(`${line}: ${stderr}`)
  return stdout
}

test.each(Object.values(TABLES).flat())('%s', async (line) => {
  const [whole, narrow] = [await output(line, {}), await output(line, { COLUMNS: String(WIDTH) })]
  const { names, states, ids } = samples
  const extras = valuesOf(whole, EXTRAS[line] ?? [])
  const shown = [...names, ...states].filter((value) => whole.includes(value) && !extras.includes(value))
  expect(shown.filter((value) => !narrow.includes(value))).toEqual([])
  const shownIds = [...ids].filter((id) => whole.includes(id))
  expect(shownIds.filter((id) => !shownIn(`${narrow.replaceAll('\n', ' ')} `, id))).toEqual([])
  expect(shown.length + shownIds.length + Number(/monitor history|usage|settings/.test(line))).toBeGreaterThan(0)
})

test('agents with names of more than twenty characters are a table', async () => {
  const narrow = await output('agent orchestrator list-agents', { COLUMNS: String(WIDTH) })
  const rows = narrow.split('\n').filter((each) => each.includes('a-long-name-of-name'))
  expect(rows.length).toBeGreaterThan(1)
  for (const each of rows) expect(each).toMatch(/^a-long-name-of-\S+ {2,}\S/)
})

test('token list shows names and roles', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tokens.json')
  writeFileSync(file, JSON.stringify([{ subject: LONG, role: 'operator', sha256: 'a'.repeat(64) }]))
  const shown = await output('svc token list', { SVC_TOKENS_FILE: file, COLUMNS: String(WIDTH) })
  for (const value of [LONG, 'operator']) expect(shown).toContain(value)
})

test('recorded calls show the agent and both decisions', () => {
  const before = [process.stdout.isTTY, process.stdout.columns] as const
  Object.assign(process.stdout, { isTTY: true, columns: WIDTH })
  try {
    const call = {
      agent: LONG,
      before: 'allow',
      after: 'deny',
      tool: 'Bash',
      input: 'x'.repeat(90),
      reason: 'y'.repeat(90),
    }
    const done = { calls: [call], changed: 1, unchanged: 0, not_judged: 0 } as unknown as Parameters<
      typeof replayText
    >[0]
    const text = stripVTControlCharacters(replayText(done, {}))
    for (const value of [LONG, 'allow', 'deny']) expect(text).toContain(value)
    expect(text.split('\n').filter((each) => each.length > WIDTH && !each.includes('recorded'))).toEqual([])
  } finally {
    Object.assign(process.stdout, { isTTY: before[0], columns: before[1] })
  }
})
