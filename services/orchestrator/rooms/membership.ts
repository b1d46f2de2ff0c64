// Three-way sync: agents' specs, last synced state, rooms. Spec changes are applied to the rooms; changes made in a
// room are written to the spec, which the controller sees as drift.
import { randomUUID } from 'node:crypto'
import { ownActor } from '../../../platform/core/actor.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { Participant, ParticipantRole, Room } from '../../../schemas/communicate/room.ts'
import type { Agents } from '../face.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RoomClient } from './answers.ts'

export interface RoomView {
  room: Room
  participants: readonly Participant[]
}

/** Author of the last change, if known. */
export type LastAuthor = (roomId: string, identifier: string) => string | null

export interface Present {
  agent: AgentRow
  participant: Participant
}

export class Membership {
  readonly #record: RecordWorld
  readonly #agents: Agents
  readonly #client: RoomClient

  constructor(record: RecordWorld, agents: Agents, client: RoomClient) {
    this.#record = record
    this.#agents = agents
    this.#client = client
  }

  async settle(lastAuthor: LastAuthor): Promise<RoomView[]> {
    const agents = await this.#record.agents.list()
    const members = await this.#record.tables.roomMembers.list()
    if (agents.length === 0 && members.length === 0) return []
    const views = await this.#views()
    let moved = false
    for (const agent of agents) {
      if (agent.status === 'stopped') continue
      const recorded = new Map(
        members.filter(({ agent_id }) => agent_id === agent.id).map((each) => [each.room, each.role]),
      )
      moved = (await this.#settleAgent(agent, recorded, views, lastAuthor)) || moved
    }
    const known = new Set(agents.map(({ id }) => id))
    for (const { agent_id, room } of members.filter((each) => !known.has(each.agent_id))) {
      await this.#leave(agent_id, room)
      moved = true
    }
    return moved ? this.#views() : views
  }

  async #views(): Promise<RoomView[]> {
    const rooms = await this.#client.listRooms()
    const views: RoomView[] = []
    for (const room of rooms) {
      const participants = await this.#client.listParticipants({ params: { id: room.id } }).catch(nullIfMissing)
      if (participants) views.push({ room, participants })
    }
    return views
  }

  /** Returns true if a room was changed. */
  async #settleAgent(
    agent: AgentRow,
    recorded: Map<string, string>,
    views: readonly RoomView[],
    lastAuthor: LastAuthor,
  ): Promise<boolean> {
    const wanted = new Map(agent.spec.rooms.map(({ name, role }) => [name, role]))
    let rooms = agent.spec.rooms
    let by: string | null = null
    let moved = false
    for (const { room, participants } of views) {
      // Participants identified by the agent's name belong to the room and are not synced.
      if (participants.some(({ kind, identifier }) => kind === 'agent' && identifier === agent.name)) continue
      const there = participants.find(({ identifier }) => identifier === agent.id)?.role ?? null
      const config = wanted.get(room.name) ?? null
      const before = recorded.get(room.name) ?? null
      if (there === config) {
        if (before !== config) await this.#note(agent.id, room.name, config)
      } else if (before === config) {
        rooms = withRole(rooms, room.name, there)
        by = lastAuthor(room.id, agent.id) ?? by
        await this.#note(agent.id, room.name, there)
      } else {
        await this.#bring(agent, room, there, config)
        await this.#note(agent.id, room.name, config)
        moved = true
      }
    }
    const live = new Set(views.map(({ room }) => room.name))
    for (const room of recorded.keys()) if (!live.has(room)) await this.#note(agent.id, room, null)
    if (rooms !== agent.spec.rooms) {
      const actor = { ...ownActor('svc-communicate', randomUUID()), ...(by === null ? {} : { actor: by }) }
      await this.#agents.assign(agent.id, { rooms }, actor)
    }
    return moved
  }

  async #bring(agent: AgentRow, room: Room, there: string | null, wanted: string | null): Promise<void> {
    const params = { id: room.id, identifier: agent.id }
    const role = wanted as ParticipantRole | null
    if (role === null) await this.#client.removeParticipant({ params }).catch(nullIfMissing)
    else if (there === null) {
      const body = { identifier: agent.id, kind: 'agent', display_name: agent.name, role } as const
      await this.#client.addParticipant({ params: { id: room.id }, body })
    } else await this.#client.updateParticipant({ params, body: { role } })
  }

  async #leave(agentId: string, room: string): Promise<void> {
    await this.#client.removeParticipant({ params: { id: room, identifier: agentId } }).catch(nullIfMissing)
    await this.#note(agentId, room, null)
  }

  async #note(agent_id: string, room: string, role: string | null): Promise<void> {
    const { roomMembers } = this.#record.tables
    if (role === null) await roomMembers.delete({ agent_id, room })
    else await roomMembers.put([{ agent_id, room, role }])
  }
}

export function presentIn({ participants }: RoomView, agents: readonly AgentRow[]): Present[] {
  return participants
    .filter(({ kind }) => kind === 'agent')
    .flatMap((participant) => {
      const { identifier } = participant
      const agent = agents.find(({ id }) => id === identifier) ?? agents.find(({ name }) => name === identifier)
      return agent ? [{ agent, participant }] : []
    })
}

function withRole(rooms: AgentRow['spec']['rooms'], name: string, role: string | null): AgentRow['spec']['rooms'] {
  const others = rooms.filter((room) => room.name !== name)
  if (role === null) return others
  const before = rooms.find((room) => room.name === name)
  const all = [...others, { respond: 'mentioned', ...before, name, role }]
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}
