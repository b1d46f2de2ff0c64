// Prompts and the read position share a transaction: each message is forwarded exactly once.
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import { addPrompt } from '../record/prompt-store.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import { now, type Reading, type RecordWorld } from '../record/world.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { RoomClient } from './answers.ts'
import { presentIn, type Present, type RoomView } from './membership.ts'

export const MOST_HOPS = 4
const PAGE = 100
const MENTION = /@([\p{L}\p{N}_][\p{L}\p{N}_.-]*)/gu

interface Parts {
  client: RoomClient
  prompts: PromptSender
  historyDays: number
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

async function take(
  record: RecordWorld,
  { prompts, historyDays }: Parts,
  { room }: RoomView,
  present: readonly Present[],
  message: Message,
): Promise<void> {
  const { tables, db, clock } = record
  const sender = present.find(({ participant }) => participant.identifier === message.sender_id) ?? null
  // After the retention period it is unknown which agents were prompted.
  const isForAgents =
    message.metadata.source !== 'notice' && Date.parse(message.created_at) >= clock.now() - historyDays * DAY_MS
  const woken = isForAgents ? agentsToWake(message, room.name, present) : []
  await write(db, async (transaction) => {
    const hops = await hopsOf(record, transaction, message, sender)
    const isOver = hops >= MOST_HOPS
    const rows = isOver ? (sender && woken.length > 0 ? [sender] : []) : woken
    for (const each of rows) {
      if (await tables.roomPrompts.find({ agent_id: each.agent.id, message_id: message.id }, transaction)) continue
      const row = {
        id: record.ids(),
        agent_id: each.agent.id,
        sender_id: each.participant.identifier,
        room_id: room.id,
        message_id: message.id,
        hops: hops + 1,
        created_at: now(record),
      }
      if (isOver) {
        const content = `stopped after ${MOST_HOPS} hops between agents: a person must post a message to continue`
        await tables.roomPrompts.insert({ ...row, hops, kind: 'notice', status: 'due', content }, transaction)
      } else {
        const { agent } = each
        const prompt = await addPrompt(record, transaction, {
          agent_id: agent.id,
          kind: 'message',
          content: `[Room: ${room.name}] ${message.sender_name} (${message.sender_kind}): ${message.content}`,
        })
        await tables.roomPrompts.insert({ ...row, prompt_id: prompt.id, kind: 'reply', status: 'waiting' }, transaction)
      }
    }
    await tables.roomCursors.put([{ room_id: room.id, message_id: message.id }], transaction)
  })
  for (const { agent } of woken) prompts.wake(agent.id)
}

/** Selects agents other than the sender: a single one, or those mentioned or set to `always`. */
function agentsToWake(message: Message, room: string, present: readonly Present[]): Present[] {
  const named = new Set(
    [...message.content.matchAll(MENTION)].map((match) => match[1]!.replace(/[.-]+$/, '').toLowerCase()),
  )
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
