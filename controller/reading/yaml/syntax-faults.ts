// What the YAML parser finds wrong with a document, in our words and where somebody would look for it.
import { isMap, isScalar, isSeq, visit, type Document, type ErrorCode, type Node } from 'yaml'

/** Faults kept of one file; thousands of them have one cause. */
export const MOST_FAULTS = 100

/** Something wrong with a text, at an offset into it. */
export interface TextFault {
  offset: number
  code: string
  message: string
  hint: string
}

/** The faults of the parser, each at its offset into `text`, the whole file. */
export function syntaxFaults(document: Document.Parsed, text: string): TextFault[] {
  const errors = [...document.errors, ...document.warnings].slice(0, MOST_FAULTS)
  return errors.map((error, index): TextFault => {
    const mayBeOpen = index < MOST_OPENERS && OPEN_CODES.includes(error.code)
    const opener = mayBeOpen ? openerOf(document, text, error.pos[0]) : null
    if (!opener) return { offset: error.pos[0], ...explain(error.code, error.message) }
    return {
      offset: opener.offset,
      code: 'yaml-syntax',
      message: `the ${opener.sign} that opens here is not closed`,
      hint: `add ${CLOSING[opener.sign]} where it ends`,
    }
  })
}

/** What the parser says of a bracket or quote without its end, among other things. */
const OPEN_CODES: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT']

const CLOSING: Record<string, string> = { '[': ']', '{': '}', '"': '"', "'": "'" }

/** Faults whose opening is looked for; each look goes through the document. */
const MOST_OPENERS = 5

/**
 * The bracket or quote that was still open at `offset`: what is missing shows only at the end, where nobody would
 * look.
 */
function openerOf(document: Document.Parsed, text: string, offset: number): { offset: number; sign: string } | null {
  let found: { offset: number; sign: string } | null = null
  visit(document, {
    Node: (_, node) => {
      const [start, end] = node.range ?? [0, 0]
      if (start > offset || end < offset) return
      const sign = openingSign(node)
      const isClosed = end - start > 1 && text[end - 1] === CLOSING[sign ?? '']
      if (sign && !isClosed) found = { offset: start, sign }
    },
  })
  return found
}

function openingSign(node: Node): string | undefined {
  if (isScalar(node)) return SIGNS[node.type ?? '']
  if (isMap(node)) return node.flow ? '{' : undefined
  return isSeq(node) && node.flow ? '[' : undefined
}

const SIGNS: Record<string, string> = { QUOTE_DOUBLE: '"', QUOTE_SINGLE: "'" }

/**
 * The parser's faults in our words. It quotes the text at some of them, which may be a secret: its own words stand for
 * the rest.
 */
function explain(code: ErrorCode, message: string): { code: string; message: string; hint: string } {
  const said = SAID[code]
  if (said) return { code: 'yaml-syntax', hint: LOOK, ...said }
  if (QUOTES_NOTHING.has(code))
    return { code: 'yaml-syntax', message: lower(message.replace(/"quote/, '" quote')), hint: LOOK }
  return { code: 'yaml-syntax', message: 'something stands here that cannot stand here', hint: LOOK }
}

const LOOK = 'look at indentation, quotes and brackets on this line and the one before'

const SAID: Partial<Record<ErrorCode, { code?: string; message: string; hint?: string }>> = {
  TAB_AS_INDENT: { code: 'tab-indent', message: 'a tab stands where YAML wants spaces', hint: 'indent with spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'unknown-tag',
    message: 'unknown tag, or a value that does not fit it',
    hint: 'leave the tag out; put a text that begins with ! in quotes',
  },
  BAD_COLLECTION_TYPE: {
    code: 'unknown-tag',
    message: 'the tag is for another kind of value',
    hint: 'leave the tag out; put a text that begins with ! in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a mapping cannot begin here',
    hint: 'put a text that holds ": " in quotes, and indent members of one mapping alike',
  },
  BAD_SCALAR_START: {
    message: 'a text without quotes cannot begin with this character',
    hint: 'put the text in quotes',
  },
  BAD_DQ_ESCAPE: {
    message: 'this escape is not known in a text in double quotes',
    hint: 'write \\\\ for a backslash, or put the text in single quotes',
  },
  BAD_DIRECTIVE: { message: 'this directive is not known', hint: 'leave the line out: only %YAML 1.2 is known' },
  BAD_ALIAS: { message: 'an anchor or alias needs a name', hint: 'put a text that begins with & or * in quotes' },
}

/** Faults whose words in the parser hold nothing of the text. */
const QUOTES_NOTHING: ReadonlySet<ErrorCode> = new Set([
  ...(['ALIAS_PROPS', 'BAD_INDENT', 'BLOCK_IN_FLOW', 'KEY_OVER_1024_CHARS', 'MISSING_CHAR'] as const),
  ...(['MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS', 'MULTIPLE_TAGS', 'IMPOSSIBLE'] as const),
])

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
