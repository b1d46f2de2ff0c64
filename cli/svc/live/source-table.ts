// Sources as people see them.
import type { Source } from '../../../schemas/source.ts'
import { typed } from '../../command-line.ts'
import { age, untilText } from '../../output/duration.ts'
import { paint, visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'

const isClosed = ({ window }: Source): boolean => window !== null && !window.open

const modeOf = (source: Source): string => {
  const { orphaned, suspended, hold, sync } = source
  return orphaned ? 'orphaned' : suspended ? 'suspended' : isClosed(source) ? 'closed' : hold ? 'held' : sync.mode
}

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

/** When a source is written again that is outside of its sync windows; undefined where it is not. */
function windowLine(source: Source): string | undefined {
  const { name, window } = source
  if (!window || !isClosed(source)) return undefined
  const opens =
    window.changes_at === null
      ? 'they open at no foreseeable time'
      : `they open ${untilText(window.changes_at)}, at ${window.changes_at}`
  const asked = window.manual ? '; who asks may apply it before' : ''
  return `${paint().yellow(`source ${visible(name)}: outside of its sync windows`)}: ${opens}; what changes waits, drift is still reported${asked}`
}

const unwatchedLines = ({ name, conditions }: Source): string[] =>
  conditions
    .filter(({ status }) => status === 'False')
    .map(({ message }) => `${paint().yellow(`source ${visible(name)}: not watched`)}: ${message}`)

/** Why sources do not follow the newest revision, or follow it late. */
export const holdLines = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) =>
    [holdLine(source), windowLine(source), ...unwatchedLines(source)].filter((line) => line !== undefined),
  )

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
        colour: (source) =>
          source.suspended || source.orphaned || source.hold || isClosed(source) ? 'yellow' : undefined,
      },
      { title: 'DRIFT', value: (source) => source.sync.drift },
      { title: 'OWNS', value: (source) => String(source.owned) },
      { title: 'READ', value: (source) => (source.observed_at ? `${age(source.observed_at)} ago` : 'never') },
      { title: 'FROM', value: (source) => source.location, keep: 'end' },
    ],
    'No source.',
  )
