// The room service, with clients over HTTP and sockets.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { services } from '../../../daemon/services.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { ServerFrame } from '../../../schemas/communicate/frames.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { Participant, Room } from '../../../schemas/communicate/room.ts'
import { eventually } from '../../support/eventually.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

export interface RoomStand extends ServiceStand {
  /** Sends a request as `who`; default the local user. */
  ask<T = any>(request: string, body?: unknown, who?: string): Promise<Reply<T>>
  /** Creates a room owned by `mira`, with other participants: `{ ben: 'observer' }`. */
  room(name: string, more?: object, others?: Record<string, Participant['role']>): Promise<Room>
  post(room: string, sender: string, content: string, more?: object): Promise<Message>
  /** Opens a socket as `identifier`; closed with the fixture. */
  visit(identifier: string, headers?: Record<string, string>): Promise<Visit>
}

export interface Visit {
  socket: WebSocket
  frames: ServerFrame[]
  send(frame: object): void
  /** Resolves with the first frame of a type that satisfies `matches`. */
  next<T extends ServerFrame['type']>(
    type: T,
    matches?: (frame: ServerFrame & { type: T }) => boolean,
  ): Promise<ServerFrame & { type: T }>
  contents(): string[]
}

export async function startRooms(
  url: string,
  { env = {}, clock }: { env?: Record<string, string>; clock?: Clock } = {},
): Promise<RoomStand> {
  const served = services({ sources: [] }).filter(({ name }) => name === 'communicate')
  const stand = await startServices(served, { url, env, ...(clock ? { clock } : {}) })
  const sockets = new Set<WebSocket>()
  const ask = (request: string, body?: unknown, who = 'operator') => {
    const [method, path] = request.split(' ') as [string, string]
    return askUrl(method, stand.host.urls.communicate! + path, body, { 'x-svc-actor': who })
  }
  const made = async (request: string, body: object) => {
    const { status, body: record } = await ask(request, body)
    if (status !== 201) throw new Error(`${request} answered ${status}: ${JSON.stringify(record)}`)
    return record
  }
  const { close } = stand
  return Object.assign(stand, {
    ask,
    room: async (name: string, more: object = {}, others: Record<string, Participant['role']> = {}) => {
      const room = await made('POST /rooms', { name, created_by: 'mira', ...more })
      for (const [identifier, role] of Object.entries(others))
        await made(`POST /rooms/${room.id}/participants`, { identifier, kind: 'human', role })
      return room
    },
    post: (room: string, sender_id: string, content: string, more: object = {}) =>
      made(`POST /rooms/${encodeURIComponent(room)}/messages`, { sender_id, content, ...more }),
    visit: async (identifier: string, headers: Record<string, string> = {}) => {
      const query = new URLSearchParams({ identifier, kind: 'human', display_name: identifier })
      const at = `${stand.host.urls.communicate!.replace('http', 'ws')}/ws?${query.toString()}`
      const visit = visitOf(new WebSocket(at, { headers }))
      sockets.add(visit.socket)
      await once(visit.socket, 'open')
      return visit
    },
    close: async () => {
      for (const socket of sockets) socket.terminate()
      await close()
    },
  })
}

function visitOf(socket: WebSocket): Visit {
  const frames: ServerFrame[] = []
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString())))
  socket.on('error', () => undefined)
  return {
    socket,
    frames,
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: async (type, matches = () => true) =>
      eventually(() => frames.find((frame) => frame.type === type && matches(frame as never))) as never,
    contents: () => frames.flatMap((frame) => (frame.type === 'message' ? [frame.message.content] : [])),
  }
}
