import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/core/actor.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { ownerOf, refuseAbove } from '../../../platform/core/limits.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { RateLimit } from '../../../platform/core/rate-limit.ts'

const by = (actor: string, more: Partial<Actor> = {}): Actor => ({ actor, requestId: 'r', endpoint: 'TEST', ...more })

describe('the owner of a change', () => {
  const owner = { id: 'id-1', name: 'agent:builder' }

  test.each([
    ['an agent', by('agent:builder', { agent: 'id-1' }), owner, owner],
    ['an agent with a token of its own', by('ci', { agent: 'id-1' }), { id: 'id-1', name: 'ci' }, expect.anything()],
    ['an unknown agent', by('agent:unknown'), { id: 'agent:unknown', name: 'agent:unknown' }, expect.anything()],
    ['a person', by('mia'), null, { id: 'mia', name: 'mia' }],
    ['a token', by('ci', { role: 'operator' }), null, { id: 'ci', name: 'ci' }],
    ['the controller', by('controller'), null, null],
    ['the daemon itself', null, null, null],
  ])('is limited if it is %s, or only for everyone', (_who, actor, forAgents, forEveryone) => {
    expect(ownerOf(actor, { limitsFor: 'agents' })).toEqual(forAgents)
    expect(ownerOf(actor, { limitsFor: 'everyone' })).toEqual(forEveryone)
  })
})

describe('a limit', () => {
  const limit = { most: 2, what: 'rooms', variable: 'SVC_LIMIT_ROOMS', next: 'delete some' }

  test('names the caller, the limit, its setting and the next step', () => {
    expect(() => refuseAbove({ name: 'agent:a' }, limit, 2)).not.toThrow()
    expect(() => refuseAbove({ name: 'agent:a' }, limit, 3)).toThrow(
      expect.objectContaining({
        status: 429,
        code: 'limit-reached',
        retrySecs: 60,
        message:
          'agent:a has reached its limit of 2 rooms (SVC_LIMIT_ROOMS): delete some, or ask a person to raise the limit',
      }),
    )
  })
})

describe('a rate limit', () => {
  test('allows a burst of two seconds, then the rate, for each caller', () => {
    const clock = new TestClock()
    const rate = new RateLimit({ clock, perSec: 5, what: 'messages', variable: 'SVC_X' })
    const accepted = (caller: string) => {
      for (let count = 0; ; count++) {
        try {
          rate.count(caller, `agent:${caller}`)
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
          expect(error).toMatchObject({ status: 429, code: 'limit-reached', retrySecs: 1 })
          return count
        }
      }
    }
    expect(accepted('a')).toBe(10)
    expect(accepted('b')).toBe(10)
    clock.tick(1000)
    expect([accepted('a'), rate.refused]).toEqual([5, 3])
  })
})
