// A seat is what the daemon knows of an agent beyond its record: its socket, its turn, its timers.
import type { WebSocket } from 'ws'
import type { Timer } from '../../platform/clock.ts'
import { Lane } from './lane.ts'
import { RecentMap, RecentSet } from './recent.ts'
import type { PromptRow } from './prompts.ts'
import type { Stall } from './stall.ts'

export interface Seat {
  readonly agentId: string
  /** Launch, restart, terminate: one at a time. May wait for `talk`; never the other way round. */
  readonly lifecycle: Lane
  /** Frames of the agent and prompts for it: one at a time. */
  readonly talk: Lane
  socket: WebSocket | null
  /** Counts sockets, so that a prompt can tell whether its connection still stands. */
  connection: number
  /** True once the present process has connected. */
  hasConnected: boolean
  /** False while an adopted agent has not said whether it is at work: then it gets no prompt. */
  synced: boolean
  /** What the bridge found out; null while it has not said. */
  guarded: boolean | null
  guardReason: string | null
  /** The prompt that waits for its result. */
  inFlight: { prompt: PromptRow; connection: number } | null
  /** The agent says that it works, asked or unasked. */
  turnRunning: boolean
  /** Why queued prompts are held, as it was logged last. */
  held: string | null
  shownActivity: 'idle' | 'busy'
  readonly seenFrames: RecentSet
  /** Answers to tool requests, for an agent that asks again. */
  readonly answers: RecentMap<Record<string, unknown>>
  /** Requests of ours that the agent has not answered. */
  readonly asked: Map<string, (response: Record<string, any>) => void>
  /** Set while a frame cannot be recorded; see `stall.ts`. */
  stall: Stall | null
  /** REST calls that wait for their turn, and how to refuse them. */
  readonly callers: Set<(reason: Error) => void>
  launchedAt: number
  /** Failures in a row, for the back-off. */
  failures: number
  deadline: Timer | null
  relaunch: Timer | null
}

export class Seats {
  readonly #seats = new Map<string, Seat>()

  of(agentId: string): Seat {
    let seat = this.#seats.get(agentId)
    if (!seat) this.#seats.set(agentId, (seat = emptySeat(agentId)))
    return seat
  }

  /** The seat of an agent that has one already. */
  find(agentId: string): Seat | undefined {
    return this.#seats.get(agentId)
  }

  remove(agentId: string): void {
    this.#seats.delete(agentId)
  }

  all(): Seat[] {
    return [...this.#seats.values()]
  }
}

export function isBusy(seat: Seat): boolean {
  return seat.inFlight !== null || seat.turnRunning
}

export function isConnected(seat: Seat | undefined): boolean {
  return seat?.socket?.readyState === 1
}

function emptySeat(agentId: string): Seat {
  return {
    agentId,
    lifecycle: new Lane(),
    talk: new Lane(),
    socket: null,
    connection: 0,
    hasConnected: false,
    synced: true,
    guarded: null,
    guardReason: null,
    inFlight: null,
    turnRunning: false,
    held: null,
    shownActivity: 'idle',
    seenFrames: new RecentSet(20_000),
    answers: new RecentMap(1000),
    asked: new Map(),
    stall: null,
    callers: new Set(),
    launchedAt: 0,
    failures: 0,
    deadline: null,
    relaunch: null,
  }
}
