// Sources as people see them.
import type { Source } from '../../../schemas/source.ts'
import { typed } from '../../command-line.ts'
import { age } from '../../output/duration.ts'
import { paint, visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'

const modeOf = ({ orphaned, suspended, hold, sync }: Source): string =>
  orphaned ? 'orphaned' : suspended ? 'suspended' : hold ? 'held' : sync.mode

/** First characters of a revision, as of every id. */
const SHOWN = 8

/** What was tried since what was read last without a fault. */
const triedOf = ({ revision, attempted_revision: attempted }: Source): string | undefined =>
  attempted === null || attempted === revision ? undefined : attempted.slice(0, SHOWN)

/** Where a rollback holds a source, until when, and the way out; undefined where none does. */
export function holdLine({ name, hold }: Source): string | undefined {
  if (!hold) return undefined
  const { revision, against, run_id, actor, since } = hold
  const newer = against === null ? 'a revision comes' : `a revision other than ${against.slice(0, SHOWN)} comes`
  const held = `source ${visible(name)}: held at ${revision.slice(0, SHOWN)}`
  const by = `${visible(actor)} went back to run ${run_id.slice(0, 8)} ${age(since)} ago`
  return `${paint().yellow(held)}: ${by}; automatic sync leaves it there until ${newer}\n  follow it again now with: ${typed`svc resume ${name}`}`
}

export const holdLines = (sources: readonly Source[]): string[] => sources.flatMap((source) => holdLine(source) ?? [])

export const sourceTable = (sources: readonly Source[]): string =>
  renderTable(
    sources,
    [
      { title: 'SOURCE', value: (source) => source.name },
      { title: 'REVISION', value: (source) => source.revision?.slice(0, SHOWN) },
      ...(sources.some(triedOf) ? [{ title: 'TRIED', value: triedOf, colour: () => 'yellow' as const }] : []),
      { title: 'APPLIED', value: (source) => source.applied_revision?.slice(0, SHOWN) },
      {
        title: 'MODE',
        value: modeOf,
        colour: (source) => (source.suspended || source.orphaned || source.hold ? 'yellow' : undefined),
      },
      { title: 'DRIFT', value: (source) => source.sync.drift },
      { title: 'OWNS', value: (source) => String(source.owned) },
      { title: 'READ', value: (source) => (source.observed_at ? `${age(source.observed_at)} ago` : 'never') },
      { title: 'FROM', value: (source) => source.location, keep: 'end' },
    ],
    'No source.',
  )
