import { typed } from '../command-line.ts'
import type { FiringTrigger } from '../lookup.ts'
import { age, untilText } from './duration.ts'
import { renderTable } from './table.ts'

const MOST_SHOWN = 20

/** Empty if there are none; long lists are cut. */
export function triggersTable(triggers: readonly FiringTrigger[]): string {
  if (triggers.length === 0) return ''
  const table = renderTable(
    triggers.slice(0, MOST_SHOWN),
    [
      { title: 'TRIGGER OF', value: ({ workflow }) => workflow },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'NEXT', value: ({ next_fire_at }) => (next_fire_at === null ? '-' : untilText(next_fire_at)) },
      {
        title: 'LAST',
        value: ({ last_fired_at }) => (last_fired_at === null ? 'never' : `${age(last_fired_at)} ago`),
        kind: 'time',
      },
      { title: 'ERROR', value: ({ last_error }) => last_error, colour: () => 'red', kind: 'text' },
    ],
    '',
  )
  const more = triggers.length - MOST_SHOWN
  return table.trimEnd() + (more > 0 ? `\n… and ${more} more: ${typed`agent orchestrator list-workflows`}` : '')
}
