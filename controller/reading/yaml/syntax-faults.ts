// What the YAML parser finds wrong with a document, in our words and where somebody would look for it.
import { isMap, isScalar, isSeq, visit, type Document, type Node } from 'yaml'

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

/** The bracket or quote that was still open at `offset`: what is missing shows only at the end, where nobody would look. */
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

/** The parser's faults in our words: its code, a message, the next step. */
function explain(code: string, message: string): { code: string; message: string; hint: string } {
  switch (code) {
    case 'TAB_AS_INDENT':
      return { code: 'tab-indent', message: 'a tab stands where YAML wants spaces', hint: 'indent with spaces' }
    case 'TAG_RESOLVE_FAILED':
      return {
        code: 'unknown-tag',
        message: message.replace(/^Unresolved tag: /, 'unknown tag '),
        hint: 'leave the tag out, or put the text in quotes',
      }
    case 'MISSING_CHAR':
      return {
        code: 'yaml-syntax',
        message: lower(message.replace(/"quote/, '" quote')),
        hint: 'add the character that closes it',
      }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        code: 'yaml-syntax',
        message: 'a mapping cannot begin here',
        hint: 'put a text that holds ": " in quotes, and indent members of one mapping alike',
      }
    case 'BAD_SCALAR_START':
      return { code: 'yaml-syntax', message: lower(message), hint: 'put the text in quotes' }
    case 'BAD_DIRECTIVE':
      return { code: 'yaml-syntax', message: lower(message), hint: 'leave the line out: only %YAML 1.2 is known' }
    default:
      return {
        code: 'yaml-syntax',
        message: lower(message),
        hint: 'look at indentation, quotes and brackets on this line and the one before',
      }
  }
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
