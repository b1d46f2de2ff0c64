import type { TranscriptEntry } from '../../../../schemas/agent/transcript.ts'
import { ageText } from '../../../parts/time/durations.ts'
import { countText } from './composer-hint.ts'

type Entry<Type extends TranscriptEntry['type']> = Extract<TranscriptEntry, { type: Type }>
export type Turn = Entry<'turn'>
export type TurnResult = Entry<'result'>
export type ToolCall = Entry<'tool_call'>
export type ToolResult = Entry<'tool_result'>
export type ApprovalEntry = Entry<'approval'>

export interface Call {
  call: ToolCall
  result: ToolResult | null
  approval: ApprovalEntry | null
}

/** What the conversation shows: an entry, or consecutive calls of one tool as one line. */
export type Block =
  | { kind: 'turn'; id: string; entry: Entry<'turn'> }
  | { kind: 'text'; id: string; entry: Entry<'text'> }
  | { kind: 'result'; id: string; entry: Entry<'result'> }
  | { kind: 'note'; id: string; entry: Entry<'error' | 'notice'> }
  | { kind: 'calls'; id: string; tool: string; calls: readonly Call[] }
  /** A result or an approval whose call is not in the window. */
  | { kind: 'rest'; id: string; entry: ToolResult | ApprovalEntry }

/** Tools whose calls are shown as a diff. */
const EDITS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])
export const isEdit = (tool: string): boolean => EDITS.has(tool)

/** Joins calls with their results and approvals, and folds consecutive calls of the same tool. Edits are not folded. */
export function blocksOf(entries: readonly TranscriptEntry[]): Block[] {
  const calls = new Map<string, Call>()
  const blocks: Block[] = []
  for (const entry of entries) {
    switch (entry.type) {
      case 'turn':
        blocks.push({ kind: 'turn', id: entry.id, entry })
        break
      case 'text':
        blocks.push({ kind: 'text', id: entry.id, entry })
        break
      case 'result':
        blocks.push({ kind: 'result', id: entry.id, entry })
        break
      case 'error':
      case 'notice':
        blocks.push({ kind: 'note', id: entry.id, entry })
        break
      case 'tool_call': {
        const call: Call = { call: entry, result: null, approval: null }
        if (entry.call_id !== null) calls.set(entry.call_id, call)
        addCall(blocks, call)
        break
      }
      case 'tool_result':
      case 'approval': {
        const call = entry.call_id === null ? undefined : calls.get(entry.call_id)
        if (call === undefined) blocks.push({ kind: 'rest', id: entry.id, entry })
        else if (entry.type === 'approval') call.approval = entry
        else call.result = entry
      }
    }
  }
  return blocks
}

function addCall(blocks: Block[], call: Call): void {
  const tool = call.call.tool_name
  const last = blocks.at(-1)
  if (last?.kind === 'calls' && last.tool === tool && !isEdit(tool)) {
    blocks[blocks.length - 1] = { ...last, calls: [...last.calls, call] }
    return
  }
  blocks.push({ kind: 'calls', id: call.call.id, tool, calls: [call] })
}

/** Characters of the line of a call, and of its end after a cut in the middle. */
const MOST_LINE = 88
const LINE_END = 30

/** What a call is about, on one line: its command, path or address, else its input as JSON. */
export function callText({ input }: Pick<ToolCall, 'input'>): string {
  if (typeof input === 'string') return input
  const fields = (input ?? {}) as Record<string, unknown>
  const main = ['command', 'file_path', 'path', 'url', 'pattern', 'query'].map((name) => fields[name])
  const found = main.find((value) => typeof value === 'string')
  const text = typeof found === 'string' ? found : (JSON.stringify(input) ?? '')
  const line = text.replace(/\s+/g, ' ')
  return line.length > MOST_LINE ? `${line.slice(0, MOST_LINE - LINE_END)} … ${line.slice(-LINE_END)}` : line
}

/** Shorter times are of no interest, in milliseconds. */
const SHORT_MS = 1000

function durationText(from: string, to: string): string[] {
  const time = Date.parse(to) - Date.parse(from)
  return time < SHORT_MS ? [] : [ageText(time)]
}

/** What came of calls: "31 lines, 12 s", "4 calls, 612 lines"; empty before their results. Without the time of a call that a person decided. */
export function callsNote(calls: readonly Call[]): string {
  const results = calls.flatMap(({ result }) => result ?? [])
  const [{ call, result, approval }] = calls as [Call, ...Call[]]
  const lines = results.reduce((sum, { text }) => sum + (text === '' ? 0 : text.trimEnd().split('\n').length), 0)
  const parts = [
    ...(calls.length > 1 ? [countText(calls.length, 'call')] : []),
    ...(results.length === 0 || results.some(({ truncated }) => truncated) ? [] : [countText(lines, 'line')]),
    ...(calls.length === 1 && result !== null && approval === null ? durationText(call.at, result.at) : []),
  ]
  return parts.join(', ')
}

export interface Change {
  file: string
  before: string
  after: string
}

/** The change of an edit call; null if its input has another shape. */
export function changeOf({ input }: Pick<ToolCall, 'input'>): Change | null {
  const { file_path, old_string = '', new_string, content } = (input ?? {}) as Record<string, unknown>
  const after = new_string ?? content
  if (typeof file_path !== 'string' || typeof old_string !== 'string' || typeof after !== 'string') return null
  return { file: file_path, before: old_string, after }
}

export type MarkKind = 'error' | 'request' | 'edit' | 'turn'

export interface ConversationMark {
  /** Id of the block. */
  id: string
  /** Share of the conversation, 0 to 1. */
  at: number
  kind: MarkKind
}

function jumpKind(block: Block): Exclude<MarkKind, 'turn'> | null {
  if (block.kind === 'note') return block.entry.type === 'error' ? 'error' : null
  if (block.kind === 'result') return block.entry.status === 'failed' ? 'error' : null
  if (block.kind === 'rest') return block.entry.type === 'approval' ? 'request' : null
  if (block.kind !== 'calls') return null
  if (block.calls.some(({ approval }) => approval !== null)) return 'request'
  if (block.calls.some(({ result }) => result?.is_error)) return 'error'
  return isEdit(block.tool) ? 'edit' : null
}

/** Turns, errors, requests and edits, for the ruler. */
export function marksOf(blocks: readonly Block[]): ConversationMark[] {
  return blocks.flatMap((block, index) => {
    const kind = block.kind === 'turn' ? 'turn' : jumpKind(block)
    return kind === null ? [] : [{ id: block.id, at: index / blocks.length, kind }]
  })
}

/** Index of the next error, request or edit in a direction, or null. */
export function markAfter(blocks: readonly Block[], from: number, direction: 1 | -1): number | null {
  for (let index = from + direction; index >= 0 && index < blocks.length; index += direction)
    if (jumpKind(blocks[index]!) !== null) return index
  return null
}
