// The first hour on a fresh clone, in real terminals. UPDATE=1 updates the expected output in screens/.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import type { Run } from '../../schemas/run.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'
import { freshClone } from './clone.ts'
import { HOUR } from './hour.ts'
import { comparedLines, normalise, readScreen, writeScreen } from './screens.ts'

const run = promisify(execFile)
const ESCAPE = '\u001b'

let stand: DaemonStand
let clone: string
let socket: string
let orchestrator: string
let controller: string
beforeAll(async () => {
  stand = await DaemonStand.create()
  clone = join(stand.home, 'svc')
  socket = `${stand.muxSocket}-hour`
  writeFileSync(join(stand.home, 'tmux.conf'), 'set -g history-limit 20000\nset -g remain-on-exit on\n')
  await freshClone(clone)
  await terminal('start', { width: 80, env: {} }, 'npm start')
  // Its last line.
  await eventually(async () => (await screen('start')).includes('./bin/agent send'), 110_000, 200)
  const runtime = JSON.parse(readFileSync(join(stand.dataDir, 'runtime.json'), 'utf8')) as {
    services: { orchestrator: string; controller: string }
  }
  ;({ orchestrator, controller } = runtime.services)
}, 120_000)
afterAll(async () => {
  if (existsSync(join(stand.dataDir, 'runtime.json'))) await stand.svc(['down', '--agents'])
  await tmux('kill-server').catch(() => undefined)
  await stand.close()
})

const tmux = async (...words: string[]): Promise<string> =>
  (
    await run('tmux', ['-L', socket, '-f', join(stand.home, 'tmux.conf'), ...words], {
      env: { ...stand.env, TERM: 'xterm-256color' },
    })
  ).stdout

/** A zombie has ended. */
const hasEnded = (pid: string): boolean =>
  !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

interface Terminal {
  width: number
  env: Record<string, string>
}

/** Runs a line in the clone, in a new tmux session. */
async function terminal(title: string, { width, env }: Terminal, line: string): Promise<void> {
  const variables = Object.entries({ ...stand.env, npm_config_update_notifier: 'false', ...env })
  const given = variables.flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(width), '-y', '50']
  await tmux('new-session', '-d', '-s', title, ...size, '-c', clone, ...given, line)
}
const screen = (title: string, ...more: string[]) => tmux('capture-pane', '-p', '-S', '-', '-t', title, ...more)

const places = () =>
  [
    [clone, '/home/mia/svc'],
    [stand.home, '/home/mia'],
    [stand.muxSocket, 'svc'],
  ] as const

/** Compares with the expected screen, or updates it. */
function shows(title: string, name: string, text: string): string[] {
  const now = normalise(text, places())
  const before = readScreen(title, name)
  const lines = (from: string) => (name === 'stream' ? comparedLines(from).sort() : comparedLines(from))
  const isKept = before !== null && lines(`${now.trimEnd()}\n`).join('\n') === lines(before).join('\n')
  if (process.env.UPDATE && !isKept) writeScreen(title, name, now)
  return isKept || process.env.UPDATE ? [] : [`${title}/${name}.txt`, ...lines(now)]
}

const TERMINALS: Readonly<Record<string, Terminal & { piped?: true }>> = {
  '80-colour': { width: 80, env: {} },
  '140-colour': { width: 140, env: {} },
  '80-plain': { width: 80, env: { NO_COLOR: '1' } },
  '140-plain': { width: 140, env: { NO_COLOR: '1' } },
  piped: { width: 240, env: {}, piped: true },
}

const waiting = () => stand.get<Approval[]>(`${orchestrator}/approvals?status=pending`)
const builder = async () =>
  (await stand.get<AgentRecord[]>(`${orchestrator}/agents`)).find(({ name }) => name === 'builder')!

/** The terminal that shows a new daemon. */
const FIRST = Object.keys(TERMINALS)[0]
let isUsed = false

/** Runs all commands, each between two marker lines. */
function script(piped: boolean): string {
  const lines = HOUR.flatMap(({ name, line, ready }) => [
    ...(ready === undefined ? [] : [`until { ${ready}; } > /dev/null 2>&1; do :; done`]),
    `echo "=== ${name}"`,
    `cat <<'TYPED'\n$ ${line}\nTYPED`,
    `{ ${line}; }${piped ? ' 2>&1 | cat; (exit ${PIPESTATUS[0]})' : ''}`,
    'echo "=== ended with $?"',
  ])
  // Ctrl-C must end the command only, not this script.
  return ['trap : INT; stty -echoctl', ...lines, 'echo "=== over"'].join('\n')
}

