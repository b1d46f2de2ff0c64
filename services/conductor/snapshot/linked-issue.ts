// The issue of a pull request: its closing references, else closing keywords in its body, else the name of its branch.
import MarkdownIt from 'markdown-it'
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
export function linkedIssues(
  { references, body, branch }: LinkSources,
  repository: string,
  openIssues: ReadonlySet<number>,
): Linked {
  const own = references.filter((each) => each.repository.nameWithOwner.toLowerCase() === repository.toLowerCase())
  const isOpen = (issue: number) => openIssues.has(issue)
  const written = closingNumbers(body)
  const named = branchNumber(branch)
  const open = [
    own.filter(({ state }) => state === 'OPEN').map((each) => each.number),
    written.filter(isOpen),
    named.filter(isOpen),
  ].find((numbers) => numbers.length > 0)
  const all = new Set([...own.map((each) => each.number), ...written, ...named])
  return { linkedIssue: open ? Math.min(...open) : null, references: [...all].toSorted((a, b) => a - b) }
}

const KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,9})\b/gi
const markdown = new MarkdownIt({ html: true })

/** Numbers after closing keywords outside code and HTML. */
export function closingNumbers(body: string): number[] {
  // Parsing costs more than this test.
  if (!/#\d/.test(body)) return []
  const text = markdown
    .parse(body, {})
    .filter(({ type }) => type === 'inline')
    .map(({ children }) => (children ?? []).map(textOf).join(''))
  return text.flatMap((each) => [...each.matchAll(KEYWORD)].map(([, issue]) => Number(issue)))
}

/** Code separates what it stands between. */
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
