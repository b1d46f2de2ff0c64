// Prompts and the read position share a transaction: each message is forwarded exactly once.
import type { Config } from '../../../platform/core/config.ts'
import { ownerOf, type Owner } from '../../../platform/core/limits.ts'
import type { RecentSet } from '../../../platform/core/recent.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import { now, type Reading, type RecordWorld } from '../record/world.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RoomClient } from './answers.ts'
import { presentIn, type Present, type RoomView } from './membership.ts'
import { mentionsIn } from './mentions.ts'

export const MOST_HOPS = 4
const PAGE = 100

interface Parts {
  client: RoomClient
  prompts: PromptSender
  config: Pick<Config, 'limitsFor'>
  historyDays: number
  /** Senders of a room with too many waiting messages; reported once. */
  flooding: RecentSet
}

export async function forwardMessages(
  record: RecordWorld,
  parts: Parts,
  view: RoomView,
  agents: readonly AgentRow[],
): Promise<void> {
  const present = presentIn(view, agents)
  if (present.length === 0) return
  for (;;) {
    const page = await nextOf(record, parts.client, view, present)
    for (const message of page) await take(record, parts, view, present, message)
    if (page.length === 0) return
  }
}

async function nextOf(
  { tables }: Reading,
  client: RoomClient,
  { room }: RoomView,
  present: readonly Present[],
): Promise<Message[]> {
  const params = { id: room.id }
  const cursor = await tables.roomCursors.find(room.id)
  if (!cursor) {
    const [latest, from] = await beginning(client, room.id, present)
    if (from !== null) await tables.roomCursors.put([{ room_id: room.id, message_id: from }])
    return latest
  }
  const after = cursor.message_id === BEGINNING ? {} : { after: cursor.message_id }
  try {
    return (await client.listMessages({ params, query: { ...after, limit: PAGE } })).items
  } catch (error) {
    // The cursor's message no longer exists.
    if (!(error instanceof Problem) || error.status !== 400) throw error
    await tables.roomCursors.delete(room.id)
    return []
  }
}

export async function forgetRooms({ tables }: Reading, views: readonly RoomView[]): Promise<void> {
  const present = new Set(views.map(({ room }) => room.id))
  const read = await tables.roomCursors.list()
  const gone = read.filter(({ room_id }) => !present.has(room_id))
  if (gone.length > 0) await tables.roomCursors.delete({ room_id: gone.map(({ room_id }) => room_id) })
}

const DAY_MS = 86_400_000

/** Cursor before the first message. */
const BEGINNING = ''

/**
 * Starts at the latest messages, because earlier ones predate the agents; at the start of the room if these do not
 * reach back to the first join.
 */
async function beginning(
  client: RoomClient,
  id: string,
  present: readonly Present[],
): Promise<[latest: Message[], from: string | null]> {
  const latest = await client.latestMessages({ params: { id }, query: { count: PAGE } })
  const joined = present.map(({ participant }) => participant.joined_at).sort()[0]!
  const reaches = latest.length > 0 && (latest.length < PAGE || latest[0]!.created_at < joined)
  return reaches ? [latest, null] : [[], BEGINNING]
}

/** A message of a room, and the agent that posted it, if it is one of ours. */
interface Posted {
  view: RoomView
  message: Message
  sender: Present | null
}

async function take(
  record: RecordWorld,
  parts: Parts,
  view: RoomView,
  present: readonly Present[],
  message: Message,
): Promise<void> {
  const { tables, db, clock } = record
  const { room } = view
  const sender = present.find(({ participant }) => participant.identifier === message.sender_id) ?? null
  const posted = { view, message, sender }
  // After the retention period it is unknown which agents were prompted.
  const isForAgents =
    message.metadata.source !== 'notice' && Date.parse(message.created_at) >= clock.now() - parts.historyDays * DAY_MS
  const woken = isForAgents ? agentsToWake(message, room.name, present) : []
  await write(db, async (transaction) => {
    const hops = await hopsOf(record, transaction, message, sender)
    if (hops < MOST_HOPS) await prompt(record, parts, posted, { hops: hops + 1, woken }, transaction)
    else if (woken.length > 0) {
      const content = `stopped after ${MOST_HOPS} hops between agents: a person must post a message to continue`
      await addNotice(record, posted, { hops, content }, transaction)
    }
    await tables.roomCursors.put([{ room_id: room.id, message_id: message.id }], transaction)
  })
  for (const { agent } of woken) parts.prompts.wake(agent.id)
}

