// The event-loop delay stays below 50 ms. A busy machine adds delay: the idle delay is subtracted, and the best of
// several rounds counts, because blocking input blocks in every round.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LineCutter } from '../../../bridge/lines.ts'
import { printable } from '../../../bridge/pane.ts'
import { parseYaml } from '../../../controller/reading/yaml/parse.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { jsonExcess } from '../../../platform/json/json-bounds.ts'
import { written } from '../../../platform/terminal/tmux.ts'
import { counted } from '../../support/counts.ts'
import { eventually } from '../../support/eventually.ts'
import { growth } from '../../support/growth.ts'
import { request } from '../../support/http.ts'
import type { HandAgent } from '../../support/hand-agent.ts'
import { AttackedDaemon, sendAll } from '../frames/attacked-daemon.ts'
import { wholeMessages } from '../frames/hostile-frames.ts'
import { ansiStorm, hostileYaml } from './hostile-texts.ts'

const LONGEST_SECONDS = 0.05
const ROUNDS = 12
const IDLE_LOOKS = 20
const MIB = 1024 * 1024
const PATIENCE = { timeout: 600_000 }

let attacked: AttackedDaemon
let badId: string
let bad: HandAgent
beforeAll(async () => {
  attacked = await AttackedDaemon.start()
  badId = await attacked.createByHand('bad')
  bad = await attacked.connect(badId)
}, 60_000)
afterAll(() => attacked.close())

/** Longest delay since the last call, in seconds. */
async function longestDelay(): Promise<number> {
  const { controller, orchestrator } = attacked.stand
  for (const at of [controller, orchestrator]) {
    const { sum, rows } = await attacked.figure('nodejs_eventloop_lag_max_seconds', at)
    if (rows > 0) return sum
  }
  throw new Error('no service reports the event-loop delay')
}

/** Delay beyond the idle delay in seconds, the best of several rounds. */
async function bestDelay(attack: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let round = 0; round < ROUNDS && best >= LONGEST_SECONDS; round++) {
    await longestDelay()
    for (let turn = 0; turn < IDLE_LOOKS; turn++) await attacked.stand.get(`${attacked.stand.orchestrator}/health`)
    const idle = await longestDelay()
    await attack()
    best = Math.min(best, (await longestDelay()) - idle)
  }
  return best
}

async function blocking(attacks: Record<string, () => Promise<unknown>>): Promise<string[]> {
  const late: string[] = []
  for (const [what, attack] of Object.entries(attacks)) {
    const delay = await bestDelay(attack)
    if (delay >= LONGEST_SECONDS) late.push(`${what}: ${Math.round(delay * 1000)} ms`)
  }
  await attacked.assertWell()
  counted('loop: attempts to block it', Object.keys(attacks).length)
  return late
}

