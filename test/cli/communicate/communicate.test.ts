import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Message } from '../../../schemas/communicate/message.ts'
import { communicateOperations } from '../../../schemas/operations/communicate.ts'
import { communicate } from '../../../cli/agent/communicate/index.ts'
import type { Result, RunOptions } from '../../support/command.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

vi.setConfig({ testTimeout: 60_000 })

let stand: DaemonStand
beforeAll(async () => {
  // `tester` is a participant of some rooms and a stranger in others.
  stand = await DaemonStand.create()
  await stand.startInside()
  await ran('create', 'engineering', '--topic', 'How the work is done')
})
afterAll(() => stand.close())

const run = (args: string[], options?: RunOptions): Promise<Result> => stand.agent(['communicate', ...args], options)

async function ran(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

const posted = async (...args: string[]): Promise<Message> => JSON.parse(await ran('post', ...args, '--json'))

test('has a command for every endpoint', () => {
  const calls = Object.values(communicateOperations.operations).filter(({ kind }) => kind !== 'socket')
  // `watch` is the socket, `wakes` of the orchestrator; every service has `health`.
  expect(
    communicate.map(({ name }) => name).filter((name) => !['watch', 'wakes', 'health'].includes(name)),
  ).toHaveLength(calls.length)
})

test('creates, finds, updates and deletes a room', async () => {
  expect(await ran('create', 'ops', '--room-type', 'broadcast')).toMatch(/^broadcast room ops \([0-9a-f-]{36}\)\n$/)
  expect(await ran('get', 'ops')).toMatch(/created_by:? +tester/)
  expect(await ran('update', 'ops', '--topic', 'What runs')).toContain('room ops')
  const rooms = await ran('rooms', '--room-type', 'broadcast')
  expect(rooms).toMatch(/NAME +TYPE +TOPIC/)
  expect(rooms).toMatch(/ops +broadcast +What runs +tester/)
  expect(await ran('delete', 'ops')).toBe('room ops deleted\n')
  expect(await run(['get', 'ops'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('room ops does not exist'),
  })
})

test('adds, changes, shows and removes participants', async () => {
  expect(await ran('add-participant', 'engineering', 'mira', '--kind', 'human', '--display-name', 'Mira M')).toBe(
    'Mira M (human) is member\n',
  )
  expect(await ran('set-role', 'engineering', 'mira', 'observer')).toBe('Mira M (human) is observer\n')
  expect(await ran('participant', 'engineering', 'mira')).toMatch(/role:? +observer/)
  expect(await ran('participants', 'engineering')).toMatch(/tester +human +admin[^]*Mira M +human +observer +mira/)
  expect(await ran('rooms-of', 'mira')).toMatch(/engineering +\d+ +group/)
  expect(await ran('remove-participant', 'engineering', 'mira')).toBe('mira is no longer in room engineering\n')
  expect(await ran('rooms-of', 'mira')).toBe('No rooms.\n')
  const wrong = await run(['set-role', 'engineering', 'tester', 'owner'])
  expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('Allowed choices are member')])
})

