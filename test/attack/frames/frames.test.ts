import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REFUSAL_REASONS } from '../../../schemas/frames/refusal.ts'
import { chosen, ofPoints } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'
import type { HandAgent } from '../../support/hand-agent.ts'
import { AttackedDaemon, sendAll } from './attacked-daemon.ts'
import { frameTypes, hostile, wellFormed, wholeMessages, type Sent } from './hostile-frames.ts'

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

/** Sends messages, reconnecting when disconnected, and checks the daemon. */
async function attack(sent: readonly Sent[]): Promise<void> {
  if (bad.socket.readyState !== 1) bad = await attacked.connect(badId)
  await sendAll(
    bad,
    sent.map(({ wire }) => wire),
  )
  await attacked.assertWell().catch((error: Error) => {
    throw new Error(`after ${sent.map(({ what }) => what).join(', then ')}: ${error.message}`, { cause: error })
  })
}

const refusals = () => bad.received.filter((frame) => frame.type === 'frame_refused')

describe('a daemon', () => {
  test('keeps a good agent working after each malformed message', PATIENCE, async () => {
    const messages = wholeMessages()
    for (const message of messages) await attack([message])
    counted('frames: malformed messages', messages.length)
  })

  test.each(frameTypes)('keeps a good agent working after every hostile form of %s', PATIENCE, async (type) => {
    const forms = [...hostile(type)]
    expect(forms.length).toBeGreaterThan(10)
    const sent = chosen(forms)
    for (const message of sent) await attack([message])
    counted(`frames: hostile forms of one frame${ofPoints}`, sent.length)
  })

  test('keeps a good agent working after every sequence of two types', PATIENCE, async () => {
    const forms = new Map(frameTypes.map((type) => [type, [...hostile(type)]]))
    let asked = 0
    const next = (type: string) => forms.get(type)![asked++ % forms.get(type)!.length]!
    const pairs = frameTypes.flatMap((first) =>
      frameTypes.flatMap((second) => [
        [wellFormed(first), wellFormed(second)],
        [wellFormed(first), next(second)],
        [next(first), wellFormed(second)],
        [next(first), next(second)],
      ]),
    )
    const sent = chosen(pairs)
    for (const pair of sent) await attack(pair)
    counted(`frames: sequences of two${ofPoints}`, sent.length)
  })

  test('completes a turn that contains a hostile frame', PATIENCE, async () => {
    let count = 0
    for (const type of frameTypes) {
      const [form] = hostile(type)
      await attacked.stand.send(attacked.goodId, `amid ${type}`)
      await eventually(() => attacked.good.prompts().includes(`amid ${type}`))
      await sendAll(attacked.good, [form!.wire, wellFormed('assistant').wire])
      attacked.good.result({ result: 'done' })
      await eventually(async () => (await attacked.agent(attacked.goodId)).activity === 'idle')
      count++
    }
    counted('frames: hostile frames within a turn', count)
  })

  test('answers each refused frame by number and counts it by reason', PATIENCE, async () => {
    bad = await attacked.connect(badId)
    const before = (await attacked.figure('agent_frames_refused_total')).sum
    await sendAll(bad, ['{"type":"keep_alive"}', '{', '', '{"type":"result","errors":"text"}', '[]\n{"type":9}'])
    // The first frame was the answer to `initialize`.
    const answered = await eventually(() => refusals().length >= 4 && refusals())
    expect(answered.map(({ frame, reason, of }) => [frame, reason, of])).toEqual([
      [3, 'not-json', null],
      [4, 'wrong-shape', 'result'],
      [5, 'not-json', null],
      [6, 'wrong-shape', null],
    ])
    const { sum, labels } = await attacked.figure('agent_frames_refused_total')
    expect(sum - before).toBe(4)
    expect(labels.filter((label) => !(label in REFUSAL_REASONS))).toEqual([])
  })

  test('answers a refused request so that the program does not wait', PATIENCE, async () => {
    bad.send({
      type: 'control_request',
      request_id: 'odd',
      request: { subtype: 'can_use_tool', tool_name: 5, input: {} },
    })
    const [answer] = await eventually(() => bad.answers('odd').length > 0 && bad.answers('odd'))
    expect(answer!.response).toMatchObject({ subtype: 'error', error: 'request.tool_name must be string' })
  })

  test('ends the turn of a refused result as failed and continues', PATIENCE, async () => {
    const { body } = await attacked.stand.send(badId, 'to be refused')
    expect(body.status).toBe('sent')
    await eventually(() => bad.prompts().includes('to be refused'))
    bad.send({ type: 'result', errors: 'text' })
    await eventually(async () => (await attacked.agent(badId)).activity === 'idle')
    await attacked.turn(badId, bad, 'after the refusal')
  })

  test('disconnects an agent whose frame exceeds the limit or never ends', PATIENCE, async () => {
    bad = await attacked.connect(badId)
    bad.socket.send(`{"type":"result","result":"${'x'.repeat(20_000_000)}"}\n`, () => undefined)
    await eventually(() => bad.closeCode !== null)
    // The connection may end before the client sees the code.
    expect([1009, 1006]).toContain(bad.closeCode)
    await attacked.assertWell()
    bad = await attacked.connect(badId)
    bad.socket.send('{"type":"result","result":"and so on', { fin: false })
    await attacked.assertWell()
    bad.socket.send('x'.repeat(17_000_000), { fin: false }, () => undefined)
    await eventually(() => bad.closeCode !== null)
    await attacked.assertWell()
    bad = await attacked.connect(badId)
  })

  test('keeps a good agent working during an endless flood', PATIENCE, async () => {
    bad = await attacked.connect(badId)
    const flood = new AbortController()
    const garbage = 'no JSON\n{"type":\n'.repeat(5000)
    const pour = () => {
      if (!flood.signal.aborted && bad.socket.readyState === 1) bad.socket.send(garbage, () => setImmediate(pour))
    }
    pour()
    for (let turn = 0; turn < 5; turn++) await attacked.assertWell()
    flood.abort()
    bad.socket.terminate()
    await attacked.assertWell()
    bad = await attacked.connect(badId)
  })

  test('disconnects an agent that does not read its answers', PATIENCE, async () => {
    bad = await attacked.connect(badId)
    bad.socket.pause()
    for (let message = 0; message < 8; message++) bad.socket.send('{\n'.repeat(20_000), () => undefined)
    await eventually(async () => !(await attacked.agent(badId)).connected, 60_000)
    bad.socket.terminate()
    await attacked.assertWell()
    bad = await attacked.connect(badId)
  })

  test('reports refused frames once per reason to users', PATIENCE, async () => {
    expect((await attacked.agent(badId)).last_error).toMatch(/^a frame of the agent.* was refused: /)
    const lines = attacked.logged('a frame of the agent was refused').filter(({ agent_id }) => agent_id === badId)
    expect(lines.length).toBeGreaterThan(1)
    expect(new Set(lines.map(({ reason }) => reason)).size).toBe(lines.length)
    expect((await attacked.figure('unexpected_errors_total', attacked.stand.controller)).sum).toBe(0)
  })
})

