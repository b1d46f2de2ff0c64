import type { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { copyManifests, type Outcome, type Report } from './report.ts'

const NIGHT = '2026-10-25'
const FLOWS = ['one', 'two', 'range', 'half']
/** Local time 01:00, which comes again an hour later. */
const ONCE = ['00:00']

/** Replaces the clock of the daemon by one that runs ahead or behind. */
function clockAt(time: string): string {
  const offset = Date.parse(time) - Date.now()
  const code = `const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [Real.now() + ${offset}] : given)) }
  static now() { return Real.now() + ${offset} }
  static [Symbol.hasInstance](value) { return value instanceof Real }
}`
  return `--import data:text/javascript,${encodeURIComponent(code)}`
}

export const clockReport: Report = {
  number: '04',
  name: 'cron-repeated-hour',
  wanted: 'each local time of the repeated hour fires once, also after a restart',
  async run(inputs) {
    const stand = await DaemonStand.create()
    try {
      copyManifests(inputs, stand.manifests)
      await firesUntil(stand, { from: `${NIGHT}T00:00:00Z`, startedAt: '2026-10-24T23:59:40Z' })
      await stand.stopBy('SIGTERM')
      await firesUntil(stand, { from: `${NIGHT}T01:00:00Z`, startedAt: `${NIGHT}T00:59:40Z` })
      const fired = await Promise.all(FLOWS.map(async (name) => [name, await firesOf(stand, name)] as const))
      return outcomeOf(Object.fromEntries(fired))
    } finally {
      await stand.close()
    }
  },
}

/** Starts the daemon shortly before a time, and waits until that time is no longer the next one of a workflow. */
async function firesUntil(stand: DaemonStand, { from, startedAt }: { from: string; startedAt: string }): Promise<void> {
  stand.env.NODE_OPTIONS = clockAt(startedAt)
  await stand.start()
  await eventually(async () => {
    const flows = await stand.get<WorkflowRecord[]>(`${stand.orchestrator}/workflows`)
    const next = flows.map(({ next_fire_at }) => next_fire_at)
    return flows.length === FLOWS.length && next.every((at) => at !== null && Date.parse(at) > Date.parse(from))
  })
}

/** Times of day at which a workflow fired that night. */
async function firesOf(stand: DaemonStand, name: string): Promise<string[]> {
  const { stdout } = await stand.agent(['orchestrator', 'workflow-history', name, '--json'])
  return (JSON.parse(stdout) as DispatchRecord[])
    .map(({ source_id }) => /T(\d\d:\d\d)/.exec(source_id)?.[1] ?? source_id)
    .toSorted()
}

function outcomeOf(fired: Record<string, string[]>): Outcome {
  const ok = FLOWS.every((name) => JSON.stringify(fired[name]) === JSON.stringify(ONCE))
  return { ok, came: FLOWS.map((name) => `${name} at ${fired[name]!.join(' and ') || 'no time'}`).join(', ') }
}