async function prompt(
  record: RecordWorld,
  { prompts, config, flooding }: Parts,
  posted: Posted,
  { hops, woken }: { hops: number; woken: readonly Present[] },
  transaction: Knex,
): Promise<void> {
  const { message, view } = posted
  const content = `[Room: ${view.room.name}] ${message.sender_name} (${message.sender_kind}): ${message.content}`
  const owner = senderOf(posted, config)
  const key = `${view.room.id}/${message.sender_id}`
  for (const each of woken) {
    if (await isTaken(record, each, message, transaction)) continue
    try {
      const { id } = await prompts.addMessage(transaction, owner, { agent_id: each.agent.id, content })
      const row = rowOf(record, posted, each)
      await record.tables.roomPrompts.insert(
        { ...row, hops, prompt_id: id, kind: 'reply', status: 'waiting' },
        transaction,
      )
      flooding.delete(key)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'limit-reached') throw error
      if (!flooding.add(key)) return
      record.log.warn(
        { room_id: view.room.id, sender: message.sender_id },
        'room messages not forwarded: limit reached',
      )
      const reason = `not forwarded to ${each.agent.name}: ${error.message}`
      await addNotice(record, posted, { hops: hops - 1, content: reason }, transaction)
      return
    }
  }
}

/** Messages of agents count towards their limit. */
function senderOf({ message, sender }: Posted, config: Pick<Config, 'limitsFor'>): Owner | null {
  const isAgent = message.sender_kind === 'agent'
  const actor = isAgent ? `agent:${sender?.agent.name ?? message.sender_id}` : message.sender_id
  const agent = isAgent ? { agent: sender?.agent.id ?? message.sender_id } : {}
  return ownerOf({ actor, ...agent, requestId: message.id, endpoint: 'room message' }, config)
}

/** Posts `content` in the sender's name. */
async function addNotice(
  record: RecordWorld,
  posted: Posted,
  notice: { hops: number; content: string },
  transaction: Knex,
): Promise<void> {
  const { sender, message } = posted
  if (sender === null || (await isTaken(record, sender, message, transaction))) return
  const row = rowOf(record, posted, sender)
  await record.tables.roomPrompts.insert({ ...row, ...notice, kind: 'notice', status: 'due' }, transaction)
}

const isTaken = async ({ tables }: Reading, { agent }: Present, message: Message, transaction: Knex) =>
  (await tables.roomPrompts.find({ agent_id: agent.id, message_id: message.id }, transaction)) !== null

const rowOf = (record: RecordWorld, { view, message }: Posted, { agent, participant }: Present) => ({
  id: record.ids(),
  agent_id: agent.id,
  sender_id: participant.identifier,
  room_id: view.room.id,
  message_id: message.id,
  created_at: now(record),
})

/** Selects agents other than the sender: a single one, or those mentioned or set to `always`. */
export function agentsToWake(
  message: Pick<Message, 'content' | 'sender_id' | 'created_at'>,
  room: string,
  present: readonly Present[],
): Present[] {
  const named = mentionsIn(message.content)
  const isMeant = ({ agent, participant }: Present) =>
    present.length === 1 ||
    named.has('all') ||
    [agent.name, agent.id, participant.display_name].some((name) => named.has(name.toLowerCase())) ||
    agent.spec.rooms.some(({ name, respond }) => name === room && respond === 'always')
  return present.filter(
    (each) =>
      each.participant.identifier !== message.sender_id &&
      each.participant.joined_at <= message.created_at &&
      !each.agent.spec.interactive &&
      each.agent.status !== 'stopped' &&
      isMeant(each),
  )
}

/**
 * Consecutive answers between agents; 0 for a person's message. A message that an agent posts directly counts as the
 * answer it is working on.
 */
async function hopsOf(
  { tables }: Reading,
  transaction: Knex,
  message: Message,
  sender: Present | null,
): Promise<number> {
  if (message.sender_kind !== 'agent') return 0
  const said = message.metadata.hops
  const own = typeof said === 'number' && Number.isInteger(said) ? Math.max(said, 1) : 1
  if (!sender) return own
  const ours = await tables.roomPrompts.find(message.id, transaction)
  if (ours) return ours.hops
  const which = { agent_id: sender.agent.id, status: 'waiting' as const }
  const answering = await tables.roomPrompts.find(which, transaction, { order: ['seq'] })
  return Math.max(own, answering?.hops ?? 1)
}
