import { describe, expect, test } from 'vitest'
import { expectDocumentedTimes } from '../../schemas/workflow/clock-changes.ts'
import { clockChanges } from '../../schemas/workflow/clock-oracle.ts'
import { chosen, ofPoints } from '../campaign.ts'

const changes = clockChanges(Date.UTC(2025, 0, 1), Date.UTC(2027, 0, 1))

describe('cron expressions and sync windows at the clock changes of all time zones in two years', () => {
  test('finds changes of an hour, of half an hour, and before midnight', () => {
    const titles = changes.map(({ title }) => title)
    expect(titles).toContainEqual(expect.stringContaining('by 60 minutes from 0 '))
    expect(titles).toContainEqual(expect.stringContaining('by -30 minutes from 660 '))
    expect(titles).toContainEqual(expect.stringContaining('T01:00:00.000Z by 60 minutes from -120 '))
  })

  test.each(chosen(changes))(`fires as documented: $title${ofPoints}`, ({ zone, at }) => {
    expectDocumentedTimes(zone, at)
  })
})
