import { parseFrame, textAt, type Frame } from '../frames.ts'

export interface ToolCall {
  name: string
  input: Frame
}

export interface Plan {
  /** Delay in milliseconds. */
  thinkMs: number
  /** Calls by reply; the calls of one reply run in parallel. */
  rounds: ToolCall[][]
  failure: string | null
  exitCode: number | null
}

/**
 * Directives: `SLOW <ms>` (combines with others), `USE_TOOL [Name [arguments]]` (default Bash), `TOOLS:[{name, input},
 * …]` in parallel, `CHAIN:[…]` in sequence, `FAIL <text>`, `EXIT <code>`.
 */
export function readPlan(prompt: string): Plan {
  const slow = /\bSLOW (\d+)/.exec(prompt)
  const failure = /\bFAIL(?: ([^\n]+))?/.exec(prompt)
  const exit = /\bEXIT (\d{1,3})\b/.exec(prompt)
  return {
    thinkMs: slow ? Number(slow[1]) : 0,
    rounds: failure || exit ? [] : rounds(prompt),
    failure: failure ? (failure[1] ?? 'failure requested by the prompt') : null,
    exitCode: exit ? Number(exit[1]) : null,
  }
}

function rounds(prompt: string): ToolCall[][] {
  const chain = listAfter(prompt, 'CHAIN:')
  if (chain) return chain.map((call) => [call])
  const together = listAfter(prompt, 'TOOLS:')
  if (together) return together.length > 0 ? [together] : []
  const one = /\bUSE_TOOL(?:[ \t]+(\w+))?(?:[ \t]+([^\n]*))?/.exec(prompt)
  return one ? [[{ name: one[1] ?? 'Bash', input: inputOf(one[1] ?? 'Bash', (one[2] ?? '').trim()) }]] : []
}

function listAfter(prompt: string, keyword: string): ToolCall[] | null {
  const start = prompt.indexOf(keyword)
  if (start < 0) return null
  const text = prompt.slice(start + keyword.length)
  for (let end = text.lastIndexOf(']'); end >= 0; end = text.lastIndexOf(']', end - 1)) {
    const list = parseFrame(`{"list":${text.slice(0, end + 1)}}`)?.['list']
    if (Array.isArray(list))
      return list.map((call: Frame) => ({
        name: textAt(call, 'name') ?? 'Bash',
        input: (call['input'] ?? {}) as Frame,
      }))
    if (end === 0) break
  }
  return null
}

function inputOf(name: string, rest: string): Frame {
  const [path = '', ...words] = rest.split(/\s+/)
  if (name === 'Bash') return { command: rest || 'echo hello from the scripted agent', description: 'Run a command' }
  if (name === 'Read') return { file_path: path }
  if (name === 'Write') return { file_path: path, content: words.join(' ') }
  if (name === 'Edit') return { file_path: path, old_string: words[0] ?? '', new_string: words.slice(1).join(' ') }
  return parseFrame(rest) ?? (rest ? { text: rest } : {})
}
