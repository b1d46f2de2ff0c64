// Pairs for training and benchmarks: the first sentence of a function's documentation, and its code.
import { realpathSync } from 'node:fs'
import { atOnce } from '../../platform/async/time-slices.ts'
import { chunksOf, type Chunk } from '../../services/code-index/chunks/chunk.ts'
import { Parsers } from '../../services/code-index/chunks/parsers.ts'
import { endingsOf } from '../../services/code-index/files/languages.ts'
import { textOf } from '../../services/code-index/files/text.ts'
import { walk, type FoundFile } from '../../services/code-index/files/walk.ts'

export interface Pair {
  question: string
  path: string
  language: string
  type: string
  symbol: string
  /** Lines and content exclude the documentation. */
  start: number
  end: number
  content: string
}

export interface Read {
  pairs: Pair[]
  /** With the documentation blanked out. */
  files: { path: string; text: string }[]
}

const ASKED = new Set([
  'function',
  'method',
  'class',
  'variable',
  'struct',
  'enum',
  'trait',
  'interface',
  'type',
  'macro',
])
const LANGUAGES = ['rust', 'python', 'javascript', 'typescript']

/** Omits tests and browser builds. */
export async function readPairs(root: string, patterns: readonly string[] = []): Promise<Read> {
  const parsers = new Parsers()
  const found: FoundFile[] = []
  const ignored = ['.git', 'node_modules', 'target', 'test', 'tests', '__tests__', '*.min.js', '*.d.ts', ...patterns]
  const tree = { root: realpathSync(root), hidden: [] }
  atOnce(walk({ ...tree, patterns: ignored, endings: endingsOf(LANGUAGES) }, (file) => found.push(file)))
  const read: Read = { pairs: [], files: [] }
  for (const file of found) {
    const text = textOf(file.path, tree)
    if (text === null) continue
    const lines = text.split('\n')
    const chunks = chunksOf(text, (await parsers.definitions(file, text)) ?? [])
    const documented = chunks
      .filter(({ type, symbol }) => symbol !== null && ASKED.has(type))
      .flatMap((chunk) => {
        const doc = documentationOf(file.language, chunk, lines)
        return doc ? [{ chunk, doc }] : []
      })
    const blanked = [...lines]
    for (const { doc } of documented) for (let line = doc.from; line <= doc.to; line++) blanked[line] = ''
    read.files.push({ path: file.path, text: blanked.join('\n') })
    for (const { chunk, doc } of documented) {
      const [start, end] = [
        chunk.start > doc.to ? chunk.start : chunk.start === doc.from + 1 ? doc.to + 2 : chunk.start,
        chunk.end,
      ]
      const content = blanked
        .slice(start - 1, end)
        .filter((line) => line.trim() !== '')
        .join('\n')
        .slice(0, 8000)
      if (end - start < 2 || content === '') continue
      const { path, language } = file
      read.pairs.push({
        question: doc.sentence,
        path,
        language,
        type: chunk.type,
        symbol: chunk.symbol!,
        start,
        end,
        content,
      })
    }
  }
  return read
}

interface Documentation {
  sentence: string
  /** From 0, inclusive. */
  from: number
  to: number
}

function documentationOf(language: string, chunk: Chunk, lines: readonly string[]): Documentation | null {
  const found = language === 'python' ? inside(chunk, lines) : above(chunk, lines)
  const sentence = found && firstSentence(found.text)
  return sentence ? { sentence, from: found.from, to: found.to } : null
}

type Found = { text: string; from: number; to: number } | null

function inside({ start, end }: Chunk, lines: readonly string[]): Found {
  for (let line = start - 1; line < Math.min(end, start + 30); line++) {
    const opened = /^\s*[rRuU]?("""|''')/.exec(lines[line]!)
    if (!opened) continue
    // A docstring follows the head.
    if (!/:\s*(#.*)?$/.test(lines.slice(start - 1, line).findLast((each) => each.trim() !== '') ?? '')) return null
    const mark = opened[1]!
    for (let to = line; to < end; to++) {
      const rest = to === line ? lines[to]!.slice(opened[0].length) : lines[to]!
      if (rest.includes(mark))
        return {
          text: lines
            .slice(line, to + 1)
            .join('\n')
            .replace(/^\s*[rRuU]?("""|''')|("""|''').*$/g, ''),
          from: line,
          to,
        }
    }
    return null
  }
  return null
}

function above({ start, end }: Chunk, lines: readonly string[]): Found {
  const first = start - 1
  const head = lines[first]!.trim()
  if (head.startsWith('/**')) {
    for (let to = first; to < end; to++)
      if (lines[to]!.includes('*/')) {
        const text = lines.slice(first, to + 1).join('\n')
        return { text: text.replace(/\/\*\*|\*\//g, '').replace(/^[ \t]*\*[ \t]?/gm, ''), from: first, to }
      }
    return null
  }
  if (!head.startsWith('///')) return null
  let to = first
  while (to + 1 < end && lines[to + 1]!.trim().startsWith('///')) to++
  return {
    text: lines
      .slice(first, to + 1)
      .map((line) => line.trim().slice(3).trim())
      .join('\n'),
    from: first,
    to,
  }
}

const FEWEST_WORDS = 4
const MOST_WORDS = 40

/** Returns null if the sentence is too short, too long, or not English. */
function firstSentence(text: string): string | null {
  const [paragraph = ''] = text.trim().split(/\n\s*\n|\n\s*(?=[@:#*-])/)
  const [sentence = ''] = paragraph
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?])\s+(?=[A-Z`])/)
  const plain = sentence
    .replace(/\{@\w+ ([^}]*)\}/g, '$1')
    .replace(/[`*_]{1,2}([^`*]+)[`*_]{1,2}/g, '$1')
    .trim()
  const words = plain.split(' ')
  const isEnglish = /^[\x20-\x7e]+$/.test(plain) && /^[A-Za-z]/.test(plain)
  return isEnglish && words.length >= FEWEST_WORDS && words.length <= MOST_WORDS ? plain : null
}
