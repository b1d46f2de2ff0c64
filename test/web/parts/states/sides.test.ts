import { describe, expect, test } from 'vitest'
import { markOf } from '../../../../web/parts/states/sides.ts'
import { STATES } from '../../../../web/parts/states/states.ts'

const DRAWN = { filled: '■', hollow: '□', dashed: '┄' }

/** The mark as text, for example `■─■ □`. */
function drawn(desired: boolean, live: boolean | null): string {
  const { squares, joins } = markOf({ desired, live })
  const [first, second, third] = squares.map((square) => DRAWN[square])
  return `${first}${joins[0] ? '─' : ' '}${second}${joins[1] ? '─' : ' '}${third}`
}

describe('the three-side mark', () => {
  test('joins sides that are equal', () => {
    expect(drawn(true, true)).toBe('■─■─■')
    expect(drawn(true, false)).toBe('■─■ □')
    expect(drawn(false, true)).toBe('■ □─□')
    expect(drawn(true, null)).toBe('■─■ ┄')
    expect(drawn(false, false)).toBe('■ □ □')
    expect(drawn(false, null)).toBe('■ □ ┄')
  })

  test('names every difference', () => {
    expect(markOf({ desired: true, live: true }).words).toBe('desired, last applied and live are equal')
    expect(markOf({ desired: false, live: null }).words).toBe(
      'manifest changed, not applied yet; live state is unknown',
    )
    expect(markOf({ desired: false, live: false })).toMatchObject({
      tone: 'drift',
      words: 'manifest changed, not applied yet; live differs from last applied',
    })
  })
})

test('distinguishes states of the same shape by their word', () => {
  const looks = Object.values(STATES).map(({ shape, word }) => `${shape} ${word}`)
  expect(new Set(looks).size).toBe(looks.length)
})
