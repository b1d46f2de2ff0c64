import { describe, expect, test } from 'vitest'
import { ageText, remainingText, remainingWords, shareLeft } from '../../../../web/parts/time/durations.ts'
import { dateText, dayText } from '../../../../web/parts/time/dates.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('an age', () => {
  test('has its largest unit', () => {
    const ages = [0, 200, 950, SECOND, 41_900, 60 * SECOND, 22 * 60 * SECOND, 6 * HOUR, 23.9 * HOUR, 80 * HOUR]
    expect(ages.map(ageText)).toEqual(['0 s', '0.2 s', '0.9 s', '1 s', '41 s', '1 m', '22 m', '6 h', '23 h', '3 d'])
  })

  test('of a future time is 0', () => {
    expect(ageText(-5000)).toBe('0 s')
  })
})

describe('the time left', () => {
  test('is 0:00 only when it is over', () => {
    expect([161_000, 680_000, 3_723_000, 1, 0, -5].map(remainingText)).toEqual([
      '2:41',
      '11:20',
      '1:02:03',
      '0:01',
      '0:00',
      '0:00',
    ])
  })

  test('has words with its two largest units', () => {
    expect([161_000, 60_000, 3_723_000, 0].map(remainingWords)).toEqual([
      '2 minutes 41 seconds',
      '1 minute',
      '1 hour 2 minutes',
      '0 seconds',
    ])
  })

  test('has a share between 0 and 1', () => {
    expect([0, 25, 100, 150, -10].map((now) => shareLeft(0, 100, now))).toEqual([1, 0.75, 0, 0, 1])
    expect(shareLeft(100, 100, 100)).toBe(0)
  })
})

describe('a date', () => {
  const at = (text: string) => new Date(`${text}:00`).getTime()
  const now = at('2026-11-27T14:30')

  test('shortens with its distance', () => {
    expect(
      ['2026-11-27T14:11', '2026-11-23T16:02', '2026-11-12T10:00', '2025-11-12T10:00']
        .map(at)
        .map((time) => dateText(time, now)),
    ).toEqual(['14:11', 'Mon 16:02', '12 Nov', '12 Nov 2025'])
  })

  test('names days by the local calendar', () => {
    expect(
      ['2026-11-27T00:01', '2026-11-26T23:59', '2026-11-23T16:02', '2026-11-20T14:30']
        .map(at)
        .map((time) => dayText(time, now)),
    ).toEqual(['Today', 'Yesterday', 'Monday', '20 Nov'])
  })
})
