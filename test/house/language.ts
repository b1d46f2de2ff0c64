// Unusual phrases in comments, strings, test titles and pages.
import { parseSync, type Comment } from 'oxc-parser'

interface Phrase {
  name: string
  pattern: RegExp
  instead: string
}

const VERBS =
  'is|are|was|were|has|have|had|may|can|could|does|did|comes|came|goes|went|waits|stands|stood|asks|asked|wants|reads|' +
  'writes|needs|takes|makes|holds|keeps|begins|ends|lives|follows|happened|happens|remains|leads|sees|saw|says|said|' +
  'brings|runs|ran|stays|leaves|left'

const PHRASES: readonly Phrase[] = [
  {
    name: 'headless who/what',
    pattern: new RegExp(
      `(?:^|[^\\w-])(?:who|what|whoever|whatever)\\s+(?:(?:is|are|was|were)\\s+(?:not\\s+)?(?:\\w+\\s+)?|(?:${VERBS})\\b)`,
      'gi',
    ),
    instead: 'name the thing: "the caller", "the new files", "pending messages"',
  },
  { name: 'whose it is', pattern: /\bwhose\s+(?:it|they|the|that|this)\b/gi, instead: 'owner' },
  {
    name: 'told / tell of',
    pattern:
      /\b(?:is|are|was|were|be|been|being)\s+told\b|\btell(?:s|ing)?\s+of\b|\btold\s+(?:of|apart|by)\b|\bcould not be told\b/gi,
    instead: 'report, notify, publish, distinguish',
  },
  { name: 'anew', pattern: /\banew\b/gi, instead: 'again, re-' },
  { name: 'shall', pattern: /\bshall\b/gi, instead: 'must, should, will' },
  { name: 'heed', pattern: /\bheed(?:s|ed|ing)?\b/gi, instead: 'honour, respect, follow' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix' },
  {
    name: 'put back',
    pattern: /\b(?:put|puts|putting)s?\s+(?:\w+\s+)?back\b/gi,
    instead: 'revert, restore, roll back',
  },
  { name: 'stand as a verb of being', pattern: /\b(?:stands?|stood)\b/gi, instead: 'is, appears, holds, is stored' },
  { name: 'all that / all who', pattern: /\ball\s+(?:that|who|which)\b/gi, instead: 'every ..., everything ...' },
  {
    name: 'as it is / as they are',
    pattern: /\bas\s+(?:it|they|he|she)\s+(?:is|are|was|were|stands?|may be)\b/gi,
    instead: 'unchanged, current, verbatim',
  },
  {
    name: 'by itself / of its own / for good',
    pattern: /\bby (?:itself|themselves)\b|\bof (?:its|their) own\b|\bfor good\b/gi,
    instead: 'automatically, separate, permanently',
  },
  {
    name: 'nobody / somebody / no one',
    pattern: /\b(?:nobody|somebody|no one|everybody|anybody)\b/gi,
    instead: 'name the role: user, client, agent',
  },
  {
    name: 'all the same / lest / in hand',
    pattern:
      /\ball the same\b|\blest\b|\bin hand\b|\bat hand\b|\bamiss\b|\bin its turn\b|\bin their turn\b|\bfar off\b|\bever so\b|\bso far\b/gi,
    instead: 'anyway, so that ... not, in progress, wrong',
  },
  {
    name: 'for it/they (because)',
    pattern: /[,;:]\s+for\s+(?:it|they|he|she|there|what|who)\s+\w+/gi,
    instead: 'because',
  },
  { name: 'look(s) at', pattern: /\blooks?\s+at\b|\blooked\s+at\b/gi, instead: 'inspect, check, read' },
  {
    name: 'a look / a question',
    pattern: /\b(?:a|the|each|one|next|every)\s+(?:look|question)\b/gi,
    instead: 'check, scan, query',
  },
  {
    name: 'where there is / are',
    pattern: /\bwhere\s+there\s+(?:is|are|was|were)\b/gi,
    instead: 'if ... exists, when available',
  },
  { name: 'no more / any more', pattern: /\bno more\b|\bany more\b/gi, instead: 'no longer, stops' },
]

export const TEXT_KINDS = ['comments', 'strings', 'titles', 'pages'] as const
type TextKind = (typeof TEXT_KINDS)[number]

export interface Text {
  kind: TextKind
  file: string
  line: number
  text: string
}

type Node = { type: string; start: number; end: number; [field: string]: any }

const SQL = /^\s*(select|insert|update|delete|create|alter|with|drop|pragma)\s/i

const isProse = (text: string) => /[a-z]{3}/.test(text)

/** Texts of a page without its code. */
function pageTexts(file: string, source: string): Text[] {
  const prose = source.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ' ')).replace(/`[^`\n]*`/g, 'x')
  return prose
    .split('\n')
    .map((text, index) => ({ kind: 'pages' as const, file, line: index + 1, text }))
    .filter(({ text }) => isProse(text))
}

function stringOf(node: Node): string | null {
  if (node.type === 'JSXText') return node['value']
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as Node[]).map(({ value }) => value.cooked ?? value.raw).join('x')
}

/** Consecutive line comments are one text. */
function commentTexts(file: string, source: string, comments: readonly Comment[]): Text[] {
  const found: (Text & { end: number })[] = []
  for (const { type, value, start, end } of comments) {
    const text = value.replace(/^\s*\*\s?/gm, ' ').trim()
    if (!isProse(text) || /^(oxlint|@ts-|#)/.test(text)) continue
    const last = found.at(-1)
    if (type === 'Line' && last !== undefined && /^\r?\n[ \t]*$/.test(source.slice(last.end, start)))
      Object.assign(last, { text: `${last.text} ${text}`, end })
    else found.push({ kind: 'comments', file, line: lineOf(source, start), text, end })
  }
  return found
}

const lineOf = (source: string, offset: number): number => source.slice(0, offset).split('\n').length

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Name of the called function, also of `test.each(…)(…)`. */
const calleeOf = ({ callee }: Node): string => callee.name ?? callee.object?.name ?? callee.callee?.object?.name ?? ''

/** String literals, or of a test only its titles. */
function* literals(node: Node, isTest: boolean): Generator<Node> {
  if (/^(ImportDeclaration|ExportAllDeclaration)$/.test(node.type)) return
  if (!isTest && /^(Literal|TemplateLiteral|JSXText)$/.test(node.type)) yield node
  else if (
    isTest &&
    node.type === 'CallExpression' &&
    /^(test|it|describe)$/.test(calleeOf(node)) &&
    node['arguments'][0]
  )
    yield node['arguments'][0]
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* literals(child, isTest)
}

/** Texts of a page or a module. Of a test, only comments and titles count. */
export function textsOf(file: string, source: string): Text[] {
  if (file.endsWith('.md')) return pageTexts(file, source)
  const { program, comments } = parseSync(file, source)
  const isTest = file.startsWith('test/')
  const found = commentTexts(file, source, comments)
  for (const node of literals(program, isTest)) {
    const text = stringOf(node)
    if (text !== null && (isTest || (/[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text) && !SQL.test(text))))
      found.push({ kind: isTest ? 'titles' : 'strings', file, line: lineOf(source, node.start), text })
  }
  return found
}

export interface Usage {
  perThousandWords: number
  /** `file:line: name: "phrase"; use: suggestion` */
  places: string[]
}

export function unusualPhrases(texts: readonly Text[]): Usage {
  const words = texts.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  const places = texts.flatMap(({ file, line, text }) =>
    PHRASES.flatMap(({ name, pattern, instead }) =>
      [...text.matchAll(pattern)].map(([phrase]) => `${file}:${line}: ${name}: "${phrase.trim()}"; use: ${instead}`),
    ),
  )
  return { perThousandWords: words === 0 ? 0 : (1000 * places.length) / words, places }
}