const PROGRAM = `
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
const say = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line)
  if (frame.type === 'control_request')
    say({ type: 'control_response', response: { subtype: 'success', request_id: frame.request_id,
      response: { agent_version: '1', current_permission_mode: 'default', session_state: 'idle' } } })
  if (frame.type === 'user')
    say({ type: 'result', subtype: 'success', is_error: false, result: 'well', num_turns: 1, uuid: crypto.randomUUID() })
})
setInterval(() => {
  if (!existsSync('say')) return
  process.stdout.write(readFileSync('say', 'utf8') + '\\n')
  rmSync('say')
}, 20)
`

describe('a restarted daemon', () => {
  test.each([
    ['with a field of the wrong type', '{"type":"result","errors":"text","uuid":"repeated-1"}'],
    [
      'that is nested too deeply',
      `{"type":"result","uuid":"repeated-2","a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ],
    [
      'that requests a tool',
      '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":7}}',
    ],
  ])('refuses a frame %s once, and its bridge does not repeat it', PATIENCE, async (_what, frame) => {
    const other = await AttackedDaemon.start()
    const { stand } = other
    try {
      writeFileSync(join(stand.home, 'program.mjs'), PROGRAM)
      const { id } = await request<{ id: string }>('POST', `${stand.orchestrator}/agents`, {
        name: 'behind-a-bridge',
        working_dir: stand.home,
        runtime: 'command',
        command: [process.execPath, 'program.mjs'],
      })
      const connected = () => eventually(async () => (await other.agent(id)).connected, 30_000)
      const refused = async () => (await other.figure('agent_frames_refused_total')).sum
      await connected()
      await stand.stopBy('SIGKILL')
      writeFileSync(join(stand.home, 'say'), frame)
      await eventually(() => !existsSync(join(stand.home, 'say')))

      await stand.start()
      await connected()
      await eventually(async () => (await refused()) === 1)
      await eventually(async () => (await other.agent(id)).last_error?.includes('was refused'))
      await stand.stopBy('SIGKILL')
      await stand.start()
      await connected()
      await stand.send(id, 'how are you?')
      await eventually(async () => (await other.agent(id)).activity === 'idle')
      expect(await refused()).toBe(0)
      counted('frames: repeats after a restart', 1)
    } finally {
      await other.close()
    }
  })
})
