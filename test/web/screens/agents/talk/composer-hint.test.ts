import { expect, test } from 'vitest'
import { composerHint, mayTalk } from '../../../../../web/screens/agents/talk/composer-hint.ts'

type Agent = Parameters<typeof composerHint>[0]

const agent = (more: object) =>
  ({
    name: 'api',
    status: 'running',
    activity: 'idle',
    connected: true,
    config: { interactive: false },
    ...more,
  }) as Agent
const mia = { subject: 'mia', role: 'operator', agent: null } as const
const hint = (more: object, queued: number | null = null) => composerHint(agent(more), mia, { isLost: false, queued })

test('says when a message is taken', () => {
  expect(hint({})).toEqual({ text: 'Message to api: taken at once', canSend: true })
  expect(hint({ activity: 'busy' }).text).toBe('Message to api: taken after its present turn')
  expect(hint({ activity: 'busy' }, 0).text).toBe('Message to api: taken after its present turn')
  expect(hint({ activity: 'busy' }, 1).text).toContain('after its present turn and 1 queued prompt')
})

test('says why no message is taken', () => {
  const hints = [{ config: { interactive: true } }, { status: 'failed' }, { connected: false }].map((more) =>
    hint(more),
  )
  expect(hints.map(({ canSend }) => canSend)).toEqual([false, false, false])
  expect(hints.map(({ text }) => text)).toEqual([
    'api is interactive: attach to its terminal',
    'api is failed and takes no messages',
    'api is not connected and takes no messages',
  ])
})

test('sends nothing without a connection, for a viewer, and for an agent', () => {
  const lost = composerHint(agent({}), mia, { isLost: true, queued: 0 })
  expect(lost).toEqual({ text: 'Not connected: a message can be written, and sent later', canSend: false })
  const viewer = composerHint(agent({}), { ...mia, role: 'viewer' }, { isLost: false, queued: 0 })
  expect(viewer).toEqual({ text: 'You are mia: sending takes the role operator', canSend: false })
  expect(mayTalk({ role: null, agent: { id: 'a1', name: 'api' } as never })).toBe(false)
  expect(mayTalk({ role: 'admin', agent: null })).toBe(true)
})
