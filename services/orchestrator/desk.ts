// Where frames of agents arrive: each is relayed to the streams, then taken in order by the part it concerns.
import type { WebSocket } from 'ws'
import { announceActivity, announceAgent } from './announce.ts'
import type { ApprovalBook } from './approvals.ts'
import { ask, attach, CLOSE, disconnect, send, settle, type Frame } from './connection.ts'
import type { Context } from './context.ts'
import {
  abandonPrompt,
  isNewReset,
  learn,
  noteCost,
  pump,
  queueInitialPrompt,
  takeResult,
  wantsClearing,
} from './conversation.ts'
import type { Core } from './core.ts'
import { sentPrompt } from './prompts.ts'
import { isBusy, type Seat } from './seats.ts'
import { persistently } from './stall.ts'
import { findAgent } from './store.ts'
import type { Supervisor } from './supervisor.ts'
import { takeToolRequest } from './tool-requests.ts'

export interface Desk {
  attach(agentId: string, socket: WebSocket): void
  /** Prepares the seat of an agent whose process an earlier daemon started. */
  adopt(seat: Seat): Promise<void>
  /** Looks whether something waits, in the agent's own time. */
  wake(seat: Seat): void
}

export function createDesk(
  core: Core,
  parts: { approvals: ApprovalBook; supervisor: Supervisor; context: Context },
): Desk {
  const { approvals, supervisor, context } = parts

  /** Runs in the agent's lane; what the database refuses for now is tried until it takes it. */
  const inTurn = (seat: Seat, work: () => Promise<unknown>) =>
    void seat.talk
      .run(() => persistently(core, seat, work))
      .catch((error: unknown) =>
        core.log.error({ agent_id: seat.agentId, error: (error as Error).message }, 'a frame could not be taken'),
      )

  const opened = (seat: Seat) => {
    seat.deadline?.cancel()
    seat.deadline = null
    inTurn(seat, async () => {
      const agent = await findAgent(core, seat.agentId)
      if (!agent || agent.status === 'stopped' || agent.status === 'failed')
        return disconnect(seat, CLOSE.ended, 'the agent has ended')
      core.log.info({ agent_id: agent.id, name: agent.name }, 'agent connected')
      announceAgent(core, agent)
      const { connection } = seat
      ask(core, seat, { subtype: 'initialize' }, (response) => inTurn(seat, () => resync(seat, response, connection)))
      await queueInitialPrompt(core, agent)
      await pump(core, seat)
    })
  }

  /** The answer to `initialize`: open tool requests, and whether the agent is at work. */
  const resync = async (seat: Seat, response: Frame, connection: number) => {
    if (connection !== seat.connection) return
    const said = (response.response ?? {}) as Frame
    await learn(core, seat, { version: said.claude_code_version ?? said.agent_version })
    for (const request of (response.pending_permission_requests ?? []) as Frame[])
      await takeToolRequest(core, approvals, seat, request)
    if (said.session_state === 'idle') {
      seat.turnRunning = false
      // Results come before this answer: a prompt of an earlier connection without one is lost.
      if (seat.inFlight && seat.inFlight.connection < connection)
        await abandonPrompt(core, seat, 'the connection was lost, and the agent is idle without a result')
    } else if (typeof said.session_state === 'string') seat.turnRunning = true
    seat.synced = true
    await settled(seat)
  }

  /** After anything that may have made the agent idle. */
  const settled = async (seat: Seat) => {
    const agent = await findAgent(core, seat.agentId)
    if (!agent) return
    announceActivity(core, agent, seat)
    if (!isBusy(seat) && seat.synced && (await wantsClearing(core, seat, agent)))
      await context.clearByItself(seat, agent)
    await pump(core, seat)
  }

  const closed = (seat: Seat) => {
    seat.asked.clear()
    void findAgent(core, seat.agentId)
      .then((agent) => agent && announceAgent(core, agent))
      .then(() => (core.stopping ? undefined : supervisor.check(seat.agentId)))
      .catch((error: unknown) =>
        core.log.error(
          { agent_id: seat.agentId, error: (error as Error).message },
          'a closed connection could not be looked into',
        ),
      )
  }

  const takeSystem = async (seat: Seat, frame: Frame) => {
    if (frame.subtype === 'bridge') {
      seat.guarded = typeof frame.guarded === 'boolean' ? frame.guarded : null
      seat.guardReason = typeof frame.guard_reason === 'string' ? frame.guard_reason : null
      await learn(core, seat, { version: frame.agent_version })
      const agent = await findAgent(core, seat.agentId)
      if (agent) announceAgent(core, agent)
      return pump(core, seat)
    }
    if (frame.subtype === 'init')
      return learn(core, seat, { session: frame.session_id, version: frame.claude_code_version ?? frame.agent_version })
    if (frame.subtype !== 'session_state_changed') return
    seat.turnRunning = frame.state !== 'idle'
    return settled(seat)
  }

  const takeControl = (seat: Seat, frame: Frame) => {
    if (frame.request?.subtype === 'can_use_tool') return takeToolRequest(core, approvals, seat, frame)
    send(seat, {
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: frame.request_id,
        error: `Unsupported control request subtype: ${String(frame.request?.subtype)}`,
      },
    })
  }

  const take = async (seat: Seat, frame: Frame): Promise<unknown> => {
    switch (frame.type) {
      case 'system':
        return takeSystem(seat, frame)
      case 'control_request':
        return takeControl(seat, frame)
      case 'control_cancel_request':
        return approvals.abandon(seat.agentId, 'the agent withdrew the request', String(frame.request_id))
      case 'conversation_reset':
        return (await isNewReset(core, seat, frame)) ? context.noteReset(seat) : undefined
      case 'result': {
        if (!(await takeResult(core, seat, frame))) return
        const agent = await findAgent(core, seat.agentId)
        if (agent) await noteCost(core, agent)
        return settled(seat)
      }
    }
  }

  const listeners = {
    onOpen: opened,
    onClose: closed,
    onFrame: (seat: Seat, frame: Frame) => {
      core.streams.relay(seat.agentId, frame)
      if (frame.type === 'control_response') settle(seat, frame)
      else inTurn(seat, () => take(seat, frame))
    },
  }

  return {
    attach: (agentId, socket) =>
      core.stopping
        ? socket.close(CLOSE.goingAway, 'the orchestrator is stopping')
        : attach(core, core.seats.of(agentId), socket, listeners),
    adopt: async (seat) => {
      seat.synced = false
      const prompt = await sentPrompt(core.db, seat.agentId)
      seat.inFlight = prompt && { prompt, connection: 0 }
    },
    wake: (seat) => inTurn(seat, () => pump(core, seat)),
  }
}
