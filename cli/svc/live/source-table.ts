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

const SHOWN = 8

/** Last attempted revision, if it could not be used. */
const triedOf = ({ revision, attempted_revision: attempted }: Source): string | undefined =>
  attempted === null || attempted === revision ? undefined : attempted.slice(0, SHOWN)

/** Describes a hold and how to end it. */
export function holdLine({ name, hold }: Source): string | undefined {
  if (!hold) return undefined
  const { revision, against, run_id, actor, since } = hold
  const newer = against === null ? 'a new revision arrives' : `a revision other than ${against.slice(0, SHOWN)} arrives`
  const held = `source ${visible(name)}: held at ${revision.slice(0, SHOWN)}`
  const by = `${visible(actor)} rolled back to run ${run_id.slice(0, 8)} ${age(since)} ago`
  return `${paint().yellow(held)}: ${by}; automatic sync is paused until ${newer}\n  follow it again with: ${typed`svc resume ${name}`}`
}

/** Describes a closed sync window and when it opens. */
function windowLine(source: Source): string | undefined {
  const { name, window } = source
  if (!window || !isClosed(source)) return undefined
  const opens =
    window.changes_at === null
      ? 'they do not open in the foreseeable future'
      : `they open ${untilText(window.changes_at)}, at ${window.changes_at}`
  const asked = window.manual ? '; manual applies are allowed' : ''
  return `${paint().yellow(`source ${visible(name)}: outside its sync windows`)}: ${opens}; changes are pending, drift is still reported${asked}`
}

const unwatchedLines = ({ name, conditions }: Source): string[] =>
  conditions
    .filter(({ type, status }) => status === (type === 'Watching' ? 'False' : 'True'))
    .map(({ type, message }) => {
      const what = type === 'Watching' ? 'not watched' : 'checkout has changes'
      return `${paint().yellow(`source ${visible(name)}: ${what}`)}: ${visible(message)}`
    })

/** Reasons why sources do not follow their newest revision at once. */
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
      { title: 'DRIFT', value: (source) => source.sync.drift, kind: 'extra' },
      { title: 'OWNS', value: (source) => String(source.owned) },
      {
        title: 'READ',
        value: (source) => (source.observed_at ? `${age(source.observed_at)} ago` : 'never'),
        kind: 'time',
      },
      { title: 'FROM', value: (source) => source.location, kind: 'path' },
    ],
    'No sources.',
  )
