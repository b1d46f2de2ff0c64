import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ScriptedAgent } from '../../bridge/scripted/index.ts'
import { realTimers } from '../../bridge/timers.ts'
import { eventually } from '../support/eventually.ts'
import type { Frame } from './agent-server.ts'

/** Field paths common to CLI 2.1.120 and 2.1.329 with their types; `any` where these differ. */
const recorded = JSON.parse(readFileSync(new URL('fixtures/recorded-members.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>

/** Fields of the vendor's account and features, which we do not read. */
const VENDOR =
  /(^|\.)(account\..*|fast_mode_state|memory_paths.*|analytics_disabled|agents|skills|plugins|claude_code_version|context_management|cache_creation(\..*)?|inference_geo|iterations|speed)$/

const spoken = new Map<string, Frame>()

beforeAll(async () => {
  const frames: Frame[] = []
  const agent = new ScriptedAgent({
    launch: { directory: '/', model: null, resume_session: null },
    env: {},
    timers: realTimers,
    onLine: (line) => frames.push(JSON.parse(line) as Frame),
  })
  const tell = (frame: Frame) => agent.write(JSON.stringify(frame))
  const control = (request: Frame) => tell({ type: 'control_request', request_id: `c${frames.length}`, request })
  const prompt = (content: string) => tell({ type: 'user', message: { role: 'user', content } })
  const results = (count: number) =>
    eventually(() => frames.filter((frame) => frame['type'] === 'result').length === count)
  const question = (count: number) =>
    eventually(() => frames.filter((frame) => frame['request']?.subtype === 'can_use_tool')[count - 1])
  const answer = async (count: number, response: Frame) =>
    tell({
      type: 'control_response',
      response: { subtype: 'success', request_id: (await question(count))['request_id'], response },
    })
  control({ subtype: 'initialize' })
  prompt('USE_TOOL')
  await answer(1, { behavior: 'deny', message: 'no' })
  await results(1)
  prompt('USE_TOOL')
  await answer(2, { behavior: 'allow', updatedInput: { command: 'true' } })
  await results(2)
  prompt('USE_TOOL')
  await question(3)
  control({ subtype: 'interrupt' })
  await results(3)
  control({ subtype: 'set_permission_mode', mode: 'plan' })
  control({ subtype: 'set_model', model: 'other' })
  prompt('FAIL')
  await results(4)
  prompt('/clear')
  await results(5)
  control({ subtype: 'end_session' })
  expect(await agent.ended).toBe(0)
  for (const frame of frames) spoken.set(kindOf(frame), frame)
})

function kindOf(frame: Frame): string {
  switch (frame['type']) {
    case 'system':
      return `system/${frame['subtype']}`
    case 'assistant':
      return `assistant/${frame['message'].content[0].type}`
    case 'control_request':
      return `control_request/${frame['request'].subtype}`
    case 'control_response':
      return `control_response/${answerKind(frame['response'].response)}`
    case 'result':
      return `result/${frame['subtype']}${frame['subtype'] === 'success' && frame['is_error'] ? '/failed' : ''}`
    case 'user': {
      if (frame['isReplay']) return 'user/replay'
      const [block] = frame['message'].content
      return `user/${block.type}${block.is_error ? '/error' : ''}`
    }
    default:
      return String(frame['type'])
  }
}

function answerKind(response: Frame | undefined): string {
  if (!response) return 'empty'
  const known: [string, string][] = [
    ['commands', 'initialize'],
    ['mode', 'set_permission_mode'],
    ['still_queued', 'interrupt'],
  ]
  return known.find(([member]) => member in response)?.[1] ?? 'other'
}

function typeAt(frame: Frame, path: string): string {
  let value: unknown = frame
  for (const part of path.split(/\.|(?=\[\])/))
    value = part === '[]' ? (value as unknown[])?.[0] : (value as Frame | undefined)?.[part]
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

test.each(Object.keys(recorded))('sends %s with the fields of the real agent', (kind) => {
  const frame = spoken.get(kind)
  expect(frame, `the scripted agent sent no ${kind}`).toBeDefined()
  const wanted = Object.entries(recorded[kind]!).filter(([path]) => !VENDOR.test(path))
  const seen = wanted.map(([path, type]) => [
    path,
    type === 'any' && typeAt(frame!, path) !== 'undefined' ? 'any' : typeAt(frame!, path),
  ])
  expect(seen).toEqual(wanted)
})

test('sends no result text for an interrupted turn', () => {
  expect(spoken.get('result/error_during_execution')).not.toHaveProperty('result')
})
