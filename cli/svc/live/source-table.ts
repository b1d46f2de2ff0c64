// Sources as people see them.
import type { Source } from '../../../schemas/source.ts'
import { age } from '../../output/duration.ts'
import { renderTable } from '../../output/table.ts'

const modeOf = ({ orphaned, suspended, sync }: Source): string =>
  orphaned ? 'orphaned' : suspended ? 'suspended' : sync.mode

const SHOWN = 12

/** What was read last without a fault, and what was tried since. */
const revisions = ({ revision, attempted_revision: attempted }: Source): string | undefined => {
  const read = revision?.slice(0, SHOWN)
  return attempted === null || attempted === revision ? read : `${read ?? 'none'}, tried ${attempted.slice(0, SHOWN)}`
}

export const sourceTable = (sources: readonly Source[]): string =>
  renderTable(
    sources,
    [
      { title: 'SOURCE', value: (source) => source.name },
      { title: 'REVISION', value: revisions },
      { title: 'APPLIED', value: (source) => source.applied_revision?.slice(0, SHOWN) },
      {
        title: 'MODE',
        value: modeOf,
        colour: (source) => (source.suspended || source.orphaned ? 'yellow' : undefined),
      },
      { title: 'DRIFT', value: (source) => source.sync.drift },
      { title: 'OWNS', value: (source) => String(source.owned) },
      { title: 'READ', value: (source) => (source.observed_at ? `${age(source.observed_at)} ago` : 'never') },
      { title: 'FROM', value: (source) => source.location, keep: 'end' },
    ],
    'No source.',
  )