test('lists, reads, shows and retracts messages', async () => {
  await ran('add-participant', 'engineering', 'zoe', '--kind', 'human')
  expect(await ran('post', 'engineering', 'Hello \u001b[31mred')).toMatch(
    /^\d\d:\d\d:\d\d tester: Hello \\u001b\[31mred\n$/,
  )
  const second = await posted('engineering', 'Second', '--as', 'zoe')
  const third = await posted('engineering', 'Third', '--reply-to', second.id)
  expect(third).toMatchObject({ sender_id: 'tester', reply_to: second.id })
  expect(await ran('messages', 'engineering')).toMatch(/Hello.*\n.* zoe: Second\n.* tester: Third\n$/)
  expect(await ran('latest', 'engineering', '--count', '1')).toMatch(/^[\d:]+ tester: Third\n$/)
  expect(await ran('read', 'engineering', second.id)).toBe(`message ${second.id} is read\n`)
  expect(await ran('message', second.id)).toMatch(/status:? +read/)
  expect(await ran('delete-message', third.id)).toBe(`message ${third.id} retracted\n`)
  expect(await run(['message', third.id])).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
})

test('announces, lists and releases a lock', async () => {
  await ran('create', 'locked')
  await ran('post', 'locked', '[LOCK] relabelling')
  expect(await ran('locks', 'locked')).toMatch(/HOLDER +FOR[^]*tester +relabelling/)
  await ran('post', 'locked', '[UNLOCK]')
  expect(await ran('locks', 'locked')).toBe('No locks.\n')
})

test('explains a refusal and the next step', async () => {
  await ran('create', 'theirs', '--as', 'ben')
  const reading = await run(['messages', 'theirs'])
  expect([reading.code, reading.stderr]).toEqual([
    1,
    expect.stringMatching(/only participants can read room "theirs", and tester is not one/),
  ])
  const posting = await run(['post', 'theirs', 'Me too'])
  expect([posting.code, posting.stderr]).toEqual([
    1,
    expect.stringMatching(/tester is not in room "theirs".*ask an admin of the room to add it/),
  ])
  const managing = await run(['add-participant', 'theirs', 'tester', '--kind', 'human'])
  expect([managing.code, managing.stderr]).toEqual([1, expect.stringContaining('only an admin of room "theirs"')])
  const operator = await run(['messages', 'theirs'], { env: { SVC_ACTOR: 'operator' } })
  expect([operator.code, operator.stdout]).toEqual([0, 'No messages.\n'])
})

test('shows the health of the service', async () => {
  expect(await ran('health')).toMatch(/status:? +ok/)
})

/** Starts `watch` and waits for output; `stop` sends Ctrl-C. */
function watching(args: string[], env: Record<string, string> = {}) {
  let seen = ''
  let told = ''
  let stop: (value: unknown) => void = () => undefined
  const interrupt = new Promise((go) => (stop = go))
  const ended = run(['watch', ...args], {
    env,
    interrupt,
    until: (stdout) => ((seen = stdout), false),
    onStderr: (stderr) => (told = stderr),
  })
  return { text: () => seen, told: () => told, ended, stop: () => (stop(null), ended) }
}

test('shows latest and new messages once, until interrupted', async () => {
  await ran('create', 'live')
  for (const text of ['one', 'two', 'three']) await ran('post', 'live', text)
  const watch = watching(['live', '--count', '2'])
  await eventually(() => watch.text().includes('three'), 20_000)
  await ran('post', 'live', 'four')
  await ran('add-participant', 'live', 'mira', '--kind', 'human')
  await eventually(() => watch.text().includes('mira joins'), 20_000)
  const { code, stdout } = await watch.stop()
  expect(code).toBe(0)
  const said = stdout.split('\n').filter((line) => line !== '')
  expect(said.map((line) => line.replace(/^[\d:]+ /, ''))).toEqual([
    'tester: two',
    'tester: three',
    'tester: four',
    'mira joins',
  ])
})

test('prints one frame per line with --json', async () => {
  await ran('create', 'frames')
  await ran('post', 'frames', 'one')
  const watch = watching(['frames', '--json'])
  await eventually(() => watch.text().includes('"one"'), 20_000)
  await ran('post', 'frames', 'two')
  await eventually(() => watch.text().includes('"two"'), 20_000)
  const { stdout } = await watch.stop()
  const frames = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(frames.filter(({ type }) => type === 'message').map(({ message }) => message.content)).toEqual(['one', 'two'])
})

test('ends with the reason for a forbidden or unknown room', async () => {
  await ran('create', 'shut', '--as', 'ben')
  const shut = await run(['watch', 'shut'])
  expect([shut.code, shut.stderr]).toEqual([1, expect.stringContaining('only participants can read room')])
  const none = await run(['watch', 'nowhere'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('room nowhere does not exist')])
})
