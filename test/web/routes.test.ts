// Every screen is a value in one list, and has the same files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GROUPS, rootOf, SCREENS } from '../../web/routes.ts'
import * as topics from '../../web/live/topics.ts'
import { root } from '../support/root.ts'

const known = ['inboxTopic', 'stateTopic', 'driftTopic', 'agentsTopic', 'runsTopic', 'workflowsTopic'] as const
const names = known.map((topic) => topics[topic]({} as never).name)

describe.each(SCREENS.map((screen) => ({ ...screen, name: rootOf(screen).slice(1) })))('the screen $name', (screen) => {
  test('has a screen, rows, keys and a test of its rows', () => {
    const folder = `web/screens/${screen.name}`
    const files = [
      ...['screen.tsx', 'rows.ts', 'keys.ts'].map((file) => `${folder}/${file}`),
      `test/${folder}/rows.test.ts`,
    ]
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('loads a component', async () => {
    expect((await screen.load()).default).toBeTypeOf('function')
  })

  test('says what would be here when it is empty', () => {
    expect(screen.empty.what).toMatch(/\.$/)
    expect(GROUPS).toContain(screen.group)
  })

  test('follows known topics', () => {
    expect(screen.topics.filter((topic) => !names.includes(topic))).toEqual([])
  })
})

test('gives every screen its own address and key', () => {
  const roots = SCREENS.map(rootOf)
  const keys = SCREENS.map(({ key }) => key)
  expect([new Set(roots).size, new Set(keys).size]).toEqual([SCREENS.length, SCREENS.length])
})
