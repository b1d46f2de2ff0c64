// A real daemon with thousands of manifests.
import { appendFileSync, writeFileSync } from 'node:fs'
import { EventEmitter, on } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { writeFleet } from './fleet.ts'
import { memoryOf, processTree } from '../memory.ts'
import { print, timed, within } from '../report.ts'

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

export async function quiet({ controller }: DaemonStand): Promise<void> {
  await eventually(async () => (await figure(controller, 'controller_workqueue_depth')) === 0, PATIENCE_MS, 20)
}

/** Waits until the fleet is Ready and idle. `program` replaces `svc serve`. */
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

/** The first passes confirm new resources; waits for one without calls. */
async function settled(of: Fleet): Promise<void> {
  const calls = () => figure(of.daemon.controller, 'controller_reconciler_calls_total')
  for (let before = -1, now = await calls(); now !== before;) {
    before = now
    await passAfter(of, () => note(of))
    await quiet(of.daemon)
    now = await calls()
  }
}

/** Starts a pass without changes: the file is not a manifest. */
export const note = ({ daemon }: Fleet) =>
  appendFileSync(join(daemon.manifests, 'policies', 'readme.md'), 'Still none.\n')

/** Returns the duration of the next pass in milliseconds. */
export async function passAfter({ daemon: { controller } }: Fleet, move: () => void): Promise<number> {
  const before = await figure(controller, 'controller_passes_total')
  move()
  await eventually(async () => (await figure(controller, 'controller_passes_total')) > before, PATIENCE_MS, 20)
  return (await figure(controller, 'controller_last_pass_seconds')) * 1000
}

/** Longest block since the previous call, in milliseconds. */
export async function longestBlock({ daemon }: Fleet): Promise<number> {
  return (await figure(daemon.orchestrator, 'nodejs_eventloop_lag_max_seconds')) * 1000
}

/** Idle milliseconds after which V8 has released unused memory. */
export const REST_MS = 60_000

/** Resident memory in MiB, without agents, which are children of tmux. */
export const resident = ({ pid }: Fleet): number => memoryOf(processTree(pid))

/** Prints the memory after the work and checks the idle memory. */
export async function remembers(of: Fleet, limitMiB: number): Promise<void> {
  print(`resident memory, ${of.count} manifests, after the work`, resident(of), 'MiB')
  await sleep(REST_MS)
  within(`resident memory, ${of.count} manifests and 3 agents, idle`, resident(of), limitMiB, 'MiB')
}

export async function eventsOf<Event>({ controller }: { controller: string }, type: string) {
  const stop = new AbortController()
  const events = new EventEmitter<{ event: [Event] }>()
  const { body } = await fetch(`${controller}/events`, { signal: stop.signal })
  const read = async () => {
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n')
      text = lines.pop()!
      for (const line of lines.filter((each) => each.startsWith(`data: {"type":"${type}"`)))
        events.emit('event', JSON.parse(line.slice('data: '.length)) as Event)
    }
  }
  void read().catch(() => undefined)
  return {
    /** Rejects after 30 s without a matching event. */
    next: async (matches: (event: Event) => boolean): Promise<void> => {
      const deadline = AbortSignal.timeout(30_000)
      for await (const [event] of on(events, 'event', { signal: deadline })) if (matches(event as Event)) return
    },
    close: () => stop.abort(),
  }
}

export const workflowsOf = async ({ daemon }: Fleet): Promise<Map<string, WorkflowRecord>> =>
  new Map((await daemon.get<WorkflowRecord[]>(`${daemon.orchestrator}/workflows`)).map((each) => [each.name, each]))

/** Polling without a pause would slow down the daemon. */
const POLL_MS = 2

/** Milliseconds until `matches` is true for the row. */
export async function untilRow(
  { daemon }: Fleet,
  id: string,
  matches: (row: WorkflowRecord) => boolean,
): Promise<number> {
  const url = `${daemon.orchestrator}/workflows/${id}`
  return timed(() => eventually(async () => matches(await daemon.get<WorkflowRecord>(url)), 60_000, POLL_MS))
}
