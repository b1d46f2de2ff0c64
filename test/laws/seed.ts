import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { idOf } from './desired.ts'
import { violations } from './laws/index.ts'
import { Situation, same, type Violation } from './laws/situation.ts'
import { keyOf, Notes, isKept, type Memory } from './memory.ts'
import { Player, type Tally } from './play.ts'
import { depthOf, takeSnapshot, type Snapshot } from './snapshot.ts'
import type { Batch } from './steps.ts'

/** A violation counts once it has lasted this long on an idle daemon. */
const QUIET_MS = 2500
/** Minimum number of snapshots in that time. */
const LEAST_LOOKS = 8
/** Time-out for a busy daemon. */
const PATIENCE_MS = 25_000
const POLL_MS = 100
const MOST_QUIET_MS = 1000

export interface Outcome {
  broken: Violation[]
  /** Index of the last batch, from 0. */
  at: number
  tally: Tally
  /** End of the daemon's log. */
  log: string
  seen: Snapshot | null
}

/** Checks the laws after each batch; `stop` aborts between batches. */
export async function playSeed(batches: readonly Batch[], stop: AbortSignal): Promise<Outcome> {
  const player = await Player.create()
  const outcome: Outcome = { broken: [], at: 0, tally: player.tally, log: '', seen: null }
  try {
    for (const [index, batch] of batches.entries()) {
      stop.throwIfAborted()
      outcome.at = index
      for (const step of batch) await player.take(step)
      const { broken, seen } = await settle(player)
      Object.assign(outcome, { broken, seen })
      if (broken.length > 0) break
    }
  } catch (error) {
    outcome.broken = [{ law: 'the daemon answers', what: 'error', detail: (error as Error).stack ?? String(error) }]
  }
  outcome.log = outcome.broken.length > 0 ? player.stand.output.slice(-6000) : ''
  await player.stand.close().catch((error: Error) => {
    if (outcome.broken.length === 0)
      outcome.broken = [{ law: 'the daemon stops', what: 'error', detail: error.message }]
  })
  return outcome
}

/** Waits until every law holds or the daemon is idle. */
export async function settle(player: Player): Promise<{ broken: Violation[]; seen: Snapshot }> {
  const { memory, tally } = player
  const deadline = Date.now() + PATIENCE_MS
  for (let before = '', since = Date.now(), looks = 0; ; looks++) {
    await quiet(player)
    const seen = await look(player)
    const broken = violations(new Situation(memory, seen))
    tally.checks++
    const now = JSON.stringify(broken)
    if (now !== before || works(seen)) [before, since, looks] = [now, Date.now(), 0]
    const lasts = Date.now() - since > QUIET_MS && looks >= LEAST_LOOKS
    if (broken.length === 0 && !works(seen) && (seen.depth === 0 || lasts) && !player.isDown) {
      player.disarm()
      remember(memory, seen)
      return { broken, seen }
    }
    if (Date.now() > deadline || (lasts && seen.depth === 0))
      return { broken: broken.length > 0 ? broken : [RESTLESS], seen }
    await sleep(POLL_MS)
  }
}

const RESTLESS: Violation = { law: 'becomes idle', what: 'the daemon', detail: 'still working at the deadline' }

/** This query costs less than a snapshot. */
async function quiet({ stand }: Player): Promise<void> {
  await eventually(async () => (await depthOf(stand)) === 0, MOST_QUIET_MS, POLL_MS).catch(() => undefined)
}

/** Revives a daemon that is killed meanwhile. */
async function look(player: Player): Promise<Snapshot> {
  for (;;) {
    if (player.isDown) await player.revive()
    try {
      return await takeSnapshot(player.stand, player.memory.notes.prompts.keys(), player.memory.names)
    } catch (error) {
      // The exit of a killed daemon is reported later.
      await sleep(POLL_MS)
      if (!player.isDown) throw error
    }
  }
}

/** A failed agent restarts. */
const STARTS = ['pending', 'failed']

function works({ runs, live }: Snapshot): boolean {
  return (
    live.some(({ agent }) => agent !== null && isOnTheWay(agent)) || runs.some(({ status }) => status === 'running')
  )
}

/** A disconnected agent may back off for several seconds. */
function isOnTheWay({ activity, status, connected }: NonNullable<Snapshot['live'][number]['agent']>): boolean {
  return activity === 'busy' || STARTS.includes(status) || (status === 'running' && !connected)
}

/** Forgets overwritten manual changes and released resources. */
function remember(memory: Memory, seen: Snapshot): void {
  const { desired, hands, left, handMade, seenDrift } = memory
  const situation = new Situation(memory, seen)
  for (const hand of hands.values()) {
    const declared = desired.get(hand.id)
    const value = declared && desired.wanted(declared)[hand.member]
    const live = situation.live(hand.id)
    const remains =
      hand.member === ''
        ? !live
        : hand.member === 'status'
          ? live?.agent?.status === 'stopped'
          : live && !same(live.members[hand.member], value)
    if (!declared || !remains) hands.delete(keyOf(hand.id, hand.member))
  }
  for (const [id, entry] of left) {
    const owned = situation.entry(id)
    if (!owned || owned.source !== entry.source || !isKept(desired, entry)) left.delete(id)
    else entry.uncertain = false
  }
  for (const [liveId, { kind }] of handMade)
    if (seen.inventory.some((entry) => entry.kind === kind && entry.live_id === liveId)) handMade.delete(liveId)
  for (const { kind, name, path, actor, resolution } of seen.drift) {
    const id = idOf({ kind: kind as 'agents', name })
    if (resolution === null) seenDrift.set(`${id} ${path} ${actor}`, { id, path, actor })
  }
  memory.notes = new Notes()
  memory.before = seen
}
