// The issue of a pull request: its closing references, else closing keywords in its body, else the name of its branch.
import MarkdownIt from 'markdown-it'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { Reference } from './answers.ts'

export interface Linked {
  /** Lowest open one of the first source that has one. */
  linkedIssue: number | null
  /** Of all sources, ascending. */
  references: number[]
}

export interface LinkSources {
  references: readonly Reference[]
  body: string
  branch: string
}

/** `openIssues`: numbers of the repository's open issues. References to other repositories do not count. */
export function* linkedIssues(
  { references, body, branch }: LinkSources,
  repository: string,
  openIssues: ReadonlySet<number>,
): Pieces<Linked> {
  const own = references.filter((each) => each.repository.nameWithOwner.toLowerCase() === repository.toLowerCase())
  const isOpen = (issue: number) => openIssues.has(issue)
  const written = yield* closingNumbers(body)
  const named = branchNumber(branch)
  const open = [
    own.filter(({ state }) => state === 'OPEN').map((each) => each.number),
    written.filter(isOpen),
    named.filter(isOpen),
  ].find((numbers) => numbers.length > 0)
  const all = new Set([...own.map((each) => each.number), ...written, ...named])
  return { linkedIssue: open ? Math.min(...open) : null, references: [...all].toSorted((a, b) => a - b) }
}

const KEYWORD = '\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)'
const CLOSING = new RegExp(`${KEYWORD}:?\\s+#(\\d{1,9})\\b`, 'gi')
const ANY_KEYWORD = new RegExp(KEYWORD, 'i')
const blocks = new MarkdownIt({ html: true }).disable('inline')
const markdown = new MarkdownIt({ html: true })

/** Numbers after closing keywords outside code and HTML. */
export function* closingNumbers(body: string): Pieces<number[]> {
  if (!mayClose(body)) return []
  yield
  const numbers: number[] = []
  const references = {}
  for (const { type, content } of blocks.parse(body, references)) {
    for (const part of type === 'inline' ? partsOf(content) : []) {
      if (!mayClose(part)) continue
      yield
      const [inline] = markdown.parseInline(part, references)
      const text = (inline?.children ?? []).map(textOf).join('')
      numbers.push(...[...text.matchAll(CLOSING)].map(([, issue]) => Number(issue)))
    }
  }
  return numbers
}

/**
 * Parsing a part blocks the event loop. A part ends with a line, else with a word, but not between a keyword and its
 * number.
 */
const PART = /[^]{1,2000}(?:\n(?![\s#])|$)|[^]{1,2000}(?:\s(?![\s#])|$)|[^]{1,2000}/g

const partsOf = (text: string): readonly string[] => text.match(PART) ?? []

/** Parsing costs more than this test. */
const mayClose = (text: string): boolean => /#\d/.test(text) && ANY_KEYWORD.test(text)

/** Code separates the texts around it. */
function textOf({ type, content }: { type: string; content: string }): string {
  if (type === 'text') return content
  if (type === 'softbreak' || type === 'hardbreak') return '\n'
  return type === 'code_inline' || type === 'html_inline' || type === 'image' ? '\u0000' : ''
}

/** `issue-7` and `7-title` after the last slash. */
function branchNumber(branch: string): number[] {
  const name = branch.slice(branch.lastIndexOf('/') + 1)
  const [, issue, prefix] = /^(?:issue-(\d{1,9})|(\d{1,9})-.+)$/.exec(name) ?? []
  const given = issue ?? prefix
  return given === undefined ? [] : [Number(given)]
}
