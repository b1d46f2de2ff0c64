import { Option } from 'commander'
import type { TranscriptEntry } from '../../../schemas/agent/transcript.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import { getTranscript } from '../../../schemas/operations/orchestrator/transcript.ts'
import { wholeNumber } from '../../options.ts'
import { exact, paint, visible } from '../../output/print.ts'
import { verb } from '../../verb.ts'
import { anAgent } from './subjects.ts'

export const transcriptVerb = verb('transcript', group, getTranscript, {
  summary: 'Show prompts, texts, tool calls and results of an agent',
  subject: anAgent,
  options: {
    limit: new Option('--last <count>', 'Number of entries, at most 200').argParser(wholeNumber).default(50),
    after: new Option('--after <cursor>', 'Entries after this cursor, "next" of an answer'),
    before: new Option('--before <cursor>', 'Entries before this cursor, "previous" of an answer'),
  },
  examples: ['agent orchestrator transcript planner', 'agent orchestrator transcript planner --last 200 -o json'],
  done: ({ items, kept_since }) =>
    kept_since === null
      ? 'No entries yet.'
      : [...items.map(entryText), paint().dim(`kept since ${kept_since}`)].join('\n'),
})

/** Escapes what the agent wrote, so that it cannot imitate another entry. */
function entryText(entry: TranscriptEntry): string {
  const colours = paint()
  const { title, text } = partsOf(entry)
  const head = `${colours.dim(entry.at.slice(11, 19))} ${colours.cyan(exact(title))}`
  const shown = visible(text.trimEnd())
  const rest = 'truncated' in entry && entry.truncated ? `\n  … (${entry.length} characters, entry ${entry.id})` : ''
  return shown === '' ? head : `${head}\n${shown.replace(/^/gm, '  ')}${rest}`
}

function partsOf(entry: TranscriptEntry): { title: string; text: string } {
  switch (entry.type) {
    case 'turn':
      return {
        title: `prompt (${[entry.kind, entry.status, entry.error].filter(Boolean).join(', ')})`,
        text: entry.text,
      }
    case 'text':
      return { title: entry.from, text: entry.text }
    case 'tool_call':
      return { title: `calls ${entry.tool_name}`, text: inputText(entry.input) }
    case 'tool_result':
      return { title: entry.is_error ? 'tool failed' : 'tool result', text: entry.text }
    case 'approval': {
      const by = entry.decided_by === null ? '' : ` by ${entry.decided_by}`
      const title = `approval ${entry.approval_id.slice(0, 8)} of ${entry.tool_name}: ${entry.status ?? 'unknown'}${by}`
      return { title, text: entry.reason ?? '' }
    }
    case 'result':
      return { title: `turn ${entry.status}`, text: entry.text }
    case 'error':
    case 'notice':
      return { title: `${entry.type} ${entry.code}`, text: entry.text }
  }
}

const inputText = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input, null, 2))