const post = (path: string, body: string) =>
  fetch(`${attacked.stand.controller}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

describe('event loop', () => {
  test('is not blocked by frames of any size and form', PATIENCE, async () => {
    const send = (wire: string | Buffer) => async () => {
      if (bad.socket.readyState !== 1) bad = await attacked.connect(badId)
      await sendAll(bad, [wire])
    }
    const attacks = Object.fromEntries(wholeMessages().map(({ what, wire }) => [what, send(wire)]))
    expect(await blocking(attacks)).toEqual([])
  })

  test('is not blocked by the inputs of tools', PATIENCE, async () => {
    const inputs = {
      command: { command: `git ${'a && '.repeat(12_000)}b` },
      quotes: { command: '\'"\\'.repeat(20_000) },
      spaces: { command: `${' '.repeat(60_000)}x` },
      path: { file_path: '../'.repeat(20_000) },
      url: { url: `http://${'a.'.repeat(30_000)}/` },
      members: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at])),
    }
    const tools = { command: 'Bash', quotes: 'Bash', spaces: 'Bash', path: 'Read', url: 'WebFetch', members: 'Other' }
    const ask = (what: keyof typeof inputs) => async () => {
      const id = bad.askTool(tools[what], inputs[what])
      await sendAll(bad, [JSON.stringify({ type: 'control_cancel_request', request_id: id })])
    }
    if (bad.socket.readyState !== 1) bad = await attacked.connect(badId)
    const kinds = Object.keys(inputs) as (keyof typeof inputs)[]
    expect(await blocking(Object.fromEntries(kinds.map((what) => [what, ask(what)])))).toEqual([])
  })

  test('is not blocked by deep, full or large bodies', PATIENCE, async () => {
    const content = `# ${'x'.repeat(100)}\n`.repeat(2000)
    const manifests = Array.from({ length: 100 }, (_, at) => ({ path: `agents/a${at}.yml`, content }))
    const bodies: Record<string, [path: string, body: string]> = {
      'deep lists': ['/plan', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
      'deep objects': ['/plan', '{"a":'.repeat(MIB / 8) + '1' + '}'.repeat(MIB / 8)],
      'many values': ['/plan', `[${'[],'.repeat(8 * MIB)}1]`],
      'many fields': [
        '/plan',
        JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))),
      ],
      'many entries': ['/plan', JSON.stringify({ root: '/', manifests: Array.from({ length: 24_000 }, () => ({})) })],
      'a long text': ['/plan', JSON.stringify({ source: '\n'.repeat(6 * MIB) })],
      'a long name': ['/plan', JSON.stringify({ ['\n'.repeat(6 * MIB)]: 1 })],
      'many manifests': ['/plan', JSON.stringify({ root: '/', manifests })],
    }
    const attacks = Object.entries(bodies).map(([what, [path, body]]) => [
      what,
      () => post(path, body).then((reply) => reply.text()),
    ])
    expect(await blocking(Object.fromEntries(attacks) as Record<string, () => Promise<unknown>>)).toEqual([])
  })

  test('is not blocked by hostile manifests', PATIENCE, async () => {
    const plan = (content: string) => () =>
      post('/plan', JSON.stringify({ root: '/', manifests: [{ path: 'agents/x.yml', content }] })).then((reply) =>
        reply.text(),
      )
    const attacks = Object.entries(hostileYaml(MIB - 1000)).map(([what, text]) => [what, plan(text)])
    expect(await blocking(Object.fromEntries(attacks) as Record<string, () => Promise<unknown>>)).toEqual([])
  })

  test('is not blocked by terminal output or last words of a program', PATIENCE, async () => {
    const { stand } = attacked
    writeFileSync(join(stand.home, 'storm'), ansiStorm(4 * MIB))
    const run = (program: string) => async () => {
      const { id } = await request<{ id: string }>('POST', `${stand.orchestrator}/agents`, {
        name: `storm-${randomUUID()}`,
        working_dir: stand.home,
        runtime: 'socket',
        restart: 'never',
        command: ['sh', '-c', program],
      })
      await eventually(async () => (await attacked.agent(id)).status !== 'running', 60_000)
      await stand.get(`${stand.orchestrator}/agents/${id}/logs?lines=5000`)
      await stand.ask('DELETE', `${stand.orchestrator}/agents/${id}`)
    }
    const spaces = 'for i in $(seq 3000); do printf "%190s" ""; done; echo x'
    const attacks = {
      storm: run('cat storm; exit 3'),
      spaces: run(`${spaces}; exit 3`),
      blank: run('yes "" | head -n 100000; exit 3'),
    }
    expect(await blocking(attacks)).toEqual([])
  })
})

test('refuses deep JSON', async () => {
  const reply = await post('/plan', '['.repeat(10_000) + ']'.repeat(10_000))
  expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([400, 'too-complex'])
})

describe('work of a scan', () => {
  /** Upper limit for four times the input: linear is 4, quadratic 16. */
  const MOST = 8
  const json = (text: string) => atOnce(jsonExcess(text))
  const cut = (text: string) => {
    const cutter = new LineCutter(
      () => undefined,
      () => undefined,
    )
    for (let from = 0; from < text.length; from += 512) cutter.take(Buffer.from(text.slice(from, from + 512)))
    cutter.end()
  }
  const texts: Record<string, [input: (size: number) => string, work: (text: string) => unknown]> = {
    'quotes of JSON': [(size) => '"'.repeat(size), json],
    'escaped quotes of JSON': [(size) => `"${'\\"'.repeat(size / 2)}`, json],
    'backslashes of JSON': [(size) => `"${'\\'.repeat(size)}"`, json],
    'unclosed strings of JSON': [(size) => '"\\"'.repeat(size / 3), json],
    'one line in many chunks': [(size) => 'x'.repeat(size), cut],
    'blank lines in many chunks': [(size) => '\n'.repeat(size), cut],
    'control characters of a terminal': [(size) => '\u001b[2J'.repeat(size / 4), printable],
    'spaces of a terminal': [(size) => `${' '.repeat(size)}x`, written],
    'blank lines of a terminal': [(size) => `${'\n '.repeat(size / 2)}x`, written],
    'dead panes of a terminal': [(size) => '\nPane is dead'.repeat(size / 13), written],
  }
  test.each(Object.entries(texts))('grows linearly for %s', PATIENCE, (_what, [input, work]) => {
    expect(growth(input, MIB / 4, work)).toBeLessThan(MOST)
    counted('loop: growth of scans', 1)
  })

  test.each(Object.keys(hostileYaml(64)))('grows linearly for YAML: %s', PATIENCE, (what) => {
    expect(growth((size) => hostileYaml(size)[what]!, 16 * 1024, parseYaml)).toBeLessThan(MOST)
    counted('loop: growth of scans', 1)
  })
})
