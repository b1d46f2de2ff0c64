// One seed: its batches on a daemon, the laws held against what is there after each.
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { idOf } from './desired.ts'
import { violations } from './laws/index.ts'
import { Situation, same, type Violation } from './laws/situation.ts'
import { keyOf, Notes, isKept, type Memory } from './memory.ts'
import { Player, type Tally } from './play.ts'
import { depthOf, takeSnapshot, type Snapshot } from './snapshot.ts'
import type { Batch } from './steps.ts'

/** A state that breaks a law, in which nothing more waits to be done, lasts so long before it is called broken. */
const QUIET_MS = 2500
/** And is looked at so often, however slow the machine is. */
const LEAST_LOOKS = 8
/** However much goes on. */
const PATIENCE_MS = 25_000
const POLL_MS = 100
/** For so long nothing is looked at while something waits. */
const MOST_QUIET_MS = 1000

export interface Outcome {
  /** None: every law held after every batch. */
  broken: Violation[]
  /** The batch after which it was seen, from 0. */
  at: number
  tally: Tally
  /** The end of the daemon's log where a law was broken. */
  log: string
  /** What the last look saw. */
  seen: Snapshot | null
}

/** Plays them on a daemon of its own, which is gone afterwards; `stop` ends it in between. */
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

/** Waits until every law holds; else what is broken once nothing moves any more. */
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

const RESTLESS: Violation = { law: 'comes to rest', what: 'the daemon', detail: 'something works for ever' }

/** Looking at everything costs more than asking whether something waits. */
async function quiet({ stand }: Player): Promise<void> {
  await eventually(async () => (await depthOf(stand)) === 0, MOST_QUIET_MS, POLL_MS).catch(() => undefined)
}

/** One look at a daemon that runs; it may be killed while it is looked at. */
async function look(player: Player): Promise<Snapshot> {
  for (;;) {
    if (player.isDown) await player.revive()
    try {
      return await takeSnapshot(player.stand, player.memory.notes.prompts.keys())
    } catch (error) {
      // A daemon that was killed is seen as ended a moment later.
      await sleep(POLL_MS)
      if (!player.isDown) throw error
    }
  }
}

/** Of an agent that is kept running: one that failed is started again. */
const STARTS = ['pending', 'failed']

function works({ runs, live }: Snapshot): boolean {
  return (
    live.some(({ agent }) => agent !== null && isOnTheWay(agent)) || runs.some(({ status }) => status === 'running')
  )
}

/** One that lost its daemon again and again dials less and less often, up to some seconds apart. */
function isOnTheWay({ activity, status, connected }: NonNullable<Snapshot['live'][number]['agent']>): boolean {
  return activity === 'busy' || STARTS.includes(status) || (status === 'running' && !connected)
}

/** What is known from here on: hands that have been overwritten are no more, and what was left is gone or kept. */
function remember(memory: Memory, seen: Snapshot): void {
  const { desired, hands, left, handMade, seenDrift } = memory
  const situation = new Situation(memory, seen)
  for (const hand of hands.values()) {
    const declared = desired.get(hand.id)
    const value = declared && desired.wanted(declared)[hand.member]
    const live = situation.live(hand.id)
    const stands =
      hand.member === ''
        ? !live
        : hand.member === 'status'
          ? live?.agent?.status === 'stopped'
          : live && !same(live.members[hand.member], value)
    if (!declared || !stands) hands.delete(keyOf(hand.id, hand.member))
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