/** Interrupts endless commands; returns the alternate screens, which leave nothing in the scrollback. */
async function typedThrough(title: string): Promise<Map<string, string>> {
  const left = new Map<string, string>()
  for (const { name, until } of HOUR.filter((each) => each.until)) {
    const own = await eventually(async () => {
      const isOwn = (await tmux('display-message', '-p', '-t', title, '#{alternate_on}')).trim() === '1'
      const text = isOwn ? await tmux('capture-pane', '-p', '-t', title) : partsOf(await screen(title)).get(name)
      return until!.test(text ?? '') && { isOwn, text: await tmux('capture-pane', '-p', '-e', '-t', title) }
    }, 150_000)
    if (own.isOwn) left.set(name, `${own.text.trimEnd()}\n`)
    await tmux('send-keys', '-t', title, 'C-c')
    await eventually(async () => /^=== ended/m.test(partsOf(await screen(title)).get(name) ?? ''), 20_000)
  }
  await eventually(async () => /^=== over$/m.test(await screen(title)), 150_000, 300)
  return left
}

/** Runs all commands in a new terminal while a tool request is pending; returns the alternate screens. */
async function typeAll(title: string, how: Terminal, piped = false): Promise<Map<string, string>> {
  // A new builder asks on its own.
  if (isUsed) {
    const { id } = await eventually(async () => {
      const now = await builder()
      return now.activity === 'idle' && now
    })
    await request('POST', `${orchestrator}/agents/${id}/message`, {
      content: 'USE_TOOL Bash echo hello from the builder',
    })
  }
  isUsed = true
  const { id } = await eventually(async () => (await waiting())[0])
  const { items: runs } = await stand.get<{ items: Run[] }>(`${controller}/runs?limit=200`)
  const file = join(stand.home, `${title}.sh`)
  writeFileSync(file, script(piped).replaceAll('ID', id.slice(0, 8)).replaceAll('RUN', runs.at(-1)!.id.slice(0, 8)))
  await terminal(title, how, `bash ${file}; sleep 600`)
  return typedThrough(title)
}

/** Output by command. */
function partsOf(text: string): Map<string, string> {
  const parts = text.split(/^(?:\u001b\[[0-9;]*m)*=== (?=[a-z-]+\s*$)/m).slice(1)
  return new Map(parts.map((part) => [part.split('\n')[0]!.trim(), part.split('\n').slice(1).join('\n')]))
}

test('prints created resources, addresses and next commands on npm start', async () => {
  const text = await screen('start')
  expect(shows('80-colour', 'start', await screen('start', '-e'))).toEqual([])
  expect(text).toMatch(/next, in another terminal\n {2}\.\/bin\/agent status\n/)
})

describe.each(Object.entries(TERMINALS))('terminal %s', (title, { piped = false, ...how }) => {
  test('runs every command with the expected exit code and screen', { timeout: 300_000 }, async () => {
    // The others show a daemon that has been used, also if they run alone.
    if (title !== FIRST && !isUsed) await typeAll('before', how)
    const left = await typeAll(title, how, piped)

    const [plain, joined, painted] = [await screen(title), await screen(title, '-J'), await screen(title, '-e')]
    // Piped output does not wrap.
    const unpainted = piped ? joined : plain
    const shown = partsOf(unpainted)
    const hasColour = !piped && !how.env.NO_COLOR
    const parts = partsOf(hasColour ? painted : unpainted)
    const changed = HOUR.flatMap(({ name }) => shows(title, name, (left.get(name) ?? '') + parts.get(name)!))
    const codes = HOUR.map(({ name }) => [name, Number(/^=== ended with (\d+)$/m.exec(shown.get(name) ?? '')?.[1])])
    expect(codes).toEqual(HOUR.map(({ name, code = 0 }) => [name, code]))
    expect(changed).toEqual([])
    // A joined line wider than the terminal was wrapped.
    const broken = joined.split('\n').filter((line) => line.trimEnd().length > how.width && !line.startsWith('$ '))
    if (!piped) expect(broken).toEqual([])
    expect(painted.includes(`${ESCAPE}[3`)).toBe(hasColour)
    await eventually(async () => (await builder()).activity === 'idle')
  })
})

test('shows running agents and how to end them on Ctrl-C', { timeout: 90_000 }, async () => {
  const pid = (await tmux('display-message', '-p', '-t', 'start', '#{pane_pid}')).trim()
  await tmux('send-keys', '-t', 'start', 'C-c')
  // tmux does not always report the exit.
  await eventually(() => hasEnded(pid), 60_000, 100)
  await eventually(async () => (await screen('start')).includes('The daemon has stopped'))
  const text = (await screen('start', '-e')).split(/\^C/)[1] ?? ''
  expect(text).toMatch(/The daemon has stopped; 3 agents keep running in tmux/)
  expect(shows('80-colour', 'stop', text.replace(/Pane is dead.*/, ''))).toEqual([])
  await run('tmux', ['-L', stand.muxSocket, 'kill-server'])
})
