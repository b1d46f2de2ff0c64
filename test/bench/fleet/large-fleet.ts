// A real daemon over thousands of manifests, and what is measured of it from outside.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { writeFleet } from './fleet.ts'
import { timed, within } from '../report.ts'

const PATIENCE_MS = 600_000

export interface Fleet {
  daemon: DaemonStand
  count: number
  pid: number
}

export async function figure(service: string, name: string): Promise<number> {
  const text = await (await fetch(`${service}/metrics`)).text()
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
  return values.reduce((sum, [, value]) => sum + Number(value), 0)
}

/** Everything that could be done at once is done. */
export async function quiet({ controller }: DaemonStand): Promise<void> {
  await eventually(async () => (await figure(controller, 'controller_workqueue_depth')) === 0, PATIENCE_MS, 20)
}

/** A fleet whose every resource is Ready, and that has nothing left to do. `program`: what else than `svc serve` runs it. */
export async function fleet(count: number, program?: string[]): Promise<Fleet> {
  const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  writeFleet(daemon.manifests, count)
  writeFileSync(join(daemon.manifests, 'policies', 'readme.md'), 'No manifest.\n')
  const { pid } = await daemon.start(program && [...program, '--manifests', daemon.manifests])
  const ready = `${daemon.controller}/resources?status=Ready&limit=1`
  await eventually(async () => (await daemon.get(ready)).total === count + 3, PATIENCE_MS, 500)
  await quiet(daemon)
  const made = { daemon, count, pid: pid! }
  await settled(made)
  return made
}

/** Passes until one finds nothing that it has to look at: those after so many were made have all of it to confirm. */
async function settled(of: Fleet): Promise<void> {
  const calls = () => figure(of.daemon.controller, 'controller_reconciler_calls_total')
  for (let before = -1, now = await calls(); now !== before;) {
    before = now
    await passAfter(of, () => note(of))
    await quiet(of.daemon)
    now = await calls()
  }
}

/** Saves a file that is no manifest, so that a pass finds nothing new. */
export const note = ({ daemon }: Fleet) =>
  appendFileSync(join(daemon.manifests, 'policies', 'readme.md'), 'Still none.\n')

/** Makes `move` and returns the length of the pass that follows; in milliseconds. */
export async function passAfter({ daemon: { controller } }: Fleet, move: () => void): Promise<number> {
  const before = await figure(controller, 'controller_passes_total')
  move()
  await eventually(async () => (await figure(controller, 'controller_passes_total')) > before, PATIENCE_MS, 20)
  return (await figure(controller, 'controller_last_pass_seconds')) * 1000
}

/** Since it was asked for before, as the daemon itself measures it; in milliseconds. */
export async function longestBlock({ daemon }: Fleet): Promise<number> {
  return (await figure(daemon.orchestrator, 'nodejs_eventloop_lag_max_seconds')) * 1000
}

/**
 * So long nothing is asked of the daemon before its memory is looked at, in milliseconds: V8 gives back what it needs no
 * longer within half a minute in which little happens.
 */
export const REST_MS = 60_000

/** MiB of the daemon's process. */
export function resident({ pid }: Fleet): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

export async function holds(of: Fleet, limitMiB: number): Promise<void> {
  const busy = resident(of)
  await sleep(REST_MS)
  console.log(`resident memory at the end of the work: ${busy.toFixed(0)} MiB`)
  within(`resident memory at rest with ${of.count} in the inventory and 3 agents`, resident(of), limitMiB, 'MiB')
}

export const workflowsOf = async ({ daemon }: Fleet): Promise<Map<string, WorkflowRecord>> =>
  new Map((await daemon.get<WorkflowRecord[]>(`${daemon.orchestrator}/workflows`)).map((each) => [each.name, each]))

/** Between two looks at a row: one after the other would take a core from what is measured. */
const POLL_MS = 2

/** Milliseconds from the answer to a change until `isSo` of the row. */
export async function untilRow({ daemon }: Fleet, id: string, isSo: (row: WorkflowRecord) => boolean): Promise<number> {
  const url = `${daemon.orchestrator}/workflows/${id}`
  return timed(() => eventually(async () => isSo(await daemon.get<WorkflowRecord>(url)), 60_000, POLL_MS))
}
